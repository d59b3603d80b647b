/* Several snapshots, one after another: one that fails does not stop the rest. */
#ifndef WEFT_CLI_HALOS_BATCH_H
#define WEFT_CLI_HALOS_BATCH_H

#include "cli/halos/halos.h"

enum batch_status { BATCH_LEFT, BATCH_DONE, BATCH_SKIPPED, BATCH_FAILED };

/* What became of a snapshot. */
struct batch_result {
    const char *file;
    char *output;             /* the catalogue; NULL: not known */
    enum batch_status status; /* BATCH_LEFT: it was not begun */
    int64_t particles, halos;
    double seconds;
    char *message; /* why it failed */
};

struct halos_batch {
    struct halos_options options;
    char *command; /* as it was typed */
    struct comm comm;
    weft_device *device;    /* which one snapshot leaves to the next */
    struct closing closing; /* that of the last */
    bool no_device;         /* none can be opened: all would fail */
    int threads;
    int n;                       /* snapshots: of files that are parts of one, the first */
    struct batch_result *result; /* [n] */
};

/* Finds the snapshots among the files, and refuses names that two of them would write, or
 * that are read: before the work. On one rank. Returns the exit status. */
int batch_plan(struct halos_batch *batch);

/* Writes what became of all of them as JSON. */
bool batch_write_summary(const struct halos_batch *batch, struct io_error *error);

#endif
