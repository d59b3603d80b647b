#include "periods.h"
#include "periods.kernel.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/transform.h"

WEFT_GENERATOR(periods_part, u64, (value, i64, stride), (value, i32, wide),
               (value, f64, box), (in, u32, words, 0))
WEFT_KERNEL(periods_move, (value, periods_frame, frame), (bundle, points_coordinates, at),
            (out, f64, place, 3 * n))

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

/* The middle of the longest stretch of parts that are empty, around the period: in [0, 1],
 * 0 where it meets the period's end; -1: none is wider than the gap, by a part at least. */
static f64 middle_of(u64 parts, f64 gap, f64 box) {
    int longest = 1 + (int)fmin(ceil(gap / box * PERIODS_PARTS), PERIODS_PARTS);
    f64 middle = -1;
    for (int first = 0; parts && first < PERIODS_PARTS; first++) {
        int n = 0;
        while (!has(parts, first + n))
            n++;
        if (n <= longest)
            continue;
        longest = n;
        middle = first == 0 || first + n >= PERIODS_PARTS
                     ? 0
                     : (first + n / 2.0) / PERIODS_PARTS;
    }
    return middle;
}

/* Coordinates that begin at a place of each period. */
static points_words move(weft_device *device, const points_words *words, i64 count,
                         const periods_frame *frame) {
    const weft_array place = weft_scratch(device, WEFT_F64, 3 * count);
    weft_array axis[3];
    weft_for_each(device, count, periods_move, .frame = *frame, .at = *words,
                  .place = place);
    for (int k = 0; k < 3; k++)
        axis[k] = weft_as(device, weft_slice(device, place, k, 3 * count - k), WEFT_U32);
    return (points_words){axis[0], axis[1], axis[2], 3, 1};
}

void periods_open(weft_device *device, const char *what, points_words *words, i64 count,
                  f64 gap, f64 box[3], points_box *bounds) {
    const weft_array axis[3] = {words->x, words->y, words->z};
    const i64 every = count / SOME + 1;
    periods_frame frame = {{box[0], box[1], box[2]}, {0, 0, 0}};
    int moves = 0;
    for (int k = 0; k < 3; k++) {
        if (!(box[k] > 0))
            continue;
        f64 middle =
            middle_of(parts_of(device, words, axis[k], count, every, box[k]), gap, box[k]);
        if (middle >= 0)
            middle =
                middle_of(parts_of(device, words, axis[k], count, 1, box[k]), gap, box[k]);
        frame.from[k] = middle > 0 ? middle * box[k] : 0;
        moves |= middle > 0;
    }
    if (moves && weft_check(device) == WEFT_OK) {
        *words = move(device, words, count, &frame);
        *bounds = points_bounds(device, what, words, count);
    }
    for (int k = 0; k < 3; k++)
        if (box[k] - (bounds->high[k] - bounds->low[k]) >= gap)
            box[k] = 0;
}
