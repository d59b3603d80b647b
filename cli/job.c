#include "job.h"
#include "command.h"
#include "distributed/ranks/comm.h"
#include "options.h"
#include "progress.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/device.h>

enum { SHOWN = 160, SHORTEST = sizeof "--no-m" - 1 };

/* What each rank says of itself. */
struct line {
    uint64_t hash; /* of version and arguments */
    int together;
    char version[24], text[SHOWN];
};

static bool alone;

bool job_is_alone(void) {
    return alone;
}

/* Also as argp lets it be cut short. */
static bool is_alone(int argc, char **argv) {
    bool found = false;
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; ++k) {
        const size_t length = strlen(argv[k]);
        found = found || (length >= SHORTEST && strncmp(argv[k], "--no-mpi", length) == 0);
    }
    return found;
}

/* Fowler, Noll and Vo's hash, FNV-1a, of the text and its end. */
static uint64_t mix(uint64_t hash, const char *text) {
    do
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    while (*text++);
    return hash;
}

static struct line line_of(int argc, char **argv, bool together) {
    struct line line;
    memset(&line, 0, sizeof line);
    char *text = options_join(argc - 1, argv + 1);
    line.hash = mix(0xcbf29ce484222325u, weft_version());
    line.together = together;
    snprintf(line.version, sizeof line.version, "%s", weft_version());
    snprintf(line.text, sizeof line.text, "weft %s", text ? text : "");
    for (int k = 1; k < argc; ++k)
        line.hash = mix(line.hash, argv[k]);
    free(text);
    return line;
}

/* Rank 0 tells that rank `other` is another. */
static int refuse(const struct line *lines, int other, int rank) {
    if (rank > 0)
        return CLI_USAGE;
    if (strcmp(lines[0].version, lines[other].version) != 0)
        return progress_fail(CLI_USAGE,
                             "rank %d is weft %s, rank 0 is weft %s: ranks of one job need "
                             "the same",
                             other, lines[other].version, lines[0].version);
    return progress_fail(CLI_USAGE,
                         "rank %d was started as '%s', rank 0 as '%s': ranks of one job "
                         "work together on one command line; --no-mpi lets each work alone",
                         other, lines[other].text, lines[0].text);
}

static bool all_well(bool well, bool *tells) {
    struct comm comm;
    if (!comm_open(&comm))
        return well;
    if (!well)
        comm_fail(&comm, CLI_FAULT);
    const bool all = comm_agree(&comm);
    *tells = comm.culprit == comm.rank;
    return all;
}

bool job_begin(int argc, char **argv, bool together, int *status) {
    struct comm comm;
    alone = is_alone(argc, argv);
    if (alone)
        comm_stay_alone();
    if (atexit(comm_close) != 0 || !comm_open(&comm) || comm.size == 1)
        return true; /* a failure is told by what needs the others */
    const struct line mine = line_of(argc, argv, together);
    struct line *lines = calloc((size_t)comm.size, sizeof *lines);
    if (lines == NULL)
        comm_fail(&comm, CLI_FAULT);
    if (!comm_share(&comm, &mine, sizeof mine, lines)) {
        free(lines);
        *status = CLI_FAULT;
        if (comm.culprit == comm.rank)
            progress_fail(CLI_FAULT, "out of memory: the command lines of all ranks");
        return false;
    }
    int other = 0;
    bool any = false;
    for (int r = comm.size - 1; r >= 0; --r) {
        other = lines[r].hash != lines[0].hash ? r : other;
        any = any || lines[r].together;
    }
    const bool silent = other == 0 && comm.rank > 0;
    if (together)
        options_share(all_well);
    *status = other > 0 && any ? refuse(lines, other, comm.rank) : CLI_DONE;
    free(lines);
    if (silent)
        options_silence();
    if (silent && freopen("/dev/null", "w", stdout) == NULL)
        fclose(stdout);
    return *status == CLI_DONE && (together || !silent);
}
