/* One Gadget-2 binary file: its header and where its blocks lie.
 *
 * A file is a row of Fortran records: a u32 length, the bytes, the length again. The first
 * is the header; in format 2 each is preceded by a record of 8 bytes with its name.
 * Source: Springel, "User guide for GADGET-2", 2005, section 6. */
#ifndef WEFT_IO_GADGET_FILE_H
#define WEFT_IO_GADGET_FILE_H

#include "io/files/bytes.h"
#include "io/format.h"
#include "io/files/input.h"

enum { GADGET_TYPES = 6, GADGET_BLOCKS = 64, GADGET_HEADER = 256, GADGET_NAME = 24 };

struct gadget_block {
    char name[GADGET_NAME]; /* HEAD, POS, VEL, ID, MASS, ...; in format 1 by its place */
    uint64_t start, size;
};

struct gadget_file {
    struct io_input input;
    enum io_order order;
    bool named; /* format 2 */
    int64_t n[GADGET_TYPES];
    double mass[GADGET_TYPES];    /* 0: in the block MASS */
    uint32_t total[GADGET_TYPES]; /* over all files, the low 32 bits */
    double redshift, box;
    struct snapshot_cosmology
        cosmology; /* as the header has it; 0 where it does not tell */
    int n_files;
    int n_blocks;
    struct gadget_block blocks[GADGET_BLOCKS];
};

/* Opens, reads the header and finds the blocks. Errors: another format, cut off, records
 * whose two lengths differ, a header with impossible numbers. */
bool gadget_open(struct gadget_file *file, const char *path, struct io_error *error);
void gadget_close(struct gadget_file *file);

/* Where the numbers of a type's particles lie, and the bytes of one in the file; 0 bytes
 * where there are none: masses that are in the table, velocities and ids that format 2 may
 * lack. Errors: a block that is missing, or not as long as the header's counts tell. */
struct gadget_field {
    uint64_t start;
    int bytes;
};
bool gadget_find(const struct gadget_file *file, int type, enum snapshot_field field,
                 struct gadget_field *found, struct io_error *error);

#endif
