#include "mixture.h"
#include "format.h"
#include "ids.h"
#include "io/files/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mixture {
    int n;
    struct snapshot *member[SNAPSHOT_TYPES]; /* of each type */
    struct snapshot_info info;
};

static const struct snapshot_info *of_member(const struct mixture *m, int k) {
    return &m->member[k]->info;
}

bool mixture_go_together(const struct snapshot_info *a, const struct snapshot_info *b,
                         const char *path, const char *what_a, const char *what_b,
                         struct io_error *error) {
    const bool mass_a = strcmp(a->mass_unit, "1") != 0,
               mass_b = strcmp(b->mass_unit, "1") != 0;
    if (mass_a != mass_b)
        return io_fail(error, "%s: %s have masses, %s have none", path,
                       mass_a ? what_a : what_b, mass_a ? what_b : what_a);
    const bool lengths = strcmp(a->length_unit, b->length_unit) != 0;
    return (!lengths && strcmp(a->mass_unit, b->mass_unit) == 0) ||
           io_fail(error, "%s: %s of %s are in units of '%s', of %s of '%s'", path,
                   lengths ? "lengths" : "masses", what_a,
                   lengths ? a->length_unit : a->mass_unit, what_b,
                   lengths ? b->length_unit : b->mass_unit);
}

/* What two types with particles must share. */
static bool go_together(const struct snapshot *a, const struct snapshot *b,
                        struct io_error *error) {
    const char *path = a->parts[0].path;
    char what[2][32];
    snprintf(what[0], sizeof what[0], "particles of type %d", a->type);
    snprintf(what[1], sizeof what[1], "those of type %d", b->type);
    const bool has = a->info.bytes[SNAPSHOT_VELOCITIES] != 0;
    if (has != (b->info.bytes[SNAPSHOT_VELOCITIES] != 0))
        return io_fail(error,
                       "%s: particles of type %d have velocities, those of type %d "
                       "have none",
                       path, has ? a->type : b->type, has ? b->type : a->type);
    return mixture_go_together(&a->info, &b->info, path, what[0], what[1], error);
}

/* Widths and masses of all, from those of one more type. */
static void widen(struct snapshot_info *all, const struct snapshot_info *more) {
    const int own = all->bytes[SNAPSHOT_MASSES], other = more->bytes[SNAPSHOT_MASSES];
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f)
        all->bytes[f] = more->bytes[f] > all->bytes[f] ? more->bytes[f] : all->bytes[f];
    /* a mass of the table is f64 */
    if ((own == 0) != (other == 0) || (own == 0 && all->mass != more->mass))
        all->bytes[SNAPSHOT_MASSES] = 8;
}

static bool join(struct mixture *m, struct io_error *error) {
    struct snapshot *first = m->member[0];
    bool have_ids = true;
    m->info = first->info;
    for (int k = 0; k < m->n; ++k) {
        const struct snapshot_info *info = of_member(m, k);
        have_ids = have_ids && (info->n == 0 || info->bytes[SNAPSHOT_IDS] != 0);
        for (int part = 0; k > 0 && part < m->member[k]->n_sources; ++part) {
            if (!snapshot_add_source(first, m->member[k]->sources[part], error))
                return false;
        }
        if (k == 0 || info->n == 0)
            continue;
        if (m->info.n == 0) {
            m->info = *info;
            first = m->member[k];
            continue;
        }
        if (!go_together(first, m->member[k], error))
            return false;
        widen(&m->info, info);
        m->info.n += info->n;
    }
    if (!have_ids)
        m->info.bytes[SNAPSHOT_IDS] = 0;
    return true;
}

struct mixture *mixture_open(const char *path, int n, const int *types, unsigned fields,
                             struct io_error *error) {
    struct mixture *m = io_allocate(1, sizeof *m, "a snapshot", error);
    bool done = m != NULL;
    if (done)
        *m = (struct mixture){.n = 0};
    for (int k = 0; done && k < n; ++k) {
        m->member[k] = snapshot_open_type(path, types[k], fields, error);
        done = m->member[k] != NULL;
        m->n += done;
    }
    if (done && join(m, error))
        return m;
    mixture_close(m);
    return NULL;
}

void mixture_close(struct mixture *m) {
    for (int k = 0; m && k < m->n; ++k)
        snapshot_close(m->member[k]);
    free(m);
}

const struct snapshot_info *mixture_info(const struct mixture *m) {
    return &m->info;
}

const struct snapshot *mixture_files(const struct mixture *m) {
    return m->member[0];
}

