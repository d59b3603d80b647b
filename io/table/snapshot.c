/* A table of points as a snapshot. */
#include "table.h"

#include "io/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool recognise(const char *path, const unsigned char head[SNAPSHOT_HEAD]) {
    return table_kind(path, head) != TABLE_NONE;
}

static const char *const words[] = {
    [TABLE_NPY] = "NumPy array", [TABLE_TEXT] = "text", [TABLE_F32] = "raw float32"};

static bool open_table(struct snapshot *snapshot, const char *path,
                       struct io_error *error) {
    struct snapshot_info *info = &snapshot->info;
    struct table table;
    if (!table_open(&table, path, error) || !snapshot_set_parts(snapshot, 1, error))
        return false;
    snapshot->parts[0].path = io_join(path, "", error);
    snapshot->parts[0].count = table.n;
    info->format = words[table.kind];
    info->n = info->count[1] = table.n;
    memcpy(info->bytes, table.bytes, sizeof info->bytes);
    if (table.axes == 2)
        info->bytes[SNAPSHOT_COORDINATES] = 0; /* which calls for three */
    info->mass = 1;
    info->redshift = NAN;
    info->scale_factor = 1;
    snprintf(info->length_unit, sizeof info->length_unit, "code");
    snprintf(info->mass_unit, sizeof info->mass_unit,
             table.bytes[SNAPSHOT_MASSES] == 0 ? "1" : "code");
    return snapshot->parts[0].path != NULL;
}

static bool read_table(const struct snapshot *snapshot, const struct snapshot_part *part,
                       int64_t first, int64_t count, void *const values[SNAPSHOT_FIELDS],
                       struct io_seen *seen, struct io_error *error) {
    (void)seen;
    struct table table = {.kind = TABLE_TEXT, .axes = 3};
    if (snapshot->info.format == words[TABLE_TEXT]) /* looks at it again itself */
        return table_read(&table, part->path, first, count, values, error);
    if (!table_open(&table, part->path, error))
        return false;
    /* looked at again, since the file may have changed since it was opened */
    if (table.n != part->count || table.axes != 3 ||
        memcmp(table.bytes, snapshot->info.bytes, sizeof table.bytes) != 0)
        return io_fail(error, "%s has changed while it was read", part->path);
    table.threads = snapshot->threads;
    return table_read(&table, part->path, first, count, values, error);
}

static bool list(const struct snapshot *snapshot, struct snapshot_contents *contents,
                 struct io_error *error) {
    static const char *const names[] = {"position", "velocity", "mass", "id"};
    struct table table;
    if (!table_open(&table, snapshot->parts[0].path, error))
        return false;
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        const int components =
            f == SNAPSHOT_COORDINATES ? table.axes : snapshot_components(f);
        struct snapshot_array array = {.rank = components == 1 ? 1 : 2,
                                       .shape = {table.n, components}};
        snprintf(array.name, sizeof array.name, "%s", names[f]);
        snprintf(array.type, sizeof array.type, "%s%c%d",
                 table.kind != TABLE_TEXT && table.order == IO_BIG ? ">" : "",
                 f == SNAPSHOT_IDS ? 'i' : 'f', table.bytes[f]);
        snprintf(array.storage, sizeof array.storage, "%s",
                 table.kind == TABLE_TEXT ? "text" : "plain");
        if (table.bytes[f] != 0 && !snapshot_add_array(contents, &array, error))
            return false;
    }
    return true;
}

const struct snapshot_format snapshot_table = {
    .recognise = recognise,
    .open = open_table,
    .read = read_table,
    .list = list,
};
