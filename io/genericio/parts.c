/* Split files: BASE maps ranks to partitions, and BASE#PARTITION hold the data. */
#include "io/particles.h"
#include "snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 1 << 20 };

static int compare(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The partitions that a map names, each once, ascending; for free(). */
static int32_t *read_map(const struct genericio_file *map, int64_t variable, int *n,
                         struct io_error *error) {
    const struct genericio_variable *what = &map->variables[variable];
    if (what->row != 4 || (what->flags & GENERICIO_FLOAT) != 0) {
        io_fail(error, "$partition in %s is not a 32-bit integer", map->input.path);
        return NULL;
    }
    int32_t *partition = io_allocate(map->n, sizeof *partition, "the partitions", error);
    int64_t first = 0, kept = 0;
    bool done = partition != NULL;
    for (int64_t r = 0; done && r < map->n_ranks; first += map->ranks[r++].n)
        done =
            genericio_read(map, r, variable, 0, map->ranks[r].n, partition + first, error);
    if (done)
        qsort(partition, (size_t)map->n, sizeof *partition, compare);
    for (int64_t i = 0; done && i < map->n; ++i) {
        if (partition[i] < 0 || kept > MOST_PARTS)
            done = io_fail(error, "%s names an impossible partition, %" PRId32,
                           map->input.path, partition[i]);
        if (i == 0 || partition[i] != partition[i - 1])
            partition[kept++] = partition[i];
    }
    if (done && kept == 0)
        done = io_fail(error, "%s names no partition", map->input.path);
    *n = (int)kept;
    if (done)
        return partition;
    free(partition);
    return NULL;
}

int genericio_partitions(const char *path) {
    struct io_error none;
    struct genericio_file map;
    int n = 0, most = 0;
    if (!genericio_open(&map, path, &none))
        return 0;
    const int64_t variable = genericio_find(&map, "$partition");
    int32_t *partition = variable < 0 ? NULL : read_map(&map, variable, &n, &none);
    if (partition)
        most = partition[n - 1] + 1;
    free(partition);
    genericio_close(&map);
    return most;
}

static bool name_partitions(struct snapshot *snapshot, const struct genericio_file *map,
                            int64_t variable, struct io_error *error) {
    int n = 0;
    int32_t *partition = read_map(map, variable, &n, error);
    bool done = partition != NULL && snapshot_set_parts(snapshot, n, error);
    for (int k = 0; done && k < n; ++k) {
        char ending[16];
        snprintf(ending, sizeof ending, "#%" PRId32, partition[k]);
        snapshot->parts[k].path = io_join(map->input.path, ending, error);
        done = snapshot->parts[k].path != NULL;
    }
    free(partition);
    return done;
}

/* A partition alone is a part of the ranks that its Dims tell. */
static bool is_whole(const struct genericio_file *file, struct io_error *error) {
    const char *name = file->input.path, *mark = strrchr(name, '#');
    const double ranks =
        (double)file->dims[0] * (double)file->dims[1] * (double)file->dims[2];
    if (mark == NULL || ranks == (double)file->n_ranks)
        return true;
    return io_fail(error, "%s is a part of a split file: read %.*s", name,
                   (int)(mark - name), name);
}

bool genericio_parts(struct snapshot *snapshot, const char *path, struct io_error *error) {
    struct genericio_file file;
    if (!genericio_open(&file, path, error))
        return false;
    const int64_t variable = genericio_find(&file, "$partition");
    bool done;
    if (variable >= 0) {
        done = name_partitions(snapshot, &file, variable, error);
    } else {
        done = is_whole(&file, error) && snapshot_set_parts(snapshot, 1, error);
        if (done)
            snapshot->parts[0].path = io_join(path, "", error);
        done = done && snapshot->parts[0].path != NULL;
    }
    genericio_close(&file);
    return done;
}
