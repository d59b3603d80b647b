/* Labels of a rank's rows, on the host or on a device whose memory is its own: 12 bytes a
 * row need not be touched where few labels are asked for. */
#ifndef WEFT_DISTRIBUTED_GROUPS_LABELS_H
#define WEFT_DISTRIBUTED_GROUPS_LABELS_H

#include "merge.h"

struct labels {
    uint32_t *host;   /* for free(); NULL: they are there */
    weft_array there; /* u32, for weft_array_free; no type: they are on the host */
};

/* Memory for n, or more; on the device if asked. */
bool labels_new(struct comm *comm, weft_device *device, int64_t n, bool there,
                struct labels *labels);
void labels_free(weft_device *device, struct labels *labels);

/* Those of some rows, or from `first` on where `row` is NULL. */
void labels_read(weft_device *device, const struct labels *labels, const uint32_t *row,
                 int64_t first, int64_t n, uint32_t *out);

/* Puts labels in the place of those of n rows, and more after all `before` of them. */
bool labels_replace(struct comm *comm, weft_device *device, struct labels *labels,
                    const uint32_t *row, const uint32_t *label, int64_t n, int64_t before,
                    const uint32_t *more, int64_t n_more);

/* A row of a group that has a name, and which of the names. */
struct labels_member {
    uint32_t row, name;
};

/* Those of n rows, ascending, for free(); NULL after a failure. */
struct labels_member *labels_members(struct comm *comm, weft_device *device,
                                     const struct labels *labels, int64_t n,
                                     const struct names *names, int64_t *count);

#endif
