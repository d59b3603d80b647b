/* What commands share that run on several ranks: open, meet, stop, write labels. */
#ifndef WEFT_CLI_PARALLEL_H
#define WEFT_CLI_PARALLEL_H

#include "distributed/ranks/comm.h"
#include "io/labels.h"
#include "options.h"

#include <pthread.h>

/* Opens the device that was asked for; of several OpenCL devices like the one that is taken
 * where none is named, the ranks of a machine take one after another, and of its processors
 * each as many as the others. Passes over a rank's rows take as many threads: one with the
 * backend serial. Each thread takes memory of its own: `limit` bytes of the device, if not
 * 0, are for two threads, or one for each 2 MiB. */
weft_device *parallel_open(const struct shared_options *options, struct comm *comm,
                           int64_t limit, int *status);

/* The same while other work is done, as a GPU's driver takes half a second to begin, and
 * then what `task` runs is loaded ahead. End it in each case. */
struct opening {
    struct shared_options options; /* what it opens */
    struct comm *comm;
    int64_t limit;
    char task[80];   /* as weft_load_ahead has it */
    char number[24]; /* of the device that the rank takes in turn */
    int there;  /* devices of this kind, where they are fewer than --devices; else -1 */
    bool apart; /* in a thread of its own */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ends;
    bool ended, well; /* what that thread did; guarded by the lock */
    weft_device *device;
};
void opening_begin(struct opening *opening, const struct shared_options *options,
                   struct comm *comm, int64_t limit, const char *task);
weft_device *opening_end(struct opening *opening, int *status);

/* Waits until what opens in a thread of its own is there, before opening_end; called by any
 * thread. NULL where it did not open. */
weft_device *opening_wait(struct opening *opening);

/* Where all ranks meet after a step: its exit status, or that of another rank which failed;
 * and after a call of distributed/ that failed, which says why. */
int parallel_meet(struct comm *comm, int status);
int parallel_stop(const struct comm *comm);

/* Whether all ranks read the same file: what they say of it is the same. */
int parallel_same(struct comm *comm, const char *path, uint64_t fingerprint);

/* Joins the ranks, runs the command and leaves; of ranks that fail the first tells why.
 * With
 * --devices starts them instead, and waits; `read_input`: they read standard input. */
typedef int parallel_command(void *context, struct comm *comm);
int parallel_run(const char *command, const struct shared_options *options, bool read_input,
                 struct comm *comm, parallel_command *run, void *context);

/* What is freed of up to some MiB is used again, as buffers that a reader asks for anew for
 * each array, in place of pages of which the system clears new ones. */
void parallel_reuse_memory(void);

/* All that is freed is used again: for steps that ask for the same again and again. */
void parallel_keep_memory(void);

/* For work in pieces: large arrays that are freed go back to the system at once, so that
 * those of other sizes find room. */
void parallel_save_memory(void);

/* Gives what is free back to the system, once. */
void parallel_trim_memory(void);

/* Writes the labels of all ranks, rank after rank: none holds more than its share. Returns
 * the exit status. */
int parallel_write_labels(struct comm *comm, const char *path, enum labels_form form,
                          const int64_t *labels, int64_t n);

#endif
