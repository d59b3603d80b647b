/* usage: mbp-snapshots BACKEND SNAPSHOT...
 * The most bound particle of every halo of a real snapshot, against the definition; with
 * WEFT_TEST=all of the others, too. */
#include "mbp_scene.h"

#include "io/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/fof.h>
#include <weft/halos.h>

enum { ANY = 1 << 20 };

static char **paths;

static f64 number(const void *values, int bytes, i64 k) {
    return bytes == 4 ? (f64)((const f32 *)values)[k] : ((const f64 *)values)[k];
}

/* The halos of a snapshot, periodic or not, in the snapshot's type. */
static scene load(const char *path, int periodic) {
    struct io_error error;
    struct snapshot_particles p;
    struct snapshot *snapshot = snapshot_open(path, &error);
    ck_assert_msg(snapshot && snapshot_read(snapshot, SNAPSHOT_ALL, &p, &error), "%s",
                  error.text);
    const struct snapshot_info *info = snapshot_info(snapshot);
    const int bytes = p.bytes[SNAPSHOT_COORDINATES];
    const weft_type type = bytes == 4 ? WEFT_F32 : WEFT_F64;
    const weft_array at = test_array(type, p.field[SNAPSHOT_COORDINATES], 3 * p.n);
    const weft_array id = test_array(WEFT_I64, p.field[SNAPSHOT_IDS], p.n);
    const weft_array label = weft_array_new(device, WEFT_U32, p.n);
    const weft_points points = weft_points_interleaved(device, at);
    weft_fof_options fof = {.linking_length = 0.2 * 1.1489};
    for (int axis = 0; axis < 3; axis++)
        fof.box[axis] = periodic ? info->box[axis] : 0;
    weft_halos halos;
    weft_fof(device, &points, &fof, label);
    weft_halos_group(device, label, id, 20, &halos);
    test_ok();
    i64 *offset = malloc((size_t)(halos.count + 1) * sizeof *offset);
    u32 *member = malloc((size_t)(halos.members + 1) * sizeof *member);
    weft_read(device, halos.offset, offset);
    weft_read(device, halos.member, member);
    i64 *sizes = malloc((size_t)(halos.count + 1) * sizeof *sizes);
    for (i64 h = 0; h < halos.count; h++)
        sizes[h] = offset[h + 1] - offset[h];
    scene s = scene_new(sizes, halos.count);
    s.type = type;
    memcpy(s.box, fof.box, sizeof fof.box);
    s.particle_mass = p.field[SNAPSHOT_MASSES]
                          ? number(p.field[SNAPSHOT_MASSES], p.bytes[SNAPSHOT_MASSES], 0)
                          : p.mass;
    for (i64 k = 0; k < 3 * s.n; k++)
        s.x[k] =
            number(p.field[SNAPSHOT_COORDINATES], bytes, 3 * (i64)member[k / 3] + k % 3);
    free(offset), free(member), free(sizes);
    weft_halos_free(device, &halos);
    weft_array_free(device, at), weft_array_free(device, id);
    weft_array_free(device, label);
    snapshot_free(&p);
    snapshot_close(snapshot);
    return s;
}

START_TEST(snapshots) {
    for (char **path = paths; *path && (path == paths || test_is_whole()); path++) {
        const int is_there = access(*path, R_OK) == 0;
        if (!is_there)
            printf("skipped: there is no %s\n", *path);
        for (int k = 0; k < 2 && is_there; k++) {
            scene s = load(*path, k == 0);
            ck_assert_int_gt(s.count, 800);
            s.verify = k == 0;
            scene_compare(&s, ANY);
            s.verify = 0;
            s.options.softening = 0.04;
            scene_compare(&s, ANY);
            scene_free(&s);
        }
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {snapshots};
    paths = argv + 2;
    return test_main(argc, argv, "mbp_snapshots", tests, 1);
}
