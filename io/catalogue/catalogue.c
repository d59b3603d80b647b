#include "formats.h"
#include "io/files/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_named(const struct catalogue *catalogue, int column,
                     struct io_error *error) {
    const char *name = catalogue->columns[column].name;
    if (name == NULL || name[0] == '\0' || strpbrk(name, "/,\"\n") != NULL)
        return io_fail(error, "column %d of the catalogue has no usable name", column);
    for (int k = 0; k < column; ++k) {
        if (strcmp(catalogue->columns[k].name, name) == 0)
            return io_fail(error, "the catalogue has two columns named %s", name);
    }
    return true;
}

static bool check(const struct catalogue *catalogue, struct io_error *error) {
    if (catalogue->n < 0)
        return io_fail(error, "the catalogue has %lld halos", (long long)catalogue->n);
    for (int k = 0; k < catalogue->n_columns; ++k) {
        const struct catalogue_column *column = &catalogue->columns[k];
        if (!is_named(catalogue, k, error))
            return false;
        if (column->components != 1 && column->components != 3 && column->components != 6 &&
            column->components != 9)
            return io_fail(error,
                           "column %s of the catalogue has %d components, not 1, 3, 6 or 9",
                           column->name, column->components);
        if (column->data == NULL && catalogue->n > 0)
            return io_fail(error, "column %s of the catalogue has no data", column->name);
    }
    const struct catalogue_members *members = catalogue->members;
    if (members != NULL && members->offset[0] != members->rest.before)
        return io_fail(error, "the offsets of the members begin with %lld, not %lld",
                       (long long)members->offset[0], (long long)members->rest.before);
    for (int64_t i = 0; members != NULL && i < catalogue->n; ++i) {
        if (members->offset[i + 1] < members->offset[i])
            return io_fail(error, "the offsets of the members descend at halo %lld",
                           (long long)i);
    }
    return true;
}

static bool stream_text(void *stream, const char *text, size_t n, struct io_error *error) {
    (void)error; /* is told by the stream, at the end */
    return fwrite(text, 1, n, stream) == n;
}

/* 0, or the system's error number. */
static int put_csv(FILE *stream, const struct catalogue *catalogue,
                   struct io_error *error) {
    errno = 0;
    error->text[0] = '\0';
    catalogue_put_names(stream, catalogue);
    const bool done = catalogue_each_text(catalogue, stream_text, stream, error);
    if (fflush(stream) == 0 && ferror(stream) == 0)
        return done ? 0 : ENOMEM;
    return errno != 0 ? errno : EIO;
}

bool catalogue_print(FILE *stream, const struct catalogue *catalogue,
                     struct io_error *error) {
    if (!check(catalogue, error))
        return false;
    const int fault = put_csv(stream, catalogue, error);
    return fault == 0 || io_fail(error, "cannot write the catalogue to standard output: %s",
                                 strerror(fault));
}

static bool is_csv(const char *path) {
    return io_ends_in(path, ".csv");
}

static bool is_genericio(const char *path) {
    return io_ends_in(path, ".gio");
}

static bool check_for(const char *path, const struct catalogue *catalogue,
                      struct io_error *error) {
    if (!check(catalogue, error))
        return false;
    return catalogue->members == NULL || !(is_csv(path) || is_genericio(path)) ||
           io_fail(error, "%s is %s, which has no place for the members of halos", path,
                   is_csv(path) ? "CSV" : "GenericIO");
}

bool catalogue_is_shared(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 && (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

/* Of CSV, where rows begin; of HDF5, where each data set does; of GenericIO, where the
 * first column does. */
bool catalogue_place_new(const struct catalogue *catalogue, struct catalogue_place *place,
                         struct io_error *error) {
    int n;
    struct catalogue_set *sets = catalogue_list_sets(catalogue, &n, error);
    *place = (struct catalogue_place){.n = n};
    if (sets)
        place->at = io_allocate(n + 1, sizeof *place->at, "places in the catalogue", error);
    free(sets);
    return place->at != NULL;
}

void catalogue_place_free(struct catalogue_place *place) {
    free(place->at);
    *place = (struct catalogue_place){0};
}

bool catalogue_lay_out(struct io_output *output, const struct catalogue *catalogue,
                       struct catalogue_place *place, struct io_error *error) {
    if (!check_for(output->path, catalogue, error))
        return false;
    if (is_genericio(output->path))
        return catalogue_lay_out_genericio(output, catalogue, place->at, error);
    if (!is_csv(output->path))
        return catalogue_lay_out_hdf5(output, catalogue, place->at, error);
    errno = 0;
    catalogue_put_names(output->stream, catalogue);
    if (fflush(output->stream) != 0)
        return io_output_fail(output, errno, error);
    place->at[0] = ftello(output->stream);
    return true;
}

static bool add_text(void *sum, const char *text, size_t n, struct io_error *error) {
    (void)text, (void)error;
    *(int64_t *)sum += (int64_t)n;
    return true;
}

bool catalogue_measure(const char *path, const struct catalogue *catalogue, int64_t *bytes,
                       struct io_error *error) {
    *bytes = 0;
    return !is_csv(path) || catalogue_each_text(catalogue, add_text, bytes, error);
}

struct target {
    const char *path;
    int descriptor;
    int64_t at;
};

static bool place_text(void *context, const char *text, size_t n, struct io_error *error) {
    struct target *target = context;
    const bool done =
        io_put_at(target->path, target->descriptor, text, n, target->at, error);
    target->at += (int64_t)n;
    return done;
}

bool catalogue_put(const char *path, int descriptor, const struct catalogue *catalogue,
                   const struct catalogue_place *place, int64_t bytes,
                   struct catalogue_check *check, struct io_error *error) {
    struct target target = {path, descriptor, place->at[0] + bytes};
    *check = (struct catalogue_check){.n = catalogue->n};
    if (is_csv(path))
        return catalogue_each_text(catalogue, place_text, &target, error);
    if (is_genericio(path))
        return catalogue_put_genericio(path, descriptor, catalogue, place->at[0], check,
                                       error);
    return catalogue_put_hdf5(path, descriptor, catalogue, place->at, error);
}

bool catalogue_is_checked(const char *path) {
    return is_genericio(path);
}

bool catalogue_seal(const char *path, int descriptor, const struct catalogue *catalogue,
                    const struct catalogue_place *place, const struct catalogue_check *all,
                    int n, struct io_error *error) {
    return !catalogue_is_checked(path) ||
           catalogue_seal_genericio(path, descriptor, catalogue, place->at[0], all, n,
                                    error);
}

static bool write_hdf5(struct io_output *output, const struct catalogue *catalogue,
                       struct io_error *error) {
    struct catalogue_place place;
    const bool done = catalogue_place_new(catalogue, &place, error) &&
                      catalogue_lay_out_hdf5(output, catalogue, place.at, error) &&
                      catalogue_put_hdf5(output->path, fileno(output->stream), catalogue,
                                         place.at, error);
    catalogue_place_free(&place);
    return done;
}

bool catalogue_write(const char *path, const struct catalogue *catalogue,
                     struct io_error *error) {
    struct io_output output;
    if (!check_for(path, catalogue, error) || !io_output_open(&output, path, error))
        return false;
    bool good;
    if (is_csv(path)) {
        const int fault = put_csv(output.stream, catalogue, error);
        good = fault == 0 || io_output_fail(&output, fault, error);
    } else if (is_genericio(path)) {
        good = catalogue_write_genericio(&output, catalogue, error);
    } else {
        good = write_hdf5(&output, catalogue, error);
    }
    return io_output_close(&output, good, error);
}
