/* One GenericIO file: its tables, and its blocks, each with its checksum.
 *
 * A file holds ranks (the pieces that the writing processes gave), and for each rank one
 * block a variable. The layout was read off files of the reference writer; it is described
 * in docs/formats.md. */
#ifndef WEFT_IO_GENERICIO_FILE_H
#define WEFT_IO_GENERICIO_FILE_H

#include "io/files/bytes.h"
#include "io/files/input.h"

enum { GENERICIO_NAME = 256, GENERICIO_FILTER = 8 };

enum genericio_flags {
    GENERICIO_FLOAT = 1,
    GENERICIO_SIGNED = 2,
    GENERICIO_X = 4,
    GENERICIO_Y = 8,
    GENERICIO_Z = 16,
};

struct genericio_variable {
    char name[GENERICIO_NAME + 1];
    uint64_t flags;
    int64_t row;     /* bytes of a row */
    int64_t element; /* bytes of a number; divides row */
};

struct genericio_rank {
    int64_t n;      /* rows */
    uint64_t start; /* of its first block, where there is no table of blocks */
};

struct genericio_block {
    char filter[GENERICIO_FILTER + 1]; /* empty: the bytes as they are */
    uint64_t start, size;              /* without the 8 bytes of the CRC after it */
};

struct genericio_file {
    struct io_input input;
    enum io_order order;
    int64_t n; /* rows, over all ranks */
    uint64_t dims[3];
    double origin[3], scale[3]; /* 0 where the file is too old to have them */
    int64_t n_variables, n_ranks;
    struct genericio_variable *variables;
    struct genericio_rank *ranks;
    struct genericio_block *blocks; /* [n_ranks][n_variables] */
};

/* Opens and reads the header. Errors: another format, cut off, a header whose CRC is wrong,
 * tables or blocks that do not lie in the file. */
bool genericio_open(struct genericio_file *file, const char *path, struct io_error *error);
void genericio_close(struct genericio_file *file);

/* The index of a variable, or -1. */
int64_t genericio_find(const struct genericio_file *file, const char *name);

/* Verifies the block of a variable in a rank, and gives its rows first .. first + count in
 * the machine's byte order. Cost: the whole block is read, since its CRC covers it all;
 * scratch: 1 MiB, and where it is compressed the block and what it holds.
 * Errors: "the block of VARIABLE in rank R of PATH is damaged: ...". */
bool genericio_read(const struct genericio_file *file, int64_t rank, int64_t variable,
                    int64_t first, int64_t count, void *rows, struct io_error *error);

#endif
