/* weft COMMAND ...: finds the command and runs it. */
#include "command.h"
#include "io/files/standard.h"
#include "io/process/unfinished.h"
#include "io/snapshot.h"
#include "job.h"
#include "launch/devices.h"
#include "launch/launch.h"
#include "parallel.h"
#include "progress.h"
#include "cli/typos/typos.h"

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
    {"sheet", "weft sheet", "densities of the dark-matter sheet", command_sheet, true},
    {"link", "weft link", "merger trees from the catalogues of several snapshots",
     command_link, false},
    {"power", "weft power", "power spectrum of particles or of a density", command_power,
     true},
    {"ics", "weft ics", "initial conditions of a simulation", command_ics, false},
    {"simulate", "weft simulate", "gravity, from initial conditions to snapshots",
     command_simulate, true},
    {"info", "weft info", "show what is in a file, and verify its checksums", command_info,
     false},
    {"convert", "weft convert", "write a particle file in another format", command_convert,
     false},
    {"sql", "weft sql", "query the tables of a catalogue or a GenericIO file", command_sql,
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
    fputs(
        "\n  weft COMMAND --help   list the options of a command; weft help COMMAND, too\n"
        "  weft --version        print the version\n"
        "  weft --help           print this help\n",
        stream);
}

static int refuse(const char *word) {
    const char *nearest = NULL;
    int least = TYPOS_FAR;
    for (int k = 0; k < COMMANDS; ++k) {
        const int far = typos_distance(word, commands[k].name);
        nearest = far < least ? commands[k].name : nearest;
        least = far < least ? far : least;
    }
    if (*word == '-')
        return progress_fail(CLI_USAGE, "there is no option '%s': see weft --help", word);
    if (nearest)
        return progress_fail(CLI_USAGE, "there is no command '%s': is it weft %s?", word,
                             nearest);
    return progress_fail(CLI_USAGE, "there is no command '%s': see weft --help", word);
}

static int run_command(int argc, char **argv) {
    for (int k = 0; k < COMMANDS; ++k) {
        if (strcmp(argv[1], commands[k].name) != 0)
            continue;
        char title[32];
        snprintf(title, sizeof title, "%s", commands[k].title);
        argv[1] = title;
        return progress_finish(commands[k].run(argc - 1, argv + 1));
    }
    return refuse(argv[1]);
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
    standard_keep();
    signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit is a write that fails */
    unfinished_guard();
    if (!launch_begin(argc, argv))
        return CLI_FAULT;
    devices_begin();
    snapshot_own_process();
    parallel_reuse_memory();
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
    if (strcmp(word, "help") == 0) {
        char help[] = "--help", *asked[] = {argv[0], argc > 2 ? argv[2] : NULL, help, NULL};
        if (argc > 2)
            return run_command(3, asked);
        usage(stdout);
        return progress_finish(CLI_DONE);
    }
    return run_command(argc, argv);
}
