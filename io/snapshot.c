#include "io/assumed/assumed.h"
#include "format.h"
#include "io/files/path.h"
#include "io/files/standard.h"
#include "parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct snapshot_format *const formats[] = {
    &snapshot_genericio, &snapshot_gadget, &snapshot_hdf5, &snapshot_table};

static const struct snapshot_format *recognise(const char *path, struct io_error *error) {
    unsigned char head[SNAPSHOT_HEAD] = {0};
    FILE *file = standard_stream(path);
    const bool opened = file != NULL;
    if (opened) {
        const size_t length = fread(head, 1, sizeof head, file);
        const bool failed = length < sizeof head && ferror(file) != 0;
        fclose(file);
        if (!failed) {
            for (size_t k = 0; k < sizeof formats / sizeof *formats; ++k) {
                if (formats[k]->recognise(path, head))
                    return formats[k];
            }
            io_fail(error,
                    length == 0 ? "%s is empty"
                                : "%s is not an HDF5 snapshot, nor of another format that "
                                  "is read",
                    path);
            return NULL;
        }
    }
    io_fail_read(error, path);
    return NULL;
}

static struct snapshot *inspect(const char *path, int type, unsigned fields,
                                struct io_error *error) {
    char *first = io_parts_resolve(path, error);
    const struct snapshot_format *format = first == NULL ? NULL : recognise(first, error);
    struct snapshot *snapshot =
        format == NULL ? NULL : io_allocate(1, sizeof *snapshot, "a snapshot", error);
    if (snapshot != NULL) {
        *snapshot = (struct snapshot){.format = format,
                                      .type = type,
                                      .fields = fields,
                                      .velocity_factor = 1,
                                      .length.cgs = NAN,
                                      .mass.cgs = NAN};
        const bool known = type == 1 || (type >= 0 && type < format->types);
        if (!known)
            io_fail(error, "%s: files of this format have no particles of type %d", first,
                    type);
        if (!known || !format->open(snapshot, first, error) ||
            !assumed_fill_in(snapshot, error)) {
            snapshot_close(snapshot);
            snapshot = NULL;
        }
    }
    free(first);
    return snapshot;
}

struct snapshot *snapshot_inspect(const char *path, struct io_error *error) {
    return inspect(path, 1, SNAPSHOT_ALL, error);
}

static bool verify_all;

void snapshot_verify_all(void) {
    verify_all = true;
}

bool snapshot_verifies_all(void) {
    return verify_all;
}

static bool verify(struct snapshot *snapshot, struct io_error *error) {
    struct snapshot_contents contents;
    const bool done = snapshot_list(snapshot, &contents, error);
    if (done)
        free(contents.arrays);
    return done;
}

struct snapshot *snapshot_open_type(const char *path, int type, unsigned fields,
                                    struct io_error *error) {
    struct snapshot *snapshot = inspect(path, type, fields, error);
    if (snapshot != NULL && verify_all && !verify(snapshot, error)) {
        snapshot_close(snapshot);
        return NULL;
    }
    if (snapshot == NULL || snapshot->info.bytes[SNAPSHOT_COORDINATES] != 0)
        return snapshot;
    io_fail(error, "%s holds no positions in three dimensions", snapshot->parts[0].path);
    snapshot_close(snapshot);
    return NULL;
}

struct snapshot *snapshot_open(const char *path, struct io_error *error) {
    return snapshot_open_type(path, 1, SNAPSHOT_ALL, error);
}

void snapshot_set_threads(struct snapshot *snapshot, int threads) {
    snapshot->threads = threads;
}

void snapshot_tell(struct snapshot *snapshot, void (*told)(int64_t done, int64_t total)) {
    snapshot->told = told;
}

const struct snapshot_info *snapshot_info(const struct snapshot *snapshot) {
    return &snapshot->info;
}

const char *snapshot_part(const struct snapshot *snapshot, int part) {
    return snapshot->parts[part].path;
}

bool snapshot_has_part(const struct snapshot *snapshot, const char *path) {
    for (int k = 0; k < snapshot->info.n_parts; ++k) {
        if (io_same_file(snapshot->parts[k].path, path))
            return true;
    }
    for (int k = 0; k < snapshot->n_sources; ++k) {
        if (io_same_file(snapshot->sources[k], path))
            return true;
    }
    return false;
}

void snapshot_close(struct snapshot *snapshot) {
    if (snapshot == NULL)
        return;
    for (int k = 0; k < snapshot->info.n_parts; ++k)
        free(snapshot->parts[k].path);
    for (int k = 0; k < snapshot->n_sources; ++k)
        free(snapshot->sources[k]);
    free(snapshot->parts);
    free(snapshot->sources);
    free(snapshot->others);
    free(snapshot);
}

bool snapshot_list(struct snapshot *snapshot, struct snapshot_contents *contents,
                   struct io_error *error) {
    *contents = (struct snapshot_contents){0};
    if (snapshot->format->list(snapshot, contents, error))
        return true;
    free(contents->arrays);
    *contents = (struct snapshot_contents){0};
    return false;
}
