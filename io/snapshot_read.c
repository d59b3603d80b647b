/* Reading particles: from their parts into arrays, and what of them is refused. */
#include "format.h"
#include "ids.h"
#include "io/crew/crew.h"
#include "io/files/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void snapshot_free(struct snapshot_particles *particles) {
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        free(particles->field[f]);
        particles->field[f] = NULL;
        particles->bytes[f] = 0;
    }
}

static size_t row_bytes(const struct snapshot_particles *particles,
                        enum snapshot_field field) {
    return (size_t)(snapshot_components(field) * particles->bytes[field]);
}

static bool allocate(const struct snapshot *snapshot, unsigned fields,
                     struct snapshot_particles *particles, struct io_error *error) {
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        if ((fields & 1u << f) == 0)
            continue;
        particles->bytes[f] = f == SNAPSHOT_IDS ? 8 : snapshot->info.bytes[f];
        if (particles->bytes[f] == 0)
            continue;
        particles->field[f] =
            io_allocate(particles->n, row_bytes(particles, f), "the particles", error);
        if (particles->field[f] == NULL)
            return false;
    }
    return true;
}

/* Reads rows of a part, and tells after each field, or piece of it. */
static bool read_rows(const struct snapshot *snapshot, const struct snapshot_part *part,
                      int64_t first, int64_t count, void *const values[SNAPSHOT_FIELDS],
                      const struct snapshot_particles *particles, struct io_seen *seen,
                      struct io_error *error) {
    enum { PIECE = 1 << 24 };
    const int64_t before = part->first + first - particles->first;
    int64_t all = 0, done = 0;
    if (snapshot->told == NULL || !snapshot->format->in_pieces)
        return snapshot->format->read(snapshot, part, first, count, values, seen, error);
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f)
        all += values[f] ? (int64_t)row_bytes(particles, f) : 0;
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        for (int64_t k = 0; values[f] && k < count; k += PIECE) {
            const int64_t n = count - k < PIECE ? count - k : PIECE;
            const int64_t row = (int64_t)row_bytes(particles, f);
            void *one[SNAPSHOT_FIELDS] = {NULL};
            one[f] = (char *)values[f] + k * row;
            if (!snapshot->format->read(snapshot, part, first + k, n, one, seen, error))
                return false;
            done += n * row;
            snapshot->told(before * all + done, particles->n * all);
        }
    }
    return true;
}

/* Whether all rows were seen while they were read, and can be used; places are enclosed by
 * the way. */
static bool was_good(enum snapshot_field field, const struct io_seen *seen, int64_t count,
                     struct snapshot_particles *particles) {
    struct snapshot_particles these;
    if (seen->rows != count || seen->odd ||
        (field == SNAPSHOT_MASSES && !(seen->low[0] > 0)))
        return false;
    memcpy(these.low, seen->low, sizeof these.low);
    memcpy(these.high, seen->high, sizeof these.high);
    if (field == SNAPSHOT_COORDINATES)
        snapshot_enclose(particles, &these);
    return true;
}

/* The part of the slice that lies in one part, into its place in the arrays. */
static bool read_from_part(const struct snapshot *snapshot,
                           const struct snapshot_part *part,
                           struct snapshot_particles *particles, bool raw,
                           struct io_seen *ids, struct io_error *error) {
    const int64_t end = particles->first + particles->n,
                  part_end = part->first + part->count;
    const int64_t from = particles->first > part->first ? particles->first : part->first;
    const int64_t count = (end < part_end ? end : part_end) - from;
    if (count <= 0)
        return true;

    void *values[SNAPSHOT_FIELDS] = {NULL};
    struct io_seen seen[SNAPSHOT_FIELDS];
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        seen[f] = io_seen_none();
        if (particles->field[f] != NULL && snapshot->info.bytes[f] != 0)
            values[f] = (char *)particles->field[f] +
                        (size_t)(from - particles->first) * row_bytes(particles, f);
    }
    if (!read_rows(snapshot, part, from - part->first, count, values, particles, seen,
                   error))
        return false;
    io_seen_join(ids, &seen[SNAPSHOT_IDS]);

    if (raw)
        return true;
    void *velocities = values[SNAPSHOT_VELOCITIES];
    if (velocities != NULL && snapshot->velocity_factor != 1) {
        io_scale(snapshot->threads, velocities, particles->bytes[SNAPSHOT_VELOCITIES],
                 3 * count, snapshot->velocity_factor);
        seen[SNAPSHOT_VELOCITIES] = io_seen_none();
    }
    for (enum snapshot_field f = 0; f < SNAPSHOT_IDS; ++f) {
        if (values[f] != NULL && !was_good(f, &seen[f], count, particles) &&
            !snapshot_check_numbers(snapshot->threads, part->path, snapshot->type, f,
                                    values[f], from, count, particles, error))
            return false;
    }
    return true;
}

