/* The library's side of a race. */
#ifndef WEFT_BENCH_OURS_H
#define WEFT_BENCH_OURS_H

#include "bench.h"
#include "race.h"

struct ours {
    weft_device *device;
    const struct row *row;
    struct task *task;
    weft_array in[TASK_INPUTS], out[TASK_OUTPUTS];
    u64 before, peak; /* bytes on the device before a run; the most that a run adds */
};

/* Copies the task's arrays to the device. Errors stick to it. */
void ours_open(struct ours *ours, const struct bench *bench, const struct row *row,
               struct task *task);
struct runner ours_runner(struct ours *ours);
/* Brings the results to the task. */
bool ours_fetch(struct ours *ours);
void ours_close(struct ours *ours);

#endif
