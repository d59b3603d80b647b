#include "parallel.h"
#include "backends.h"
#include "command.h"
#include "distributed/table/table.h"
#include "launch/devices.h"
#include "progress.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int parallel_stop(const struct comm *comm) {
    return comm->trouble ? progress_fail(comm->trouble, "%s", comm->error.text) : CLI_FAULT;
}

int parallel_meet(struct comm *comm, int status) {
    if (status != CLI_DONE)
        comm_fail(comm, status);
    if (comm_agree(comm))
        return CLI_DONE;
    return status != CLI_DONE ? status : comm->status;
}

int parallel_run(const char *command, const struct shared_options *options, bool read_input,
                 struct comm *comm, parallel_command *run, void *context) {
    int status;
    if (devices_start(options, read_input, &status))
        return status;
    const bool joined = comm_open(comm);
    progress_start(command, options->quiet || comm->rank > 0);
    if (!joined)
        return progress_fail(CLI_FAULT, "%s", comm->error.text);
    if (comm->size > 1)
        progress_hold();
    status = parallel_meet(comm, run(context, comm));
    if (comm->culprit == comm->rank)
        progress_tell();
    return status;
}

int parallel_same(struct comm *comm, const char *path, uint64_t fingerprint) {
    if (comm->size == 1)
        return CLI_DONE;
    uint64_t *all = comm_allocate(comm, comm->size, sizeof *all, "fingerprints");
    int other = 0;
    if (comm_share(comm, &fingerprint, sizeof fingerprint, all)) {
        for (int r = comm->size - 1; r > 0; --r)
            other = all[r] != all[0] ? r : other;
        if (other > 0) {
            io_fail(&comm->error,
                    "%s is another file for rank %d than for rank 0: each has a folder of "
                    "its own, or what is in them differs",
                    path, other);
            comm_fail(comm, CLI_FAULT);
        }
    }
    free(all);
    return comm_agree(comm) ? CLI_DONE : parallel_stop(comm);
}

void parallel_reuse_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 2 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
}

void parallel_keep_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the most that it takes */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

void parallel_save_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

void parallel_trim_memory(void) {
    malloc_trim(0);
}

/* The device that this rank takes in turn, unless it is that which is taken by itself.
 * False where ranks were started for more than there are. */
static bool take_in_turn(struct opening *o) {
    enum { MOST = 64 };
    int64_t alike[MOST];
    const int count = devices_alike(alike, MOST);
    if (count > 1) {
        snprintf(o->number, sizeof o->number, "%lld",
                 (long long)alike[o->comm->local % count]);
        o->options.device = o->number;
    }
    if (o->options.devices > count && !devices_have_own())
        o->there = count;
    return o->there < 0;
}

/* As many threads as have room for what each takes (sorts, 0.7 MiB). */
static weft_device *keep_to(int64_t limit, weft_device *device,
                            struct shared_options *options, int *status) {
    enum { THREAD = 2 << 20, LEAST = 2 };
    const int64_t room = limit / THREAD > LEAST ? limit / THREAD : LEAST;
    if (device == NULL || limit == 0 ||
        backend_takes(weft_backend_name(device)) != BACKEND_TAKES_THREADS)
        return device;
    const int64_t threads = weft_concurrency(device);
    if (threads <= room)
        return device;
    weft_close(device);
    options->threads = room;
    return progress_hear(options_open(options, status));
}

/* (A device that is opened and not used would cost a GPU's driver a while, and all ranks
 * the first GPU's memory.) */
static void *open_in_turn(void *context) {
    struct opening *o = context;
    const struct shared_options *options = &o->options;
    const bool in_turn = o->comm->size > 1 &&
                         options_take(options) == BACKEND_TAKES_DEVICE &&
                         !options->device && !getenv("WEFT_DEVICE");
    if (!in_turn || take_in_turn(o))
        o->device = options_try(options);
    if (o->device && o->task[0])
        weft_load_ahead(o->device, o->task);
    pthread_mutex_lock(&o->lock);
    o->well = o->device && weft_check(o->device) == WEFT_OK;
    o->ended = true;
    pthread_cond_broadcast(&o->ends);
    pthread_mutex_unlock(&o->lock);
    return NULL;
}

