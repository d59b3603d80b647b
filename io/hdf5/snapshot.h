/* The HDF5 snapshot reader's own parts; format.h is what others see of it. */
#ifndef WEFT_IO_SNAPSHOT_HDF5_H
#define WEFT_IO_SNAPSHOT_HDF5_H

#include "io/format.h"
#include "file.h"

/* The groups of an open part; -1 where one is missing. */
struct snapshot_hdf5_groups {
    hid_t file, header, units, parameters, particles;
    char name[16]; /* of the particles' group: PartType1, ... */
    const char *path;
    bool swift;
};

bool snapshot_hdf5_groups_open(const char *path, int type,
                               struct snapshot_hdf5_groups *groups, struct io_error *error);
void snapshot_hdf5_groups_close(struct snapshot_hdf5_groups *groups);

/* The name of PartType0, PartType1, ... */
const char *snapshot_hdf5_type_group(int type, char name[16]);

/* Header: files of the snapshot; 1 where it does not say. */
bool snapshot_hdf5_count_files(const struct snapshot_hdf5_groups *groups, int *n,
                               struct io_error *error);

/* Header: particles of each type in this file, -1 where it does not say; and of `type` in
 * all files, -1 where it does not say. */
bool snapshot_hdf5_counts(const struct snapshot_hdf5_groups *groups, int type,
                          int64_t in_file[SNAPSHOT_TYPES], int64_t *total,
                          struct io_error *error);

/* Box, periodicity, redshift, scale factor, and the mass table's mass, 0 where it has none.
 */
bool snapshot_hdf5_header(const struct snapshot_hdf5_groups *groups, int type,
                          struct snapshot_info *info, struct io_error *error);

/* Units, the velocity factor, and a mass of 1 where there is none; after the header. */
bool snapshot_hdf5_units(const struct snapshot_hdf5_groups *groups,
                         struct snapshot *snapshot, struct io_error *error);

/* The name of a field's data set, without the group. */
const char *snapshot_hdf5_field_name(enum snapshot_field field);

/* Opens a field's data set among the particles; -1 where it is missing. */
bool snapshot_hdf5_find_field(const struct snapshot_hdf5_groups *groups,
                              enum snapshot_field field, hid_t *dataset,
                              struct io_error *error);

/* What a field's data set holds: its length, and the bytes of one number in memory. Refuses
 * a type or shape that the field cannot have, and virtual data sets without their sources.
 */
bool snapshot_hdf5_inspect(const struct snapshot_hdf5_groups *groups,
                           enum snapshot_field field, hid_t dataset, int *bytes, int64_t *n,
                           struct io_error *error);

/* Refuses what HDF5 could not read, would crash on or make up: damaged chunks, filters that
 * are not there, arrays that were not written, external storage that is cut off, virtual
 * data sets without their sources or with less than all of themselves. `name`: for people,
 * group and all. */
bool snapshot_hdf5_check_storage(hid_t dataset, const char *name, const char *path,
                                 struct io_error *error);

/* Notes the other files that the arrays of the particles are read from. */
bool snapshot_hdf5_add_sources(struct snapshot *snapshot,
                               const struct snapshot_hdf5_groups *groups,
                               struct io_error *error);

/* Rows first .. first + count of a data set, as `type`. */
struct snapshot_hdf5_rows {
    hid_t dataset, type;
    int64_t first, count;
    void *values;
    struct io_seen *seen; /* adds to it those that were looked at by the way; NULL: not */
};

/* Reads them, past HDF5 where that can be; or HDF5's reason, which each later call of it
 * would forget. */
enum { SNAPSHOT_HDF5_REASON = 256 };
bool snapshot_hdf5_read_rows(const struct snapshot *snapshot,
                             const struct snapshot_hdf5_rows *rows,
                             char reason[SNAPSHOT_HDF5_REASON]);

/* Whether a data set of that name is a field's. */
bool snapshot_hdf5_is_field(const char *name);

/* The machine's type of such numbers. */
hid_t snapshot_hdf5_native(const struct snapshot_other *other);

/* Lists the particles' arrays, n rows each, that are no fields. */
bool snapshot_hdf5_add_others(struct snapshot *snapshot,
                              const struct snapshot_hdf5_groups *groups, int64_t n,
                              struct io_error *error);

/* The format's functions `open`, `read_other`, `has_one_mass` and `read`. */
bool snapshot_hdf5_has_one_mass(const struct snapshot *snapshot,
                                const struct snapshot_part *part, double *mass);
bool snapshot_hdf5_open(struct snapshot *snapshot, const char *path,
                        struct io_error *error);
bool snapshot_hdf5_read_other(const struct snapshot *snapshot,
                              const struct snapshot_part *part,
                              const struct snapshot_other *other, int64_t first,
                              int64_t count, void *values, struct io_error *error);
bool snapshot_hdf5_read(const struct snapshot *snapshot, const struct snapshot_part *part,
                        int64_t first, int64_t count, void *const values[SNAPSHOT_FIELDS],
                        struct io_seen *seen, struct io_error *error);

/* Lists the arrays, or also verifies those with checksums. */
bool snapshot_hdf5_arrays(const struct snapshot *snapshot, bool verified,
                          struct snapshot_contents *contents, struct io_error *error);

#endif
