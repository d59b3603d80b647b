/* HDF5 as a format. HDF5 crashes on some damaged files, and on some it never ends, so all
 * that is done with a file is rehearsed first, but for most rows of its arrays. */
#include "io/process/rehearsal.h"
#include "elsewhere.h"
#include "snapshot.h"

enum { LONGEST_ROW = 1024 };

static bool recognise(const char *path, const unsigned char head[SNAPSHOT_HEAD]) {
    (void)head; /* the signature may come after a user block */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return H5Fis_hdf5(path) > 0;
}

void snapshot_own_process(void) {
    H5dont_atexit();
}

void snapshot_allow_external(void) {
    external_allow();
}

/* The first and the last particle of a part. */
static void try_rows(const struct snapshot *snapshot, const struct snapshot_part *part) {
    struct io_error ignored;
    double rows[SNAPSHOT_FIELDS][3], other[LONGEST_ROW];
    void *values[SNAPSHOT_FIELDS] = {NULL};
    const int64_t ends[] = {0, part->count - 1};
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f)
        values[f] = snapshot->info.bytes[f] == 0 ? NULL : rows[f];
    for (int k = 0; part->count > 0 && k < 2; ++k) {
        snapshot_hdf5_read(snapshot, part, ends[k], 1, values, NULL, &ignored);
        for (int j = 0; j < snapshot->n_others; ++j)
            snapshot_hdf5_read_other(snapshot, part, &snapshot->others[j], ends[k], 1,
                                     other, &ignored);
    }
}

/* What is opened: a file, which particles. */
struct rehearsal {
    const char *path;
    const struct snapshot *as;
};

static void rehearse(const void *what) {
    struct io_error ignored;
    const struct rehearsal *rehearsal = what;
    struct snapshot snapshot = {.type = rehearsal->as->type,
                                .fields = rehearsal->as->fields,
                                .velocity_factor = 1,
                                .rehearses = true};
    struct snapshot_contents contents = {0};
    /* Open until the process ends, so that what comes finds it open. */
    io_hdf5_open(rehearsal->path, &ignored);
    if (!snapshot_hdf5_open(&snapshot, rehearsal->path, &ignored))
        return;
    for (int k = 0; k < snapshot.info.n_parts; ++k)
        try_rows(&snapshot, &snapshot.parts[k]);
    snapshot_hdf5_arrays(&snapshot, false, &contents, &ignored);
}

static bool open_hdf5(struct snapshot *snapshot, const char *path, struct io_error *error) {
    const struct rehearsal rehearsal = {path, snapshot};
    return (io_rehearse(rehearse, &rehearsal) ||
            io_fail(error, "%s is damaged: HDF5 crashes on it or does not come to an end",
                    path)) &&
           snapshot_hdf5_open(snapshot, path, error);
}

static bool list(const struct snapshot *snapshot, struct snapshot_contents *contents,
                 struct io_error *error) {
    return snapshot_hdf5_arrays(snapshot, true, contents, error);
}

const struct snapshot_format snapshot_hdf5 = {
    .in_pieces = true,
    .types = SNAPSHOT_TYPES,
    .recognise = recognise,
    .open = open_hdf5,
    .read = snapshot_hdf5_read,
    .has_one_mass = snapshot_hdf5_has_one_mass,
    .read_other = snapshot_hdf5_read_other,
    .list = list,
};