void mixture_set_threads(struct mixture *m, int threads) {
    for (int k = 0; k < m->n; ++k)
        snapshot_set_threads(m->member[k], threads);
}

void mixture_tell(struct mixture *m, void (*told)(int64_t done, int64_t total)) {
    for (int k = 0; k < m->n; ++k)
        snapshot_tell(m->member[k], told);
}

bool mixture_has_one_mass(const struct mixture *m, double *mass) {
    return m->n == 1 && snapshot_has_one_mass(m->member[0], mass);
}

/* Numbers [at, at + n) of all from those of one type, which may be narrower; NULL: each is
 * `value`. */
static void put(void *all, int bytes, int64_t at, const void *from, int from_bytes,
                double value, int64_t n) {
    if (from && from_bytes == bytes) {
        memcpy((char *)all + at * bytes, from, (size_t)(n * bytes));
        return;
    }
    for (int64_t k = 0; k < n; ++k)
        ((double *)all)[at + k] = from ? io_value(from, from_bytes, k) : value;
}

/* Adds the numbers of one type from row `at` on. */
static void add(struct snapshot_particles *all, int64_t at,
                const struct snapshot_particles *some) {
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        const int components = snapshot_components(f);
        if (all->field[f])
            put(all->field[f], all->bytes[f], at * components, some->field[f],
                some->bytes[f], some->mass, some->n * components);
    }
    snapshot_enclose(all, some);
    if (some->ids_from == SNAPSHOT_IDS_INDEX && some->n > 0) {
        all->ids_from = SNAPSHOT_IDS_INDEX;
        memcpy(all->ids_note, some->ids_note, sizeof all->ids_note);
    }
}

static bool allocate(const struct mixture *m, unsigned fields,
                     struct snapshot_particles *all, struct io_error *error) {
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        all->bytes[f] = (fields & 1u << f) == 0 ? 0
                        : f == SNAPSHOT_IDS     ? 8
                                                : m->info.bytes[f];
        if (all->bytes[f] == 0)
            continue;
        all->field[f] =
            io_allocate(all->n, (size_t)(snapshot_components(f) * all->bytes[f]),
                        "the particles", error);
        if (all->field[f] == NULL)
            return false;
    }
    return true;
}

/* Where one type has no ids, or one that is too large, none has. */
static void settle_ids(struct snapshot_particles *all) {
    int64_t *ids = all->field[SNAPSHOT_IDS];
    for (int64_t i = 0; ids && all->ids_from == SNAPSHOT_IDS_INDEX && i < all->n; ++i)
        ids[i] = all->first + i;
}

bool mixture_read_slice(struct mixture *m, int64_t first, int64_t count, unsigned fields,
                        struct snapshot_particles *all, struct io_error *error) {
    if (m->n == 1)
        return snapshot_read_slice(m->member[0], first, count, fields, all, error);
    *all = (struct snapshot_particles){.first = first, .n = count, .mass = m->info.mass};
    snapshot_enclose_nothing(all);
    bool done = allocate(m, fields, all, error);
    int64_t begin = 0;
    for (int k = 0; done && k < m->n; ++k) {
        const int64_t end = begin + of_member(m, k)->n;
        const int64_t from = first > begin ? first : begin,
                      to = first + count < end ? first + count : end;
        struct snapshot_particles some;
        if (from < to) {
            done = snapshot_read_slice(m->member[k], from - begin, to - from, fields, &some,
                                       error);
            if (done) {
                add(all, from - first, &some);
                snapshot_free(&some);
            }
        }
        begin = end;
    }
    if (done)
        settle_ids(all);
    else
        snapshot_free(all);
    return done;
}

bool mixture_read(struct mixture *m, unsigned fields, struct snapshot_particles *all,
                  struct io_error *error) {
    enum io_ids_verdict verdict = IO_IDS_GOOD;
    int64_t example;
    if (m->n == 1)
        return snapshot_read(m->member[0], fields, all, error);
    if (!mixture_read_slice(m, 0, m->info.n, fields, all, error))
        return false;
    if (all->field[SNAPSHOT_IDS] && all->ids_from == SNAPSHOT_IDS_FILE &&
        !io_ids_judge(all->field[SNAPSHOT_IDS], all->n, m->member[0]->threads, &verdict,
                      &example, error)) {
        snapshot_free(all);
        return false;
    }
    if (verdict != IO_IDS_GOOD) {
        all->ids_from = SNAPSHOT_IDS_INDEX;
        snprintf(all->ids_note, sizeof all->ids_note, "the id %lld is there more than once",
                 (long long)example);
        settle_ids(all);
    }
    return true;
}
