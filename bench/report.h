/* What was measured, as a table for people and as JSON. */
#ifndef WEFT_BENCH_REPORT_H
#define WEFT_BENCH_REPORT_H

#include "bench.h"
#include "race.h"

struct result {
    const char *suite, *name, *types, *by, *backend;
    int64_t n, bytes;
    int threads;
    bool checked, verified;
    struct timing timing;
    struct share {
        double wall, processor;
    } copy, read; /* of that bandwidth, timed in turn with it; 0 where not asked */
    double pairs; /* that were looked at; 0: not told */
    double error; /* of the result; 0: not told */
    double cells; /* that a tetrahedron meets; 0: not told */
    double bytes_a_particle; /* peak of device memory beyond the input; below 0: unknown */
};

struct report *report_new(const struct bench *bench, bool table);

/* Copy and read bandwidth that one race found, bytes a second. */
void report_bandwidth(struct report *report, double copy, double read);

bool report_add(struct report *report, const struct result *result);

/* Writes the file, "-" to standard output. False and a sentence on standard error where
 * that fails. */
bool report_write(const struct report *report, const struct bench *bench, const char *path);
void report_free(struct report *report);

#endif
