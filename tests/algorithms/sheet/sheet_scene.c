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

weft_device *scene_serial(void) {
    weft_device *serial = weft_open("serial");
    if (weft_check(serial) == WEFT_OK)
        return serial;
    weft_close(serial);
    return weft_open(weft_backend_name(device));
}
