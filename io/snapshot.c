#include "io/assumed/assumed.h"
#include "io/crew/crew.h"
#include "format.h"
#include "ids.h"
#include "io/files/numbers.h"
#include "io/files/path.h"
#include "io/files/standard.h"
#include "parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct snapshot_format *const formats[] = {
    &snapshot_genericio, &snapshot_gadget, &snapshot_hdf5, &snapshot_table};

static const struct snapshot_format *recognise(const char *path, struct io_error *error) {
    unsigned char head[SNAPSHOT_HEAD] = {0};
    FILE *file = standard_stream(path);
    const bool opened = file != NULL;
    if (opened) {
        const size_t length = fread(head, 1, sizeof head, file);
        const bool failed = length < sizeof head && ferror(file) != 0;
        fclose(file);
        if (!failed) {
            for (size_t k = 0; k < sizeof formats / sizeof *formats; ++k) {
                if (formats[k]->recognise(path, head))
                    return formats[k];
            }
            io_fail(error,
                    length == 0 ? "%s is empty"
                                : "%s is not an HDF5 snapshot, nor of another format that "
                                  "is read",
                    path);
            return NULL;
        }
    }
    io_fail_read(error, path);
    return NULL;
}

static struct snapshot *inspect(const char *path, int type, unsigned fields,
                                struct io_error *error) {
    char *first = io_parts_resolve(path, error);
    const struct snapshot_format *format = first == NULL ? NULL : recognise(first, error);
    struct snapshot *snapshot =
        format == NULL ? NULL : io_allocate(1, sizeof *snapshot, "a snapshot", error);
    if (snapshot != NULL) {
        *snapshot = (struct snapshot){.format = format,
                                      .type = type,
                                      .fields = fields,
                                      .velocity_factor = 1,
                                      .length.cgs = NAN,
                                      .mass.cgs = NAN};
        const bool known = type == 1 || (type >= 0 && type < format->types);
        if (!known)
            io_fail(error, "%s: files of this format have no particles of type %d", first,
                    type);
        if (!known || !format->open(snapshot, first, error) ||
            !assumed_fill_in(snapshot, error)) {
            snapshot_close(snapshot);
            snapshot = NULL;
        }
    }
    free(first);
    return snapshot;
}

struct snapshot *snapshot_inspect(const char *path, struct io_error *error) {
    return inspect(path, 1, SNAPSHOT_ALL, error);
}

static bool verify_all;

void snapshot_verify_all(void) {
    verify_all = true;
}

bool snapshot_verifies_all(void) {
    return verify_all;
}

static bool verify(struct snapshot *snapshot, struct io_error *error) {
    struct snapshot_contents contents;
    const bool done = snapshot_list(snapshot, &contents, error);
    if (done)
        free(contents.arrays);
    return done;
}

struct snapshot *snapshot_open_type(const char *path, int type, unsigned fields,
                                    struct io_error *error) {
    struct snapshot *snapshot = inspect(path, type, fields, error);
    if (snapshot != NULL && verify_all && !verify(snapshot, error)) {
        snapshot_close(snapshot);
        return NULL;
    }
    if (snapshot == NULL || snapshot->info.bytes[SNAPSHOT_COORDINATES] != 0)
        return snapshot;
    io_fail(error, "%s holds no positions in three dimensions", snapshot->parts[0].path);
    snapshot_close(snapshot);
    return NULL;
}

struct snapshot *snapshot_open(const char *path, struct io_error *error) {
    return snapshot_open_type(path, 1, SNAPSHOT_ALL, error);
}

void snapshot_set_threads(struct snapshot *snapshot, int threads) {
    snapshot->threads = threads;
}

void snapshot_tell(struct snapshot *snapshot, void (*told)(int64_t done, int64_t total)) {
    snapshot->told = told;
}

const struct snapshot_info *snapshot_info(const struct snapshot *snapshot) {
    return &snapshot->info;
}

const char *snapshot_part(const struct snapshot *snapshot, int part) {
    return snapshot->parts[part].path;
}

bool snapshot_has_part(const struct snapshot *snapshot, const char *path) {
    for (int k = 0; k < snapshot->info.n_parts; ++k) {
        if (io_same_file(snapshot->parts[k].path, path))
            return true;
    }
    for (int k = 0; k < snapshot->n_sources; ++k) {
        if (io_same_file(snapshot->sources[k], path))
            return true;
    }
    return false;
}

void snapshot_close(struct snapshot *snapshot) {
    if (snapshot == NULL)
        return;
    for (int k = 0; k < snapshot->info.n_parts; ++k)
        free(snapshot->parts[k].path);
    for (int k = 0; k < snapshot->n_sources; ++k)
        free(snapshot->sources[k]);
    free(snapshot->parts);
    free(snapshot->sources);
    free(snapshot->others);
    free(snapshot);
}

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

bool snapshot_list(struct snapshot *snapshot, struct snapshot_contents *contents,
                   struct io_error *error) {
    *contents = (struct snapshot_contents){0};
    if (snapshot->format->list(snapshot, contents, error))
        return true;
    free(contents->arrays);
    *contents = (struct snapshot_contents){0};
    return false;
}
