/* What the parts of weft-bench share: the run, the rows, and how a row is raced. */
#ifndef WEFT_BENCH_H
#define WEFT_BENCH_H

#include "cli/options.h"
#include "peers/peer.h"

#include <stdbool.h>
#include <stddef.h>
#include <weft/short_names.h>
#include <weft/weft.h>

enum { BENCH_RUNS = 7 };

struct bench_options {
    struct shared_options where; /* to run; peers get as many threads */
    const char *suite, *data, *json, *rows, *peers;
    int64_t log2_n, repeat, tile, particles, nfw;
    double linking_length; /* in mean separations */
    bool no_peers, no_check;
};

struct bench {
    struct bench_options options;
    weft_device *device;
    int threads; /* that ours may use; peers get as many */
    const struct peer *const *peers;
    int n_peers;
    struct halos_input *halos;     /* for rows on particles */
    struct sheet_input *sheet;     /* for rows on sheets */
    struct gravity_input *gravity; /* for rows of gravity */
    struct report *report;
    bool all_verified;
};

/* One line of the table. Its functions leave an error with the device or return false. */
struct row {
    const char *name, *types;
    /* Fills in inputs, and outputs where they are not `in_place`. */
    bool (*make)(const struct bench *bench, struct task *task);
    /* The operation, on copies of the task's arrays on the device. */
    void (*run)(weft_device *device, const weft_array *in, const weft_array *out,
                struct task *task);
    /* Whether task->out, count and value are right, by the definition. */
    bool (*check)(const struct task *task);
    int item_bytes, count_bytes; /* that must move: for each of n, and of task->count */
    bool in_place;               /* out begins as a copy of in */
    bool reads;                  /* to be compared with read bandwidth */
    bool all_pairs;              /* looks at task->pairs: their rate is told */
};

/* Races ours and all peers that know the row, checks each, and reports. False where the
 * machine is at fault; said on standard error. */
bool bench_row(struct bench *bench, const struct row *row, int64_t n);

/* Whether one of the patterns of a list, separated by commas, is like this name. */
bool bench_lists(const char *list, const char *name);

/* Whether the user asked for this row (--rows). */
bool bench_wants(const struct bench *bench, const char *suite, const struct row *row);

bool bench_primitives(struct bench *bench);
bool bench_halos(struct bench *bench);
bool bench_sheet(struct bench *bench);
bool bench_gravity(struct bench *bench);

#endif
