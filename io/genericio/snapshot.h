/* GenericIO's own parts of reading a snapshot; format.h is what others see of it. */
#ifndef WEFT_IO_GENERICIO_SNAPSHOT_H
#define WEFT_IO_GENERICIO_SNAPSHOT_H

#include "file.h"
#include "io/format.h"

/* HACC's names of the variables of a field, one a component. */
extern const char *const genericio_names[SNAPSHOT_FIELDS][3];

/* The variables of each field and the bytes of its numbers; 0 where the file has none of it
 * or lacks a component of it. Errors: a type that the field cannot have. */
struct genericio_fields {
    int64_t variable[SNAPSHOT_FIELDS][3];
    int bytes[SNAPSHOT_FIELDS];
};
bool genericio_fields(const struct genericio_file *file, struct genericio_fields *fields,
                      struct io_error *error);

/* Names the files that `path` stands for: it alone, or where it is the map of a split file
 * those that it lists. */
bool genericio_parts(struct snapshot *snapshot, const char *path, struct io_error *error);

/* Lists the variables that are no fields. */
bool genericio_add_others(struct snapshot *snapshot, const struct genericio_file *file,
                          const struct genericio_fields *fields, struct io_error *error);

/* The format's functions `read_other`, `read` and `list`. */
bool genericio_read_other(const struct snapshot *snapshot, const struct snapshot_part *part,
                          const struct snapshot_other *other, int64_t first, int64_t count,
                          void *values, struct io_error *error);
bool genericio_read_particles(const struct snapshot *snapshot,
                              const struct snapshot_part *part, int64_t first,
                              int64_t count, void *const values[SNAPSHOT_FIELDS],
                              struct io_seen *seen, struct io_error *error);
bool genericio_list(const struct snapshot *snapshot, struct snapshot_contents *contents,
                    struct io_error *error);

#endif
