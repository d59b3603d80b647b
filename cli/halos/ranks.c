/* Particles that several ranks read, each its share. */
#include "cli/command.h"
#include "distributed/table/table.h"
#include "distributed/table/unique.h"
#include "halos.h"
#include "io/ids.h"
#include "io/files/numbers.h"
#include "cli/parallel.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank_of_id(const void *run, int64_t row, int *ranks) {
    const int64_t *ids = ((const struct halos_run *)run)->particles.field[SNAPSHOT_IDS];
    const uint64_t mixed = (uint64_t)ids[row] * 0x9e3779b97f4a7c15u;
    ranks[0] = (int)((mixed >> 32) % (uint64_t)((const struct halos_run *)run)->comm.size);
    return 1;
}

/* Ids that are the same meet on one rank, which tells one of them. */
static bool gather_ids(struct halos_run *run) {
    struct snapshot_particles *particles = &run->particles;
    enum io_ids_verdict verdict = IO_IDS_GOOD;
    struct comm *comm = &run->comm;
    struct mailing mailing;
    int64_t example, *ids = NULL;
    if (mailing_plan(comm, particles->n, rank_of_id, run, &mailing))
        ids = mailing_send(comm, &mailing, sizeof *ids, particles->field[SNAPSHOT_IDS]);
    if (ids && !io_ids_judge(ids, mailing.route.n_from, comm->threads, &verdict, &example,
                             &comm->error))
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

/* Those of most files take few bits; others, and those that repeat, are sent. */
static bool judge_ids(struct halos_run *run) {
    const struct snapshot_particles *particles = &run->particles;
    bool are_proven;
    return unique_prove(&run->comm, particles->field[SNAPSHOT_IDS], particles->n,
                        &are_proven) &&
           (are_proven || gather_ids(run));
}

bool halos_settle_ids(struct halos_run *run) {
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

int64_t halos_share(const struct halos_run *run, int rank) {
    return run->shares ? run->shares[rank] : io_share(run->info.n, rank, run->comm.size);
}

int halos_rank_of(const struct halos_run *run, int64_t index) {
    int low = 0, high = run->comm.size - 1;
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (halos_share(run, middle) <= index)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Ids that the file does not have are not made: nobody looks at them. */
static unsigned fields_of(const struct halos_run *run) {
    const bool made = run->info.bytes[SNAPSHOT_IDS] == 0 && !run->options.types.given;
    return made ? SNAPSHOT_ALL & ~(1u << SNAPSHOT_IDS) : SNAPSHOT_ALL;
}

/* All particles; masses that are one number are not read. */
static bool read_all(struct halos_run *run, struct mixture *mixture, unsigned fields,
                     struct io_error *error) {
    double mass = 0;
    const bool one = halos_may_have_one_mass(run) && mixture_has_one_mass(mixture, &mass);
    if (one)
        fields &= ~(1u << SNAPSHOT_MASSES);
    const bool done = mixture_read(mixture, fields, &run->particles, error);
    if (one)
        run->particles.mass = mass;
    return done;
}

static void note_ids(const struct halos_run *run, struct snapshot_particles *particles) {
    if (fields_of(run) == SNAPSHOT_ALL)
        return;
    particles->ids_from = SNAPSHOT_IDS_INDEX;
    particles->bytes[SNAPSHOT_IDS] = sizeof(int64_t);
    snprintf(particles->ids_note, sizeof particles->ids_note, "there are none");
}

static bool read_slice(struct halos_run *run, struct mixture *mixture, int64_t first,
                       int64_t count, struct io_error *error) {
    const unsigned fields = fields_of(run);
    const bool done =
        run->comm.size == 1
            ? read_all(run, mixture, fields, error)
            : mixture_read_slice(mixture, first, count, fields, &run->particles, error);
    if (done)
        note_ids(run, &run->particles);
    return done;
}

int halos_read_particles(struct halos_run *run, struct mixture *mixture) {
    struct io_error error;
    const int rank = run->comm.rank;
    if (run->comm.size == 1)
        return read_slice(run, mixture, 0, run->info.n, &error)
                   ? CLI_DONE
                   : progress_fail(CLI_FAULT, "%s", error.text);
    const int64_t first = io_share(run->info.n, rank, run->comm.size);
    const int64_t count = io_share(run->info.n, rank + 1, run->comm.size) - first;
    int status = CLI_DONE;
    if (!read_slice(run, mixture, first, count, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE && !halos_settle_ids(run))
        status = parallel_stop(&run->comm);
    return status;
}
