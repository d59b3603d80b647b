/* What the header of an HDF5 file says, name by name. */
#include "hdf5.h"
#include "io/hdf5/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 16, TEXT = 4096, NUMBER = 32 };

/* As few digits as read back as the same number. */
static const char *shortest(double value, char text[NUMBER]) {
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(text, NUMBER, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

/* The attribute in words; empty where it is neither text nor a few numbers. */
static void tell(hid_t header, const char *name, const char *path, char text[TEXT]) {
    struct io_error error;
    double numbers[VALUES];
    int64_t integers[VALUES];
    int count = 0;
    size_t length = 0;
    char number[NUMBER];
    io_hdf5_text(header, name, text, TEXT);
    if (text[0])
        return;
    if (io_hdf5_integers(header, name, path, integers, VALUES, &count, NULL, &error)) {
        for (int k = 0; k < count; ++k)
            length += (size_t)snprintf(text + length, TEXT - length, "%s%" PRId64,
                                       k > 0 ? " " : "", integers[k]);
    } else if (io_hdf5_numbers(header, name, path, numbers, VALUES, &count, &error)) {
        for (int k = 0; k < count; ++k)
            length += (size_t)snprintf(text + length, TEXT - length, "%s%s",
                                       k > 0 ? " " : "", shortest(numbers[k], number));
    }
}

void columns_hdf5_attributes(hid_t object, const char *path, columns_note *note,
                             void *context) {
    H5O_info_t info;
    if (H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS) < 0)
        info.num_attrs = 0;
    for (hsize_t k = 0; k < info.num_attrs; ++k) {
        char name[96], text[TEXT];
        const ssize_t length = H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC,
                                                  k, name, sizeof name, H5P_DEFAULT);
        if (length <= 0 || length >= (ssize_t)sizeof name)
            continue;
        tell(object, name, path, text);
        note(context, name, text);
    }
}

bool columns_hdf5_notes(hid_t file, const char *path, columns_note *note, void *context,
                        struct io_error *error) {
    static const char *const groups[] = {"header", "Header"};
    hid_t header = -1;
    for (int k = 0; k < 2 && header < 0; ++k) {
        if (!io_hdf5_find(file, groups[k], path, &header, error))
            return false;
    }
    if (header >= 0)
        columns_hdf5_attributes(header, path, note, context);
    io_hdf5_close(header);
    return true;
}
