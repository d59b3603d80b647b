/* usage: subhalos-snapshots BACKEND SNAPSHOT [EVERY]
 * The subhalos of a real snapshot, against the definition, to the last particle: of one
 * halo in three, or in EVERY. */
#include "subhalos_define.h"

#include "io/snapshot.h"

#include <stdlib.h>
#include <string.h>
#include <weft/fof.h>

static const char *path;
static i64 every = 3;

static f64 number(const void *values, int bytes, i64 k) {
    return bytes == 4 ? (f64)((const f32 *)values)[k] : ((const f64 *)values)[k];
}

static void find_halos(scene *s) {
    const weft_array at = test_array(WEFT_F64, s->x, 3 * s->n);
    const weft_points points = weft_points_interleaved(device, at);
    const weft_array label = weft_array_new(device, WEFT_U32, s->n);
    const weft_fof_options fof = {.linking_length = 0.2 * 1.1489,
                                  .box = {s->box[0], s->box[1], s->box[2]}};
    weft_fof(device, &points, &fof, label);
    weft_read(device, label, s->label);
    test_ok();
    for (i64 i = 0; i < s->n && !test_is_whole(); i++)
        s->label[i] = s->label[i] % every == 0 ? s->label[i] : UINT32_MAX;
    weft_array_free(device, at), weft_array_free(device, label);
}

static scene load(void) {
    struct io_error error;
    struct snapshot_particles p;
    struct snapshot *snapshot = snapshot_open(path, &error);
    ck_assert_msg(snapshot && snapshot_read(snapshot, SNAPSHOT_ALL, &p, &error), "%s",
                  error.text);
    scene s = scene_new(p.n);
    for (i64 k = 0; k < 3 * s.n; k++) {
        s.x[k] = number(p.field[SNAPSHOT_COORDINATES], p.bytes[SNAPSHOT_COORDINATES], k);
        s.v[k] = number(p.field[SNAPSHOT_VELOCITIES], p.bytes[SNAPSHOT_VELOCITIES], k);
    }
    memcpy(s.id, p.field[SNAPSHOT_IDS], (size_t)s.n * sizeof *s.id);
    memcpy(s.box, snapshot_info(snapshot)->box, sizeof s.box);
    s.particle_mass = 6.03;                             /* 1e10 Msun */
    s.o = (weft_subhalos_options){.gravity = 43.009175, /* (km/s)^2 Mpc / 1e10 Msun */
                                  .hubble = 68,
                                  .softening = 0.046};
    snapshot_free(&p);
    snapshot_close(snapshot);
    find_halos(&s);
    return s;
}

START_TEST(snapshot) {
    scene s = load();
    belonging *found = malloc((size_t)s.n * sizeof *found);
    scene_find(&s, found);
    ck_assert_int_gt(scene_nested(&s, found), 500);
    scene_compare(&s);
    free(found);
    scene_free(&s);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {snapshot};
    path = argv[2];
    if (argc > 3)
        every = atoi(argv[3]);
    return test_main(argc, argv, "subhalos_snapshots", tests, 1);
}
