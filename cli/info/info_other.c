/* What weft info shows of files that hold no particles: catalogues, grids, labels. */
#include "info_other.h"
#include "io/files/visible.h"
#include "cli/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 32 };

/* The version of weft that wrote the file; empty where none did. */
static void note_version(void *version, const char *name, const char *value) {
    if (strcmp(name, "weft_version") == 0)
        snprintf(version, VERSION, "%s", value);
}

/* Reads every column once through. */
static bool verify(struct columns_file *file, struct io_error *error) {
    bool good = true;
    for (int t = 0; good && t < file->n_tables; ++t) {
        for (int c = 0; good && c < file->tables[t].n_columns; ++c) {
            struct columns_piece piece = {0};
            for (int64_t row = 0; good && row < file->tables[t].n;
                 row = piece.first + piece.count)
                good = columns_read(file, t, c, row, &piece, error);
            columns_forget(&piece);
        }
    }
    return good;
}

static void print_note(void *prefix, const char *name, const char *value) {
    const size_t room = 4 * strlen(value) + 1;
    char *shown = malloc(room), word[400];
    printf("%s%-16s  %s\n", (const char *)prefix, visible(name, word, sizeof word),
           shown ? visible(value, shown, room) : "");
    free(shown);
}

static void print_array(void *prefix, const char *name, const char *type,
                        const char *shape) {
    char word[800];
    (void)prefix;
    printf("%s: %s, %s\n", visible(name, word, sizeof word), type, shape);
}

bool other_print(struct columns_file *file, bool quiet, struct io_error *error) {
    char none[] = "", indent[] = "  ", version[VERSION] = "";
    if (!verify(file, error) || !columns_notes(file, note_version, version, error))
        return false;
    const bool is_catalogue = version[0] && columns_find(file, "halos") >= 0;
    if (quiet)
        return true;
    if (is_catalogue)
        printf("format            HDF5, a halo catalogue of weft %s\n", version);
    else if (version[0])
        printf("format            HDF5, of weft %s\n", version);
    else
        printf("format            HDF5 without particles of dark matter\n");
    if (!columns_notes(file, print_note, none, error))
        return false;
    tables_print(file);
    if (is_catalogue) /* what is left of it is the same, as yt looks for it */
        return true;
    return columns_arrays(file, print_array, print_note, indent, error);
}

static int ascending(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Text and most other files, read so, have larger numbers. */
static const int64_t most = (int64_t)1 << 56;

bool other_print_labels(const char *path, bool quiet) {
    enum { LONGEST = 1 << 28 };
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return false;
    const bool sized = fseek(stream, 0, SEEK_END) == 0;
    const long size = sized ? ftell(stream) : -1;
    const int64_t n = size > 0 && size % 8 == 0 ? size / 8 : 0;
    int64_t *labels = n > 0 && n <= LONGEST ? malloc((size_t)size) : NULL;
    rewind(stream);
    bool good = labels && fread(labels, 8, (size_t)n, stream) == (size_t)n;
    fclose(stream);
    int64_t outside = 0, different = 0;
    for (int64_t k = 0; good && k < n; ++k) {
        good = labels[k] >= -1 && labels[k] < most;
        outside += labels[k] == -1;
    }
    if (good)
        qsort(labels, (size_t)n, sizeof *labels, ascending);
    for (int64_t k = outside; good && k < n; ++k)
        different += k == outside || labels[k] != labels[k - 1];
    if (good && !quiet)
        printf("format            raw little-endian int64: labels\n"
               "labels            %" PRId64 "\nhalos or clusters %" PRId64
               "\noutside of them   %" PRId64 "\n",
               n, different, outside);
    free(labels);
    return good;
}
