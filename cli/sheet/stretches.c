#include "stretches.h"
#include "cli/progress.h"

#include <string.h>
#include <weft/transform.h>

struct sheet_share stretch_own(const struct sheet_far *far, const struct stretch *stretch) {
    const struct sheet_share share = stretch->share, mine = far->mine;
    const int64_t end = share.first + share.count, last = mine.first + mine.count;
    const int64_t first = share.first > mine.first ? share.first : mine.first;
    return (struct sheet_share){first, (end < last ? end : last) - first};
}

/* A plane more: of the last stretch, or of a new one. */
static void take(struct sheet_far *far, int64_t plane, int64_t *to[SHEET_SUMS]) {
    struct stretch *last = far->count > 0 ? &far->stretch[far->count - 1] : NULL;
    if (last == NULL || plane != last->share.first + last->share.count) {
        last = &far->stretch[far->count++];
        *last = (struct stretch){.share = {plane, 0}};
        memcpy(last->to, to, sizeof last->to);
    }
    ++last->share.count;
    for (int k = 0; k < SHEET_SUMS; ++k)
        if (to[k])
            to[k] += sheet_plane(far->run) * far->cells->each[k];
}

void stretches_list(struct sheet_far *far, int64_t turn) {
    const struct sheet_run *run = far->run;
    int64_t *to[SHEET_SUMS];
    memcpy(to, run->slabs ? far->cells->slab : far->cells->sums, sizeof to);
    for (int owner = 0; owner < run->comm->size; ++owner) {
        const struct sheet_share share = sheet_share(run, turn, owner);
        for (int64_t p = share.first; p < share.first + share.count; ++p)
            if (!run->slabs ||
                sheet_touched(run, run->comm->rank, (struct sheet_share){p, 1}) > 0)
                take(far, p, to);
    }
    for (int64_t s = 0; s < far->count; ++s)
        far->stretch[s].own = stretch_own(far, &far->stretch[s]).count > 0;
}

void stretch_open(const struct sheet_far *far, struct stretch *stretch) {
    static const int64_t none = 0;
    weft_device *device = far->run->device;
    const int64_t n = stretch->share.count * sheet_plane(far->run);
    for (int k = 0; k < SHEET_SUMS; ++k)
        if (far->cells->each[k] && k != SHEET_OFF) {
            stretch->sums[k] = weft_array_new(device, WEFT_I64, n * far->cells->each[k]);
            weft_fill(device, stretch->sums[k], &none);
        }
}

void stretch_close(const struct sheet_far *far, struct stretch *stretch) {
    for (int k = 0; k < SHEET_SUMS; ++k) {
        weft_array_free(far->run->device, stretch->sums[k]);
        stretch->sums[k] = (weft_array){0};
    }
}

/* Cubes of layers begin .. end. */
static void deposit(struct sheet_far *far, struct stretch *stretch, int64_t begin,
                    int64_t end) {
    struct sheet_run *run = far->run;
    const int64_t *n = run->lattice.n, layer = SHEET_BLOCK * n[1] * n[2];
    weft_sheet_options options = sheet_fill_options(run, stretch->share);
    options.begin = begin * layer;
    options.end = end * layer < run->cubes ? end * layer : run->cubes;
    sheet_fill_deposit(run, &options, stretch->sums);
    weft_synchronize(run->device);
    far->done += stretch->share.count * (end - begin);
    progress_part(far->cells->done * far->layers + far->done,
                  far->cells->all * far->layers);
}

static bool is_ahead(const struct sheet_far *far, const struct stretch *stretch,
                     int64_t layer) {
    return !stretch->own || (far->run->ahead && far->run->ahead[layer]);
}

/* Some layers at a time, whole ones, since what is near planes is looked for block by
 * block. */
void stretch_fill(struct sheet_far *far, struct stretch *stretch, bool ahead) {
    const int64_t parts = SHEET_FILL_PARTS * stretch->share.count / far->cells->all + 1;
    const int64_t some = (far->layers + parts - 1) / parts;
    int64_t begin = 0;
    for (int64_t layer = 0; layer <= far->layers; ++layer) {
        const bool now = layer < far->layers && is_ahead(far, stretch, layer) == ahead;
        if (begin < layer && (!now || layer - begin == some)) {
            if (weft_check(far->run->device) == WEFT_OK)
                deposit(far, stretch, begin, layer);
            begin = layer;
        }
        if (!now)
            begin = layer + 1;
    }
}

static void read_planes(const struct sheet_far *far, const struct stretch *stretch, int sum,
                        struct sheet_share planes, int64_t *to) {
    weft_device *device = far->run->device;
    const int64_t row = sheet_plane(far->run) * far->cells->each[sum];
    const int64_t first = planes.first - stretch->share.first;
    if (planes.count > 0 && stretch->sums[sum].type)
        weft_read(device,
                  weft_slice(device, stretch->sums[sum], first * row, planes.count * row),
                  to);
}

void stretch_read_others(const struct sheet_far *far, const struct stretch *stretch) {
    const struct sheet_share all = stretch->share, own = stretch_own(far, stretch);
    const int64_t before = stretch->own ? own.first - all.first : all.count;
    const int64_t until = stretch->own ? before + own.count : all.count;
    for (int k = 0; k < SHEET_SUMS; ++k) {
        const int64_t row = sheet_plane(far->run) * far->cells->each[k];
        read_planes(far, stretch, k, (struct sheet_share){all.first, before},
                    stretch->to[k]);
        read_planes(far, stretch, k,
                    (struct sheet_share){all.first + until, all.count - until},
                    stretch->to[k] + until * row);
    }
}

void stretch_read_own(const struct sheet_far *far, const struct stretch *stretch) {
    const struct sheet_share own = stretch_own(far, stretch);
    for (int k = 0; k < SHEET_SUMS; ++k)
        read_planes(far, stretch, k, own,
                    far->cells->sums[k] + (own.first - far->mine.first) *
                                              sheet_plane(far->run) * far->cells->each[k]);
}
