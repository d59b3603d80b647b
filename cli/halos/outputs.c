/* What shall be written, looked at before the work. */
#include "cli/command.h"
#include "halos.h"
#include "cli/outputs/outputs.h"
#include "cli/plot/plot.h"
#include "cli/progress.h"
#include "cli/halos/batch/names.h"

int halos_check_outputs(struct halos_run *run, const struct snapshot *snapshot) {
    struct io_error error;
    const char *paths[NAMES_MOST];
    halos_names_list(run, paths);
    for (int k = 0; k < NAMES_MOST; ++k) {
        if (paths[k] && snapshot_has_part(snapshot, paths[k]))
            return outputs_refuse_input(paths[k]);
    }
    int status = outputs_check(paths, NAMES_MOST);
    if (status == CLI_DONE && (run->options.plot || run->options.plot_halo) &&
        !plot_ready(&error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    return status;
}