void opening_begin(struct opening *o, const struct shared_options *asked, struct comm *comm,
                   int64_t limit, const char *task) {
    *o = (struct opening){.options = *asked, .comm = comm, .limit = limit, .there = -1};
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->ends, NULL);
    snprintf(o->task, sizeof o->task, "%s", task);
    const enum backend_takes takes = options_take(asked);
    if (takes == BACKEND_TAKES_NOTHING)
        comm->threads = 1;
    if (asked->threads)
        comm->threads = (int)asked->threads;
    if (comm->size > 1 && takes == BACKEND_TAKES_THREADS && !asked->threads &&
        !getenv("WEFT_NUM_THREADS"))
        o->options.threads = comm->threads;
    o->apart = takes == BACKEND_TAKES_DEVICE &&
               pthread_create(&o->thread, NULL, open_in_turn, o) == 0;
}

weft_device *opening_end(struct opening *o, int *status) {
    if (o->apart)
        pthread_join(o->thread, NULL);
    else
        open_in_turn(o);
    pthread_cond_destroy(&o->ends);
    pthread_mutex_destroy(&o->lock);
    weft_device *device = o->device; /* others may have failed on it since */
    if (o->there >= 0)
        *status = devices_too_few(o->options.devices, o->there);
    else if (!o->well)
        device = options_judge(&o->options, device, status);
    device = progress_hear(device);
    return keep_to(o->limit, device, &o->options, status);
}

weft_device *opening_wait(struct opening *o) {
    pthread_mutex_lock(&o->lock);
    while (!o->ended)
        pthread_cond_wait(&o->ends, &o->lock);
    weft_device *device = o->well ? o->device : NULL;
    pthread_mutex_unlock(&o->lock);
    return device;
}

weft_device *parallel_open(const struct shared_options *asked, struct comm *comm,
                           int64_t limit, int *status) {
    struct opening opening;
    opening_begin(&opening, asked, comm, limit, "");
    return opening_end(&opening, status);
}

struct from_rank {
    int rank;
    const struct comm *comm;
};

static int from_one(const void *context, int64_t row, int *ranks) {
    const struct from_rank *from = context;
    (void)row;
    ranks[0] = 0;
    return from->comm->rank == from->rank;
}

/* Sends the labels of rank `from` to rank 0, which writes them. */
static bool pass_labels(struct comm *comm, int from, const int64_t *labels, int64_t n,
                        struct labels_file *file) {
    const struct from_rank rule = {from, comm};
    struct mailing mailing;
    int64_t *passed = NULL;
    if (mailing_plan(comm, n, from_one, &rule, &mailing))
        passed = mailing_send(comm, &mailing, sizeof *passed, labels);
    if (passed && comm->rank == 0 &&
        !labels_put(file, passed, mailing.route.n_from, &comm->error))
        comm_fail(comm, CLI_FAULT);
    free(passed);
    mailing_free(&mailing);
    return comm_agree(comm);
}

int parallel_write_labels(struct comm *comm, const char *path, enum labels_form form,
                          const int64_t *labels, int64_t n) {
    struct labels_file file;
    int64_t total = n;
    if (!comm_reduce_i64(comm, &total, 1, COMM_SUM))
        return parallel_stop(comm);
    const bool writes = comm->rank == 0;
    const bool opened = writes && labels_open(&file, form, path, total, &comm->error);
    if (writes && (!opened || !labels_put(&file, labels, n, &comm->error)))
        comm_fail(comm, CLI_FAULT);
    bool well = comm_agree(comm);
    for (int from = 1; from < comm->size && well; ++from)
        well = pass_labels(comm, from, labels, n, &file);
    if (opened && !labels_close(&file, well, &comm->error) && well)
        comm_fail(comm, CLI_FAULT);
    return comm_agree(comm) ? CLI_DONE : parallel_stop(comm);
}
