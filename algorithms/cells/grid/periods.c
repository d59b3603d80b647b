#include "periods.h"
#include "periods.kernel.h"
#include "algorithms/tuning.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/transform.h"

WEFT_GENERATOR(periods_part, u64, (value, i64, stride), (value, i32, wide),
               (value, f64, box), (in, u32, words, 0))
WEFT_KERNEL(periods_split, (value, i64, n), (value, i64, block), (value, points_box, empty),
            (value, periods_places, places), (bundle, points_coordinates, at),
            (out, points_box, out))

enum { SOME = 1 << 12 };

/* Parts of a period with particles, of every so many-th of them. */
static u64 parts_of(weft_device *device, const points_words *words, weft_array axis,
                    i64 count, i64 every, f64 box) {
    u64 parts = 0;
    weft_reduce(device,
                weft_lazy((count + every - 1) / every, periods_part,
                          .stride = every * words->stride, .wide = words->wide, .box = box,
                          .words = axis),
                weft_bit_or(WEFT_U64), &parts);
    return parts;
}

static int has(u64 parts, int part) {
    return (int)(parts >> part % PERIODS_PARTS & 1);
}

/* The longest stretch of parts that are empty, around the period, and its middle, in
 * [0, 1). */
struct stretch {
    int parts; /* 0: none is wider than the gap, by a part at least */
    f64 middle;
};

static struct stretch longest_of(u64 parts, f64 gap, f64 box) {
    const int least = 1 + (int)fmin(ceil(gap / box * PERIODS_PARTS), PERIODS_PARTS);
    struct stretch longest = {0, 0};
    for (int first = 0; parts && first < PERIODS_PARTS; first++) {
        int n = 0;
        while (!has(parts, first + n))
            n++;
        if (n <= (longest.parts > 0 ? longest.parts : least))
            continue;
        longest.parts = n;
        longest.middle = fmod((first + n / 2.0) / PERIODS_PARTS, 1);
    }
    return longest;
}

/* Whether particles that lie so leave about as much empty, or more. */
static int is_left(const points_box *bounds, int axis, f64 box, struct stretch stretch) {
    const f64 empty = box - (bounds->high[axis] - bounds->low[axis]);
    return stretch.parts == 0 || empty >= stretch.parts * box / (2 * PERIODS_PARTS);
}

/* Whether some lie on each side of a place. */
static int is_between(const points_box *bounds, int axis, f64 place) {
    return bounds->low[axis] < place && place <= bounds->high[axis];
}

/* Where particles lie if periods begin at these places; `given` is where they lie. */
static points_box turned_bounds(weft_device *device, const char *what,
                                const points_words *words, i64 count, const f64 box[3],
                                const points_box *given, const f64 from[3]) {
    const i64 block = tuning_of(device)->points_block;
    points_box bounds = *given;
    if (!(from[0] > 0) && !(from[1] > 0) && !(from[2] > 0))
        return bounds;
    weft_scope_open(device);
    const weft_array part =
        weft_scratch(device, WEFT_STRUCT(points_box), (count + block - 1) / block);
    weft_for_each(device, part.length, periods_split, .n = count, .block = block,
                  .empty = points_empty(), .places = {{from[0], from[1], from[2]}},
                  .at = *words, .out = part);
    const points_box split = points_around(device, what, part, count);
    weft_scope_close(device);
    for (int k = 0; k < 3; k++) {
        if (from[k] > 0 && is_between(given, k, from[k])) {
            bounds.low[k] = split.low[k];
            bounds.high[k] = split.high[k] + box[k];
        }
    }
    return bounds;
}

/* Where every so many-th particle leaves the longest gap, which others may be in, and
 * where the period may begin, therefore; `given` is where all lie. */
static struct stretch look(weft_device *device, const points_words *words, i64 count,
                           i64 every, f64 gap, f64 box, const points_box *given, int axis,
                           f64 *from) {
    const weft_array axes[3] = {words->x, words->y, words->z};
    const u64 parts = parts_of(device, words, axes[axis], count, every, box);
    const struct stretch found = longest_of(parts, gap, box);
    *from = is_left(given, axis, box, found) ? 0 : (f64)(f32)(found.middle * box);
    return found;
}

void periods_open(weft_device *device, const char *what, const points_words *words,
                  i64 count, f64 gap, f64 box[3], points_box *bounds, f64 from[3],
                  f64 turn[3]) {
    const i64 every = count / SOME + 1;
    const points_box given = *bounds;
    struct stretch found[3] = {{0, 0}, {0, 0}, {0, 0}};
    int again = 0;
    for (int k = 0; k < 3; k++) {
        from[k] = 0;
        if (box[k] > 0)
            found[k] = look(device, words, count, every, gap, box[k], &given, k, &from[k]);
    }
    *bounds = turned_bounds(device, what, words, count, box, &given, from);
    for (int k = 0; k < 3; k++) {
        /* Some miss what few are in: then all are looked at. */
        if (box[k] > 0 && !is_left(bounds, k, box[k], found[k])) {
            look(device, words, count, 1, gap, box[k], &given, k, &from[k]);
            again = 1;
        }
    }
    if (again)
        *bounds = turned_bounds(device, what, words, count, box, &given, from);
    for (int k = 0; k < 3; k++) {
        const int opens = box[k] > 0 && box[k] - (bounds->high[k] - bounds->low[k]) >= gap;
        const int turns = opens && from[k] > 0 && is_between(&given, k, from[k]);
        turn[k] = turns ? box[k] : 0;
        from[k] = turns ? from[k] : 0;
        box[k] = opens ? 0 : box[k];
    }
}
