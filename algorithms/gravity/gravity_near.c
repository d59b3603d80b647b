/* Lists of near tiles, as many at a time as there is memory for. */
#include "gravity_near.h"
#include "weft/element.h"
#include "weft/lazy.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/search.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_KERNEL(gravity_near_count, (bundle, gravity_tiles, c), (out, u32, count))
WEFT_KERNEL(gravity_near_pack, (bundle, gravity_tiles, c), (out, gravity_near_place, place))
WEFT_GENERATOR(gravity_near_wide, i64, (in, u32, count))
WEFT_KERNEL(gravity_near_write, (bundle, gravity_tiles, c), (bundle, gravity_near_turns, n),
            (out, u32, list, 0))

gravity_lists gravity_near_begin(weft_device *device, const gravity_tiles_arrays *c,
                                 weft_array words) {
    enum { LEAST = 4 }; /* words of lists for each particle, where it is scratch */
    const i64 tiles = c->most - 1, least = LEAST * c->order.length;
    const i64 room = least > tiles ? least : tiles;
    const u32 zero = 0, one = 1;
    const i64 none = 0;
    gravity_lists near = {.c = *c, .tiles = tiles};
    near.n.place =
        gravity_take(device, &words, WEFT_STRUCT(gravity_near_place), tiles * GRAVITY_TILE);
    weft_for_each(device, tiles * GRAVITY_TILE, gravity_near_pack, .c = *c,
                  .place = near.n.place);
    near.n.turn = weft_scratch(device, WEFT_U32, tiles);
    near.n.start = weft_scratch(device, WEFT_I64, tiles + 1);
    weft_scope_open(device);
    const weft_array count = weft_scratch(device, WEFT_U32, tiles);
    weft_for_each(device, tiles, gravity_near_count, .c = *c, .count = count);
    weft_sequence(device, near.n.turn, &zero, &one);
    weft_sort_by_key(device, count, near.n.turn, WEFT_DESCENDING);
    weft_fill(device, weft_slice(device, near.n.start, 0, 1), &none);
    weft_scan(device, weft_lazy(tiles, gravity_near_wide, .count = count),
              weft_plus(WEFT_I64), 0, weft_slice(device, near.n.start, 1, tiles));
    weft_scope_close(device);
    weft_get(device, near.n.start, tiles, &near.all);
    if (words.length < room && weft_check(device) == WEFT_OK)
        words = weft_scratch(device, WEFT_U32, near.all < room ? near.all : room);
    near.list = words;
    return near;
}

/* How many turns' lists, from n.first on, there is room for. */
static i64 that_fit(weft_device *device, const gravity_lists *near) {
    i64 before = 0, upto = near->tiles;
    if (near->n.first > 0)
        weft_get(device, near->n.start, near->n.first, &before);
    if (near->all - before > near->list.length) {
        const i64 most = before + near->list.length;
        const weft_array query = weft_constant(1, most);
        weft_scope_open(device);
        const weft_array found = weft_scratch(device, WEFT_I64, 1);
        weft_upper_bound(device, near->n.start, query, found);
        weft_get(device, found, 0, &upto);
        weft_scope_close(device);
        upto--;
    }
    return upto - near->n.first;
}

int gravity_near_next(weft_device *device, gravity_lists *near) {
    near->n.first += near->turns;
    near->turns = 0;
    if (near->n.first == near->tiles || weft_check(device) != WEFT_OK)
        return 0;
    near->turns = that_fit(device, near);
    weft_for_each(device, near->turns, gravity_near_write, .c = near->c, .n = near->n,
                  .list = near->list);
    return weft_check(device) == WEFT_OK;
}
