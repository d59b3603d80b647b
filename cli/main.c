/* weft COMMAND ...: finds the command and runs it. */
#include "command.h"
#include "job.h"
#include "progress.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <weft/device.h>

static const struct {
    const char *name, *title, *summary;
    command_function *run;
    bool together; /* on several ranks */
} commands[] = {
    {"halos", "weft halos", "find the halos of a snapshot", command_halos, true},
    {"dbscan", "weft dbscan", "find clusters of points by DBSCAN", command_dbscan, true},
    {"info", "weft info", "show what is in a particle file, and verify its checksums",
     command_info, false},
    {"convert", "weft convert", "write a particle file in another format", command_convert,
     false},
    {"devices", "weft devices", "list backends and devices", command_devices, false},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void usage(FILE *stream) {
    fputs("Usage: weft COMMAND [OPTION...]\n"
          "Finds halos in cosmological simulations, on every processor.\n\n",
          stream);
    for (int k = 0; k < COMMANDS; ++k)
        fprintf(stream, "  weft %-12s %s\n", commands[k].name, commands[k].summary);
    fputs("\n  weft COMMAND --help   list the options of a command\n"
          "  weft --version        print the version\n"
          "  weft --help           print this help\n",
          stream);
}

static bool is_together(const char *word) {
    bool together = false;
    for (int k = 0; k < COMMANDS; ++k)
        together =
            together || (commands[k].together && strcmp(word, commands[k].name) == 0);
    return together;
}

int main(int argc, char **argv) {
    int status;
    signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit is a write that fails */
    if (!job_begin(argc, argv, argc > 1 && is_together(argv[1]), &status))
        return status;
    if (argc < 2) {
        usage(stderr);
        return CLI_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        usage(stdout);
        return progress_finish(CLI_DONE);
    }
    if (strcmp(word, "--version") == 0) {
        printf("weft %s\n", weft_version());
        return progress_finish(CLI_DONE);
    }
    for (int k = 0; k < COMMANDS; ++k) {
        if (strcmp(word, commands[k].name) != 0)
            continue;
        char title[32];
        snprintf(title, sizeof title, "%s", commands[k].title);
        argv[1] = title;
        return progress_finish(commands[k].run(argc - 1, argv + 1));
    }
    return progress_fail(CLI_USAGE, "there is no %s '%s': see weft --help",
                         *word == '-' ? "option" : "command", word);
}
