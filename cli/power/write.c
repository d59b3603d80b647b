/* The spectrum as CSV. */
#include "cli/command.h"
#include "cli/progress.h"
#include "io/files/output.h"
#include "power.h"

#include <errno.h>
#include <inttypes.h>

/* What numbers mean comes before them, so that readers skip it as remarks. */
static void print(FILE *stream, const struct power_run *run) {
    const char *unit = run->info.length_unit;
    fprintf(stream, "# k: mean wave number of a shell of width 2 pi / L, 1 / (%s)\n", unit);
    fprintf(stream,
            "# power: mean of V |delta_k|^2 over its modes, (%s)^3, the window divided "
            "out\n",
            unit);
    fprintf(stream, "# modes: how many they are, k and -k both\n");
    fprintf(stream, "# shot_noise: %.17g\n", run->shot_noise);
    fprintf(stream, "k,power,modes\n");
    for (int64_t s = 0; s < run->shells; ++s)
        fprintf(stream, "%.17g,%.17g,%" PRId64 "\n", run->k[s], run->power[s],
                run->modes[s]);
}

int power_write(const struct power_run *run) {
    struct io_output output;
    struct io_error error;
    progress_show("writing %s", run->output);
    if (!io_output_open(&output, run->output, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    errno = 0;
    print(output.stream, run);
    const bool good = !ferror(output.stream) || io_output_fail(&output, errno, &error);
    if (!io_output_close(&output, good, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    return CLI_DONE;
}
