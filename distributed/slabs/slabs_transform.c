/* Planes are transformed where they are, or with the ranks that share them; then rows go to
 * the ranks whose they are, for the lines along the first axis, some planes of each slab at
 * a time: those of one round travel while the device is at the next ones. */
#include "pencils.h"
#include "rows.h"

#include <weft/transform.h>

struct transform {
    struct rows rows;
    weft_array real, spectrum;
    weft_array piece; /* spectra of a round's planes */
};

/* What the device was given up to now, for the queue beside it, if there is one. */
static weft_event *record(const struct rows *rows) {
    return rows->beside == rows->device ? NULL : weft_record(rows->device);
}

/* What `later` is given from now on begins after the event, which is freed. */
static void follow(const struct rows *rows, weft_device *later, weft_event *event) {
    if (rows->beside != rows->device)
        weft_wait_for(later, event);
    weft_event_free(event);
}

/* What the device is given from now on begins after what travels. */
static void rejoin(const struct rows *rows) {
    if (rows->beside != rows->device)
        follow(rows, rows->device, weft_record(rows->beside));
}

/* The real numbers of a round's planes, to or from their spectra. */
static bool transform_planes(const struct transform *t, int64_t round,
                             weft_fourier_direction direction, weft_array piece) {
    const struct slabs *slabs = t->rows.slabs;
    weft_device *device = t->rows.device;
    const struct slab planes = rows_planes(&t->rows, round);
    const int64_t *n = slabs->n, area = n[1] * n[2];
    const struct slab own = pencils_own(slabs, slabs->comm->rank, planes);
    const int64_t before = own.first - slabs_planes(slabs, slabs->comm->rank).first;
    const int64_t sides[3] = {own.count, n[1], n[2]};
    const weft_array real = weft_slice(device, t->real, before * area, own.count * area);
    if (slabs->each > 1)
        return pencils_planes(slabs, device, direction, planes, real, piece);
    weft_fourier_planes(device, sides, direction, real, piece);
    return true;
}

/* This rank's lines along the first axis. */
static void transform_lines(const struct transform *t, weft_fourier_direction direction) {
    weft_fourier_lines(t->rows.device, t->rows.slabs->n[0],
                       t->rows.own.count * t->rows.columns, direction, t->spectrum);
}

static weft_array piece_of(const struct transform *t, int64_t round) {
    return weft_slice(t->rows.device, t->piece, 0,
                      2 * rows_planes(&t->rows, round).count * t->rows.slabs->n[1] *
                          t->rows.columns);
}

static weft_array words_of(const struct transform *t, weft_array piece) {
    return weft_as(t->rows.device, piece, WEFT_U64);
}

/* A round's planes, sorted for the others. */
static bool sort_planes(struct transform *t, int64_t round) {
    const weft_array piece = piece_of(t, round);
    const bool well = transform_planes(t, round, WEFT_FOURIER_FORWARD, piece);
    rows_arrange(&t->rows, round, words_of(t, piece), false);
    return well;
}

/* And back. */
static bool unsort_planes(struct transform *t, int64_t round) {
    const weft_array piece = piece_of(t, round);
    rows_arrange(&t->rows, round, words_of(t, piece), true);
    return transform_planes(t, round, WEFT_FOURIER_INVERSE, piece);
}

static bool forward(struct transform *t) {
    struct rows *rows = &t->rows;
    const int64_t rounds = rows_rounds(rows);
    bool well = sort_planes(t, 0);
    follow(rows, rows->beside, record(rows));
    rows_lay(rows, 0, false);
    for (int64_t k = 0; k < rounds && well; ++k) {
        const bool more = k + 1 < rounds;
        well = !more || sort_planes(t, k + 1);
        weft_event *sorted = record(rows);
        well = well && rows_laid(rows, k, false);
        if (well)
            rows_take(rows, k, false);
        follow(rows, rows->beside, sorted);
        if (well && more)
            rows_lay(rows, k + 1, false);
    }
    rejoin(rows);
    if (well)
        transform_lines(t, WEFT_FOURIER_FORWARD);
    return well;
}

static bool inverse(struct transform *t) {
    struct rows *rows = &t->rows;
    const int64_t rounds = rows_rounds(rows);
    bool well = true;
    transform_lines(t, WEFT_FOURIER_INVERSE);
    follow(rows, rows->beside, record(rows));
    rows_lay(rows, 0, true);
    weft_event *before = record(rows); /* all but the planes of the last round */
    for (int64_t k = 0; k < rounds && well; ++k) {
        well = rows_laid(rows, k, true);
        follow(rows, rows->beside, before);
        before = NULL;
        if (!well)
            break;
        rows_take(rows, k, true);
        rejoin(rows);
        if (k + 1 < rounds)
            rows_lay(rows, k + 1, true);
        before = record(rows);
        well = unsort_planes(t, k);
    }
    weft_event_free(before);
    rejoin(rows);
    return well;
}

bool slabs_transform(const struct slabs *slabs, weft_device *device,
                     weft_fourier_direction direction, weft_array real,
                     weft_array spectrum) {
    struct transform t = {.real = real, .spectrum = spectrum};
    weft_scope_open(device);
    bool well = rows_begin(&t.rows, slabs, device, spectrum);
    t.piece =
        weft_scratch(device, real.type,
                     2 * rows_planes(&t.rows, 0).count * slabs->n[1] * t.rows.columns);
    if (well)
        well = direction == WEFT_FOURIER_INVERSE ? inverse(&t) : forward(&t);
    rows_end(&t.rows);
    weft_scope_close(device);
    return slabs_check(slabs->comm, device) && well;
}
