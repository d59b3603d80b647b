/* Lists of near tiles, as many at a time as there is memory for. */
#include "gravity_near.h"
#include "gravity_round.kernel.h"
#include "weft/element.h"
#include "weft/lazy.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/search.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_KERNEL(gravity_near_pack, (bundle, gravity_tiles, c), (out, gravity_near_box, quarter),
            (out, gravity_near_place, place, 0))
WEFT_KERNEL(gravity_near_tile, (bundle, gravity_tiles, c), (out, gravity_near_box, tile))
WEFT_KERNEL(gravity_round_count, (bundle, gravity_tiles, c),
            (bundle, gravity_near_boxes, boxes), (value, i64, tiles), (out, u32, count))
WEFT_GENERATOR(gravity_round_wide, i64, (in, u32, count))
WEFT_KERNEL(gravity_round_write, (bundle, gravity_tiles, c),
            (bundle, gravity_near_boxes, boxes), (bundle, gravity_near_turns, n),
            (value, i64, tiles), (out, u32, list, 0), (out, u32, part))
WEFT_GENERATOR(gravity_round_length, u32, (value, i64, tiles), (value, i32, planes),
               (in, u32, part, 0))

int gravity_near_pays(weft_device *device, const gravity_tiles_arrays *c) {
    return weft_device_style(device) == WEFT_SIMT && c->most <= gravity_near_number;
}

/* Tiles and their quarters, as lists are made and met from. */
static void pack(weft_device *device, gravity_lists *near, weft_array *words) {
    const i64 tiles = near->tiles, quarters = tiles * GRAVITY_QUARTERS;
    near->n.place =
        gravity_take(device, words, WEFT_STRUCT(gravity_near_place), tiles * GRAVITY_TILE);
    near->boxes.quarter =
        gravity_take(device, words, WEFT_STRUCT(gravity_near_box), quarters);
    near->boxes.tile = gravity_take(device, words, WEFT_STRUCT(gravity_near_box), tiles);
    weft_for_each(device, quarters, gravity_near_pack, .c = near->c,
                  .quarter = near->boxes.quarter, .place = near->n.place);
    weft_for_each(device, tiles, gravity_near_tile, .c = near->c, .tile = near->boxes.tile);
}

gravity_lists gravity_near_begin(weft_device *device, const gravity_tiles_arrays *c,
                                 weft_array words) {
    enum { LEAST = 12 }; /* words of lists for each particle, mostly all, as scratch */
    const i32 planes = gravity_round_planes(c->reach, c->bits);
    const i64 tiles = c->most - 1, least = LEAST * c->order.length, parts = tiles * planes;
    const i64 room = least > tiles ? least : tiles, none = 0;
    gravity_lists near = {.c = *c, .tiles = tiles, .n = {.planes = planes}};
    pack(device, &near, &words);
    near.n.turn = weft_scratch(device, WEFT_U32, tiles);
    near.n.length = weft_scratch(device, WEFT_U32, tiles);
    near.n.start = weft_scratch(device, WEFT_I64, parts + 1);
    weft_scope_open(device);
    const weft_array count = weft_scratch(device, WEFT_U32, parts);
    weft_for_each(device, parts, gravity_round_count, .c = *c, .boxes = near.boxes,
                  .tiles = tiles, .count = count);
    weft_fill(device, weft_slice(device, near.n.start, 0, 1), &none);
    weft_scan(device, weft_lazy(parts, gravity_round_wide, .count = count),
              weft_plus(WEFT_I64), 0, weft_slice(device, near.n.start, 1, parts));
    weft_scope_close(device);
    weft_get(device, near.n.start, parts, &near.all);
    if (words.length < room && weft_check(device) == WEFT_OK)
        words = weft_scratch(device, WEFT_U32, near.all < room ? near.all : room);
    near.list = words;
    return near;
}

/* How many tiles' lists, from n.first on, there is room for. */
static i64 that_fit(weft_device *device, const gravity_lists *near) {
    const i64 planes = near->n.planes;
    i64 before = 0, upto = near->tiles * planes;
    if (near->n.first > 0)
        weft_get(device, near->n.start, near->n.first * planes, &before);
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
    return upto / planes - near->n.first;
}

/* The lists, and turns of their tiles. */
static void write(weft_device *device, gravity_lists *near) {
    const i64 tiles = near->turns, parts = tiles * near->n.planes;
    const weft_array turn = weft_slice(device, near->n.turn, 0, tiles);
    const weft_array length = weft_slice(device, near->n.length, 0, tiles);
    const u32 first = (u32)near->n.first, one = 1;
    weft_scope_open(device);
    const weft_array part = weft_scratch(device, WEFT_U32, parts);
    weft_for_each(device, parts, gravity_round_write, .c = near->c, .boxes = near->boxes,
                  .n = near->n, .tiles = tiles, .list = near->list, .part = part);
    weft_transform(device, tiles, length, gravity_round_length, .tiles = tiles,
                   .planes = near->n.planes, .part = part);
    weft_sequence(device, turn, &first, &one);
    weft_sort_by_key(device, length, turn, WEFT_DESCENDING);
    weft_scope_close(device);
}

int gravity_near_next(weft_device *device, gravity_lists *near) {
    enum { LONGEST = 64 }; /* turns for each compute unit */
    near->n.first += near->turns;
    near->turns = 0;
    if (near->n.first == near->tiles || weft_check(device) != WEFT_OK)
        return 0;
    near->turns = that_fit(device, near);
    const i64 longest = LONGEST * weft_concurrency(device);
    near->n.longest = longest < near->turns ? longest : near->turns;
    near->items = near->n.longest * (GRAVITY_TILE / GRAVITY_FEW) +
                  (near->turns - near->n.longest) * (GRAVITY_TILE / GRAVITY_MINE);
    write(device, near);
    return weft_check(device) == WEFT_OK;
}
