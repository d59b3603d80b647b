/* weft devices: the backends built in, what they find here, and its limits. */
#include "cli/backends.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static error_t parse(int key, char *text, struct argp_state *state) {
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    argp_error(state, "there is nothing to do with '%s'", text);
    return 0;
}

static const struct argp argp = {
    .parser = parse,
    .doc = "Lists the backends that are built in, the default first, the devices that each "
           "finds on this machine, and their limits.",
};

static const char *size(uint64_t bytes, char text[32]) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    int k = 0;
    for (; value >= 1024 && k < 4; ++k)
        value /= 1024;
    snprintf(text, 32, "%.4g %s", value, units[k]);
    return text;
}

static void print_device(const weft_device_info *info, bool numbered) {
    char text[32];
    printf("  ");
    if (numbered)
        printf("%lld  ", (long long)info->number);
    printf("%s", info->name);
    if (info->platform[0])
        printf(" (%s%s%s)", info->platform, info->driver[0] ? ", driver " : "",
               info->driver);
    printf("%s\n", info->is_default ? ", the default device" : "");
    const char *indent = numbered ? "     " : "  ";
    if (numbered)
        printf("%s%s, %u compute units", indent, info->is_gpu ? "GPU" : "not a GPU",
               info->compute_units);
    if (info->memory)
        printf(", %s of memory", size(info->memory, text));
    if (info->largest_allocation)
        printf(", arrays up to %s", size(info->largest_allocation, text));
    if (numbered)
        printf("\n%swork-groups up to %u", indent, info->largest_group);
    if (info->local_memory)
        printf(", %s of local memory", size(info->local_memory, text));
    if (numbered)
        printf(", %s f64, %s 64-bit atomics\n", info->has_f64 ? "with" : "without",
               info->has_u64_atomics ? "with" : "without");
}

int command_devices(int argc, char **argv) {
    options_parse(&argp, argc, argv, NULL);
    const int64_t count = weft_devices(NULL, 0);
    weft_device_info *list = calloc((size_t)count + 1, sizeof *list);
    if (list == NULL)
        return progress_fail(CLI_FAULT, "out of memory: a list of %lld devices",
                             (long long)count);
    const int64_t found = weft_devices(list, count);
    const char *name;
    for (int64_t k = 0; (name = weft_backend_built_in(k)) != NULL; ++k) {
        int64_t here = 0;
        printf("%s%s\n", name, k == 0 ? " (the default)" : "");
        for (int64_t d = 0; d < found && d < count; ++d) {
            if (strcmp(list[d].backend, name) == 0) {
                print_device(&list[d], backend_takes(name) == BACKEND_TAKES_DEVICE);
                ++here;
            }
        }
        if (here == 0)
            printf("  no device found\n");
    }
    free(list);
    return CLI_DONE;
}
