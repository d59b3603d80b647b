/* weft link: what is asked for, and what its steps work on. A group is a halo, or where the
 * catalogues have subhalos one of these; all of them are numbered by snapshot, then row. */
#ifndef WEFT_CLI_LINK_H
#define WEFT_CLI_LINK_H

#include "cli/options.h"
#include "cli/timings.h"
#include "io/columns/columns.h"
#include "io/trees/trees.h"

struct link_options {
    struct shared_options shared;
    char **paths; /* the catalogues, in order of time */
    int count;
    const char *output; /* a file; of lists their folder */
    const char *plot;   /* a picture; NULL: none */
    bool lists;         /* as Rockstar writes them */
    bool halos;         /* these, though there are subhalos */
};

struct link_catalogue {
    const char *path;
    struct columns_file *file;
    double redshift, scale_factor, h, omega_matter, omega_lambda, box[3];
    char length_unit[32], mass_unit[32], ids[16];
    bool subhalos;        /* has some with members */
    int64_t first, n;     /* its groups: the number of the first, how many */
    int64_t members;      /* of them all */
    int64_t *offset, *id; /* [n + 1], [members]; NULL: not needed now */
};

enum { LINK_COLUMNS = 32 };

struct link_run {
    struct link_options options;
    char *command; /* as it was typed */
    struct timings timings;
    weft_device *device;
    int n;
    struct link_catalogue *catalogue; /* [n] */
    bool subhalos;                    /* are linked */
    int64_t groups, members;          /* of all catalogues */
    int64_t *tag;                     /* [groups] */
    int64_t *descendant, *progenitor; /* [groups]: main progenitor; -1: none */
    uint64_t *weight;                 /* of what it shares with its descendant */
    int64_t *shared;
    int64_t skipped;             /* descendants two snapshots later */
    int64_t n_trees;             /* each with one root */
    int64_t *length, *start;     /* [n_trees] */
    int64_t *tree, *row;         /* [groups]: where it is in the file */
    int64_t *next_of, *first_of; /* [groups]: lists of progenitors; -1: the end */
    struct trees_column columns[LINK_COLUMNS];
    int n_columns;
    double length_factor, mass_factor; /* from the catalogues' units to the file's */
    const char *length_unit, *mass_unit;
};

/* Ends the process on a usage error. */
void link_parse(int argc, char **argv, struct link_options *options);

/* Opens the catalogues, looks whether they belong together, and reads the tags. Returns the
 * exit status. */
int link_open(struct link_run *run);

/* The snapshot that a group is in. */
int link_snapshot(const struct link_run *run, int64_t group);

/* The table and the column of an array of a group of data sets; -1: there is none. */
int link_find(const struct columns_file *file, const char *group, const char *name,
              int *table);

/* Reads a column of `n` rows, every `step`-th place of `to`, as i64 or f64. */
bool link_read(struct columns_file *file, const char *group, const char *name, bool whole,
               int64_t n, void *to, int step, struct io_error *error);

/* Reads the members of the groups. */
bool link_read_members(struct link_catalogue *catalogue, bool subhalos,
                       struct io_error *error);

/* Finds descendants and main progenitors. Returns the exit status. */
int link_join(struct link_run *run);

/* Puts the groups into trees, and lists progenitors. Returns the exit status. */
int link_grow(struct link_run *run);

/* Fills the columns of the file. Returns the exit status. */
int link_fill(struct link_run *run);

/* A column's numbers, in the order of the trees; NULL: there is none. Those that are whole
 * are int64_t. */
const double *link_numbers(const struct link_run *run, const char *name);

/* Draws the picture. Returns the exit status. */
int link_draw(struct link_run *run);

/* Writes the file. Returns the exit status. */
int link_write(struct link_run *run);

/* Frees all but device, command and paths. */
void link_release(struct link_run *run);

/* Whether the lists can be written, before the work; and writes them. Both return the exit
 * status. */
int link_check_lists(const struct link_run *run);
int link_write_lists(struct link_run *run);

#endif
