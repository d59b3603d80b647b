#include "sheet_scene.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>

f64 scene_uniform(u64 *seed) {
    return (f64)(test_random(seed) >> 40) * 0x1p-24;
}

sheet scene_sheet(i64 n0, i64 n1, i64 n2, f64 box) {
    sheet s = {.lattice = {.n = {n0, n1, n2}, .box = {box, box, box}},
               .sites = n0 * n1 * n2};
    s.x = malloc((size_t)s.sites * 3 * sizeof *s.x);
    for (i64 i = 0; i < s.sites; i++) {
        s.x[3 * i] = (f64)(i / (n1 * n2)) * box / (f64)n0;
        s.x[3 * i + 1] = (f64)(i / n2 % n1) * box / (f64)n1;
        s.x[3 * i + 2] = (f64)(i % n2) * box / (f64)n2;
    }
    return s;
}

void scene_scatter(sheet *s, f64 n, u64 seed) {
    for (i64 k = 0; k < 3 * s->sites; k++) {
        const f64 box = s->lattice.box[k % 3];
        const f64 x = s->x[k] + (scene_uniform(&seed) - 0.5) * box * n / 8;
        s->x[k] = floor((x - box * floor(x / box)) * 1024) / 1024;
    }
}

i64 scene_site(i64 side, int corner) {
    return ((corner >> 2) * side + (corner >> 1 & 1)) * side + (corner & 1);
}

scene_shape scene_shape_of(int kind, int turn, u64 *seed) {
    scene_shape s = {.kind = kind, .turn = turn, .thin = turn % 30};
    for (int k = 0; k < 3; k++) {
        s.from[k] = 2 + 2 * scene_uniform(seed);
        s.along[k] = 3 * scene_uniform(seed);
        s.across[k] = 2 * scene_uniform(seed) - 1;
        s.normal[k] = scene_uniform(seed) - 0.5;
    }
    return s;
}

/* Some 2^-n. */
static f64 small(u64 *seed, int n) {
    return ldexp(scene_uniform(seed) - 0.5, -n);
}

static f64 coordinate(const scene_shape *s, int k, f64 t, f64 u, f64 v, u64 *seed) {
    const f64 any = s->from[k] + 3 * scene_uniform(seed);
    const int whole = (int)(test_random(seed) & 1);
    switch (s->kind) {
    case 1:
        return whole ? floor(any) : any;
    case 2:
        return floor(any);
    case 3:
        return s->from[k] + t * s->along[k];
    case 6:
        return s->turn % 2 ? s->from[k] : floor(s->from[k]);
    case 8:
        return floor(2 * any) / 2;
    case 9:
        return s->from[k] + (t < 0.5 ? 0 : s->along[k]);
    case 10:
        return s->from[k] + t * s->along[k] + u * s->across[k] +
               ldexp(v, -s->thin) * s->normal[k];
    case 11:
        return s->from[k] + t * s->along[k] + small(seed, 40 - s->thin);
    case 12:
        return floor(s->from[k]) + whole + small(seed, s->thin);
    case 13:
        return whole ? floor(any) + small(seed, 20 + s->thin) : any;
    case 14:
        return floor(any) + s->from[k] / 4 * 0x1p-28 + small(seed, 40);
    default:
        return any;
    }
}

void scene_place(const scene_shape *s, u64 *seed, f64 *x) {
    const int a = s->turn % 3, b = (a + 1) % 3, c = (a + 2) % 3;
    const f64 t = scene_uniform(seed), u = scene_uniform(seed), v = scene_uniform(seed);
    for (int k = 0; k < 3; k++)
        x[k] = coordinate(s, k, t, u, v, seed);
    if (s->kind == 4)
        x[a] = x[b];
    if (s->kind == 5)
        x[a] = 4;
    if (s->kind == 7)
        x[a] = 3 + (x[b] - x[c]) / 4 + ldexp(t, -s->thin);
    for (int k = 0; k < 3; k++)
        x[k] = floor(x[k] * 0x1p48) * 0x1p-48;
}

i64 scene_units(const sheet *s, int tessellation, int large) {
    const i64 all = weft_sheet_units(&s->lattice, (weft_tessellation)tessellation);
    return large && all > (i64)1 << 50 ? (i64)1 << 50 : all;
}

i64 scene_cells(const weft_sheet_options *o) {
    const i64 *n = o->count[0] ? o->count : o->grid;
    return n[0] * n[1] * n[2];
}

i64 scene_total(const i64 *units, i64 n) {
    i64 sum = 0;
    for (i64 i = 0; i < n; i++)
        sum += units[i];
    return sum;
}

void scene_add(weft_device *on, const sheet *s, const weft_sheet_options *o,
               scene_deposit *call, i64 *units) {
    weft_lattice lattice = s->lattice;
    lattice.position = weft_array_new(on, WEFT_F64, 3 * s->sites);
    weft_write(on, lattice.position, s->x);
    const weft_array out = weft_array_new(on, WEFT_I64, scene_cells(o));
    weft_write(on, out, units);
    call(on, &lattice, o, out);
    weft_read(on, out, units);
    weft_array_free(on, out);
    weft_array_free(on, lattice.position);
    ck_assert_msg(weft_check(on) == WEFT_OK, "%s", weft_error(on));
}

weft_device *scene_serial(void) {
    weft_device *serial = weft_open("serial");
    if (weft_check(serial) == WEFT_OK)
        return serial;
    weft_close(serial);
    return weft_open(weft_backend_name(device));
}
