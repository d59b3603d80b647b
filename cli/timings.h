/* Seconds and bytes of the steps of a run. */
#ifndef WEFT_CLI_TIMINGS_H
#define WEFT_CLI_TIMINGS_H

#include "distributed/ranks/comm.h"

#include <weft/device.h>

/* In the order in which they run. Their names in the file do not change. */
enum timings_step {
    TIMINGS_READ,
    TIMINGS_UPLOAD,
    TIMINGS_FOF,
    TIMINGS_GROUP,
    TIMINGS_PROPERTIES,
    TIMINGS_CENTERS,
    TIMINGS_SO,
    TIMINGS_SUBHALOS,
    TIMINGS_WRITE,
    TIMINGS_PLOT,
    TIMINGS_DBSCAN,
    TIMINGS_SHEET,
    TIMINGS_POWER,
    TIMINGS_ICS,
    TIMINGS_LINKS,
    TIMINGS_SIMULATE,
    TIMINGS_STEPS,
};

enum { TIMINGS_KINDS = 8 };

/* Of all ranks. */
struct timings_ranks {
    int count;                 /* 0: not gathered */
    double mean[COMM_STAGES];  /* seconds */
    double most[COMM_STAGES];  /*   of the rank that took longest */
    int64_t sent[COMM_STAGES]; /* bytes, by all together */
    int64_t sent_most;         /*   by the one that sent most */
    int64_t peak, peak_most;   /* memory of all processes, and of the largest */
    int64_t together;          /* centers that all ranks looked for together, */
    int64_t finders;           /*   and ranks that found them: one each */
};

struct timings {
    double begin, mark;            /* since some fixed moment, in seconds */
    double seconds[TIMINGS_STEPS]; /* 0 for steps that did not run */
    int64_t bytes[TIMINGS_STEPS];
    struct {
        const char *name;
        double seconds;
    } centers[TIMINGS_KINDS]; /* of the step, each kind; the first without a name ends */
    struct timings_ranks ranks;
    struct { /* once it is closed, while what it did is still to be told */
        char backend[32], name[256];
        uint64_t peak;
    } device;
};

/* Starts the clock. */
void timings_start(struct timings *timings);

/* What passed since the last call was this step; `bytes` are those of the arrays and files
 * that it read and wrote, each once. */
void timings_end(struct timings *timings, enum timings_step step, int64_t bytes);

/* So many of the seconds of one step were of another. */
void timings_move(struct timings *timings, enum timings_step from, enum timings_step to,
                  double seconds);

/* What is told of a device, which may be closed then. */
void timings_note_device(struct timings *timings, const weft_device *device);

/* Adds to what one kind of center took; `name` is a literal. Of more than TIMINGS_KINDS the
 * first are told. */
void timings_add_center(struct timings *timings, const char *name, double seconds);

/* Bytes that the process used at most, as the system saw it. */
int64_t timings_peak_memory(void);

/* Brings together what each rank spent, on all. False after a failure of comm. */
bool timings_gather(struct timings *timings, struct comm *comm);

/* Bytes that ranks sent to each other. */
int64_t timings_sent(const struct timings *timings);

/* Writes all of it as JSON, with the peak memory of the process and of the device; NULL: of
 * that which was noted. */
bool timings_write(const char *path, const struct timings *timings,
                   const weft_device *device, const char *command, int64_t n_particles,
                   struct io_error *error);

#endif