static void put_index(void *context, int64_t begin, int64_t end, int part) {
    const struct snapshot_particles *particles = context;
    int64_t *ids = particles->field[SNAPSHOT_IDS];
    (void)part;
    for (int64_t i = begin; i < end; ++i)
        ids[i] = particles->first + i;
}

static void take_index(int threads, struct snapshot_particles *particles) {
    crew_run(threads, particles->n, put_index, particles);
    particles->ids_from = SNAPSHOT_IDS_INDEX;
}

/* That of ids of which it was not seen while they were read. */
static void find_range(int threads, const struct snapshot_particles *particles,
                       struct io_seen *ids) {
    if (ids->rows == particles->n)
        return;
    *ids = io_seen_none();
    ids->rows = particles->n;
    io_range(threads, particles->field[SNAPSHOT_IDS], particles->n, &ids->smallest,
             &ids->largest);
}

static int64_t first_negative(const int64_t *values) {
    int64_t i = 0;
    while (values[i] >= 0)
        ++i;
    return i;
}

/* Puts the index in the place of ids that are missing or too large. */
static void settle_ids(const struct snapshot *snapshot,
                       struct snapshot_particles *particles, struct io_seen *seen) {
    if (particles->field[SNAPSHOT_IDS] == NULL)
        return;
    if (snapshot->info.bytes[SNAPSHOT_IDS] == 0) {
        snprintf(particles->ids_note, sizeof particles->ids_note, "there are none");
        take_index(snapshot->threads, particles);
        return;
    }
    find_range(snapshot->threads, particles, seen);
    if (seen->smallest < 0) {
        const int64_t large = first_negative(particles->field[SNAPSHOT_IDS]);
        snprintf(particles->ids_note, sizeof particles->ids_note,
                 "the id of particle %lld is not below 2^63",
                 (long long)(particles->first + large));
        take_index(snapshot->threads, particles);
    }
}

static bool read_slice(const struct snapshot *snapshot, int64_t first, int64_t count,
                       unsigned fields, bool raw, struct snapshot_particles *particles,
                       struct io_seen *ids, struct io_error *error) {
    *ids = io_seen_none();
    *particles = (struct snapshot_particles){
        .first = first, .n = count, .mass = snapshot->info.mass};
    const int64_t n = snapshot->info.n;
    snapshot_enclose_nothing(particles);
    if (first < 0 || count < 0 || first > n || count > n - first)
        return io_fail(error, "%lld particles from %lld on are not among the %lld of %s",
                       (long long)count, (long long)first, (long long)n,
                       snapshot->parts[0].path);

    bool done = allocate(snapshot, fields, particles, error);
    for (int k = 0; done && k < snapshot->info.n_parts; ++k) {
        done = read_from_part(snapshot, &snapshot->parts[k], particles, raw, ids, error);
        if (snapshot->told && !snapshot->format->in_pieces)
            snapshot->told(k + 1, snapshot->info.n_parts);
    }
    if (!done)
        snapshot_free(particles);
    return done;
}

bool snapshot_read_raw(const struct snapshot *snapshot, int64_t first, int64_t count,
                       unsigned fields, struct snapshot_particles *particles,
                       struct io_error *error) {
    struct io_seen ids;
    return read_slice(snapshot, first, count, fields, true, particles, &ids, error);
}

static bool read_settled(const struct snapshot *snapshot, int64_t first, int64_t count,
                         unsigned fields, struct snapshot_particles *particles,
                         struct io_seen *ids, struct io_error *error) {
    if (!read_slice(snapshot, first, count, fields, false, particles, ids, error))
        return false;
    settle_ids(snapshot, particles, ids);
    return true;
}

bool snapshot_read_slice(struct snapshot *snapshot, int64_t first, int64_t count,
                         unsigned fields, struct snapshot_particles *particles,
                         struct io_error *error) {
    struct io_seen ids;
    return read_settled(snapshot, first, count, fields, particles, &ids, error);
}

bool snapshot_read(struct snapshot *snapshot, unsigned fields,
                   struct snapshot_particles *particles, struct io_error *error) {
    struct io_seen ids;
    if (!read_settled(snapshot, 0, snapshot->info.n, fields, particles, &ids, error))
        return false;
    if (particles->field[SNAPSHOT_IDS] == NULL || particles->ids_from == SNAPSHOT_IDS_INDEX)
        return true;

    enum io_ids_verdict verdict;
    int64_t example;
    if (!io_ids_judge_within(particles->field[SNAPSHOT_IDS], particles->n,
                             snapshot->threads, ids.smallest, ids.largest, &verdict,
                             &example, error)) {
        snapshot_free(particles);
        return false;
    }
    if (verdict != IO_IDS_GOOD) {
        snprintf(particles->ids_note, sizeof particles->ids_note,
                 "the id %lld is there more than once", (long long)example);
        take_index(snapshot->threads, particles);
    }
    return true;
}
