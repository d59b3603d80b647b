/* What several ranks do that one does alone: read, meet, write labels. */
#include "command.h"
#include "distributed/table.h"
#include "halos.h"
#include "io/ids.h"
#include "io/labels.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int halos_stop(struct halos_run *run) {
    const struct comm *comm = &run->comm;
    return comm->trouble ? progress_fail(comm->trouble, "%s", comm->error.text) : CLI_FAULT;
}

int halos_meet(struct halos_run *run, int status) {
    if (status != CLI_DONE)
        comm_fail(&run->comm, status);
    if (comm_agree(&run->comm))
        return CLI_DONE;
    return status != CLI_DONE ? status : run->comm.status;
}

weft_device *halos_open(const struct halos_run *run, int *status) {
    enum { MOST = 64 };
    weft_device_info info[MOST];
    int64_t found = 0, alike[MOST], count = 0;
    bool gpu = false;
    char number[24];
    struct shared_options options = run->options.shared;
    weft_device *device = options_open(&options, status);
    if (device == NULL || run->comm.size == 1 || options.device ||
        getenv("WEFT_DEVICE") != NULL || strcmp(weft_backend_name(device), "opencl") != 0)
        return device;
    found = weft_devices(info, MOST);
    found = found < MOST ? found : MOST;
    for (int64_t k = 0; k < found; ++k)
        gpu |= strcmp(info[k].backend, "opencl") == 0 && info[k].is_gpu;
    for (int64_t k = 0; k < found; ++k) {
        if (strcmp(info[k].backend, "opencl") == 0 && (info[k].is_gpu != 0) == gpu)
            alike[count++] = info[k].number;
    }
    if (count < 2)
        return device;
    weft_close(device);
    snprintf(number, sizeof number, "%lld", (long long)alike[run->comm.local % (int)count]);
    options.device = number;
    return options_open(&options, status);
}

int64_t halos_share(const struct halos_run *run, int rank) {
    const int64_t n = run->info.n, size = run->comm.size;
    return n / size * rank + n % size * rank / size;
}

static int rank_of_id(const void *run, int64_t row, int *ranks) {
    const int64_t *ids = ((const struct halos_run *)run)->particles.field[SNAPSHOT_IDS];
    const uint64_t mixed = (uint64_t)ids[row] * 0x9e3779b97f4a7c15u;
    ranks[0] = (int)((mixed >> 32) % (uint64_t)((const struct halos_run *)run)->comm.size);
    return 1;
}

/* Ids that are the same meet on one rank. */
static bool judge_ids(struct halos_run *run) {
    struct snapshot_particles *particles = &run->particles;
    enum io_ids_verdict verdict = IO_IDS_GOOD;
    struct comm *comm = &run->comm;
    struct mailing mailing;
    int64_t example, *ids = NULL;
    if (mailing_plan(comm, particles->n, rank_of_id, run, &mailing))
        ids = mailing_send(comm, &mailing, sizeof *ids, particles->field[SNAPSHOT_IDS]);
    if (ids && !io_ids_judge(ids, mailing.route.n_from, &verdict, &example, &comm->error))
        comm_fail(comm, CLI_FAULT);
    if (ids && verdict != IO_IDS_GOOD) {
        particles->ids_from = SNAPSHOT_IDS_INDEX;
        snprintf(particles->ids_note, sizeof particles->ids_note,
                 "the id %lld is there more than once", (long long)example);
    }
    free(ids);
    mailing_free(&mailing);
    return comm_agree(comm);
}

/* What one rank finds of its ids holds for all. */
static bool settle_ids(struct halos_run *run) {
    struct snapshot_particles *particles = &run->particles;
    struct comm *comm = &run->comm;
    enum { NOTE = sizeof particles->ids_note };
    int64_t from_index = particles->ids_from == SNAPSHOT_IDS_INDEX;
    bool well = comm_reduce_i64(comm, &from_index, 1, COMM_MAX);
    if (well && !from_index) {
        well = judge_ids(run);
        from_index = particles->ids_from == SNAPSHOT_IDS_INDEX;
        well = well && comm_reduce_i64(comm, &from_index, 1, COMM_MAX);
    }
    char *notes = comm_allocate(comm, comm->size, NOTE, "what is said of ids");
    if (!comm_share(comm, particles->ids_note, NOTE, notes))
        well = false;
    for (int r = comm->size - 1; well && r >= 0; --r) {
        if (notes[r * NOTE])
            memcpy(particles->ids_note, notes + r * NOTE, NOTE);
    }
    if (well && from_index)
        particles->ids_from = SNAPSHOT_IDS_INDEX;
    free(notes);
    return well;
}

int halos_read_particles(struct halos_run *run, struct snapshot *snapshot) {
    struct io_error error;
    const int rank = run->comm.rank;
    if (run->comm.size == 1)
        return snapshot_read(snapshot, SNAPSHOT_ALL, &run->particles, &error)
                   ? CLI_DONE
                   : progress_fail(CLI_FAULT, "%s", error.text);
    const int64_t first = halos_share(run, rank);
    const int64_t count = halos_share(run, rank + 1) - first;
    int status = CLI_DONE;
    if (!snapshot_read_slice(snapshot, first, count, SNAPSHOT_ALL, &run->particles, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = halos_meet(run, status);
    if (status == CLI_DONE && !settle_ids(run))
        status = halos_stop(run);
    return status;
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
static bool pass_labels(struct halos_run *run, int from, struct io_output *output) {
    struct comm *comm = &run->comm;
    const struct from_rank rule = {from, comm};
    struct mailing mailing;
    int64_t *labels = NULL;
    if (mailing_plan(comm, run->n_labels, from_one, &rule, &mailing))
        labels = mailing_send(comm, &mailing, sizeof *labels, run->labels);
    if (labels && comm->rank == 0 &&
        !labels_put(output, labels, mailing.route.n_from, &comm->error))
        comm_fail(comm, CLI_FAULT);
    free(labels);
    mailing_free(&mailing);
    return comm_agree(comm);
}

int halos_write_labels(struct halos_run *run) {
    struct comm *comm = &run->comm;
    struct io_output output;
    const bool writes = comm->rank == 0;
    const bool opened =
        writes && io_output_open(&output, run->options.labels, &comm->error);
    if (writes && !opened)
        comm_fail(comm, CLI_FAULT);
    if (opened && !labels_put(&output, run->labels, run->n_labels, &comm->error))
        comm_fail(comm, CLI_FAULT);
    bool well = comm_agree(comm);
    for (int from = 1; from < comm->size && well; ++from)
        well = pass_labels(run, from, &output);
    if (opened && !io_output_close(&output, well, &comm->error) && well)
        comm_fail(comm, CLI_FAULT);
    return comm_agree(comm) ? CLI_DONE : halos_stop(run);
}
