/* usage: example-groups SNAPSHOT GROUPS
 *
 * Centers of groups that another program found: here SWIFT's own, from examples/data.
 *   SNAPSHOT   HDF5 of SWIFT, with particle ids from 0 to n - 1
 *   GROUPS     int64, one a particle in order of ids: the smallest id in its group, or -1
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { SHOWN = 8, MIN_MEMBERS = 20 };

struct snapshot {
    int64_t n;
    double box[3], *position; /* [n][3] */
    int64_t *id;
};

static int read_array(hid_t file, const char *name, hid_t type, size_t bytes, void **out,
                      int64_t *rows) {
    hsize_t shape[2] = {0, 1};
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    if (dataset < 0)
        return 0;
    const hid_t space = H5Dget_space(dataset);
    H5Sget_simple_extent_dims(space, shape, NULL);
    *out = malloc((size_t)(shape[0] * shape[1]) * bytes + 1);
    const int good =
        *out && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *out) >= 0;
    *rows = (int64_t)shape[0];
    H5Sclose(space);
    H5Dclose(dataset);
    return good;
}

static int read_snapshot(const char *path, struct snapshot *s) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        return 0;
    int64_t ids = 0;
    const hid_t box = H5Aopen_by_name(file, "Header", "BoxSize", H5P_DEFAULT, H5P_DEFAULT);
    const int good = box >= 0 && H5Aread(box, H5T_NATIVE_DOUBLE, s->box) >= 0 &&
                     read_array(file, "PartType1/Coordinates", H5T_NATIVE_DOUBLE,
                                sizeof *s->position, (void **)&s->position, &s->n) &&
                     read_array(file, "PartType1/ParticleIDs", H5T_NATIVE_INT64,
                                sizeof *s->id, (void **)&s->id, &ids) &&
                     ids == s->n;
    if (box >= 0)
        H5Aclose(box);
    H5Fclose(file);
    return good;
}

/* A label a particle, in the order of the snapshot: what weft_halos_group takes. */
static uint32_t *read_labels(const char *path, const struct snapshot *s) {
    int64_t *tag = malloc((size_t)s->n * sizeof *tag);
    uint32_t *label = malloc((size_t)s->n * sizeof *label);
    FILE *file = fopen(path, "rb");
    int good =
        file && tag && label && fread(tag, sizeof *tag, (size_t)s->n, file) == (size_t)s->n;
    for (int64_t i = 0; good && i < s->n; i++) {
        good = s->id[i] >= 0 && s->id[i] < s->n;
        label[i] = good && tag[s->id[i]] >= 0 ? (uint32_t)tag[s->id[i]] : UINT32_MAX;
    }
    if (file)
        fclose(file);
    free(tag);
    if (good)
        return label;
    free(label);
    return NULL;
}

static void show(weft_device *device, const struct snapshot *s, const weft_halos *halos,
                 weft_array deepest, weft_array potential) {
    int64_t *tag = malloc((size_t)(halos->count + 1) * sizeof *tag);
    int64_t *offset = malloc((size_t)(halos->count + 1) * sizeof *offset);
    uint32_t *particle = malloc((size_t)(halos->count + 1) * sizeof *particle);
    double *phi = malloc((size_t)(halos->count + 1) * sizeof *phi);
    if (tag && offset && particle && phi) {
        weft_read(device, halos->tag, tag);
        weft_read(device, halos->offset, offset);
        weft_read(device, deepest, particle);
        weft_read(device, potential, phi);
    }
    if (tag && offset && particle && phi && weft_check(device) == WEFT_OK) {
        printf("%lld groups with %lld particles\n", (long long)halos->count,
               (long long)halos->members);
        for (int64_t h = 0; h < halos->count && h < SHOWN; h++) {
            const double *at = s->position + 3 * (int64_t)particle[h];
            printf("group %lld of %lld: particle %lld at %.6f %.6f %.6f, potential %.17g\n",
                   (long long)tag[h], (long long)(offset[h + 1] - offset[h]),
                   (long long)s->id[particle[h]], at[0], at[1], at[2], phi[h]);
        }
    }
    free(tag), free(offset), free(particle), free(phi);
}

static int find_centers(const struct snapshot *s, const uint32_t *labels) {
    weft_halos halos;
    weft_device *device = weft_open(NULL);
    const weft_array position = weft_borrow_const(device, WEFT_F64, s->position, 3 * s->n);
    const weft_bodies bodies = {.points = weft_points_interleaved(device, position),
                                .particle_mass = 1,
                                .box = {s->box[0], s->box[1], s->box[2]}};
    const weft_array label = weft_borrow_const(device, WEFT_U32, labels, s->n);
    const weft_array id = weft_borrow_const(device, WEFT_I64, s->id, s->n);
    weft_halos_group(device, label, id, MIN_MEMBERS, &halos);
    const weft_array particle = weft_array_new(device, WEFT_U32, halos.count);
    const weft_array potential = weft_array_new(device, WEFT_F64, halos.count);
    weft_mbp(device, &bodies, NULL, &halos, particle, potential);
    show(device, s, &halos, particle, potential);
    const weft_status status = weft_check(device);
    if (status != WEFT_OK)
        fprintf(stderr, "groups: %s\n", weft_error(device));
    weft_halos_free(device, &halos);
    weft_close(device);
    return status != WEFT_OK;
}

int main(int argc, char **argv) {
    struct snapshot s = {0};
    uint32_t *labels = NULL;
    int failed = 1;
    if (argc == 3 && read_snapshot(argv[1], &s))
        labels = read_labels(argv[2], &s);
    if (labels)
        failed = find_centers(&s, labels);
    else
        fprintf(stderr, "usage: example-groups SNAPSHOT GROUPS, which can be read\n");
    free(s.position), free(s.id), free(labels);
    return failed;
}
