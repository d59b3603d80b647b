/* Several ways to do the same thing, timed in turn, so that drift of the machine hits all.
 */
#ifndef WEFT_BENCH_RACE_H
#define WEFT_BENCH_RACE_H

#include <stdbool.h>

/* One side of a race. All functions return when the work is done, and whether it was. */
struct runner {
    bool (*reset)(void *state); /* before each run, not timed */
    bool (*run)(void *state);
    void *state;
    bool may_be_few; /* slow ones need not run as often (see race) */
    bool failed;
    double warm; /* seconds of the last run before those that count */
    struct timing {
        double first, median, fastest, slowest; /* seconds */
        double spread;                          /* (slowest - fastest) / median */
        double processor;    /* median of the processor time of all threads */
        int runs, slow_runs; /* of runs, how many took over three times the median */
    } timing;
};

/* Each runs once as a setup (`first`), and once more to warm up where that took less than
 * two seconds; then all in turn, `repeat` times. So that a slow peer does not take the day,
 * of those that may_be_few what takes over a second does three turns, and of what takes
 * over five the first run is the only one. A timed turn is `batch` runs in a row after one
 * reset, told as the time of one, but where a run takes over 10 milliseconds. With `prime`
 * a run that does not count goes before each, without a rest between them: sides that drive
 * one GPU through contexts of their own would else pay for the switch from the one before,
 * some 0.15 ms on an H200, and for its waking after a rest, some 0.03. */
bool race(struct runner *runners, int count, int repeat, int batch, bool prime);

#endif
