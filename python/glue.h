/* What Python calls beside the library: the steps of the command's code, without its files
 * and its standard error. python/weft/_command.py declares the same, in the same order.
 *
 * One call at a time (the package holds a lock), since the command's progress is one.
 * Functions that return a status give 0, 1 where the input or the machine is at fault and 2
 * where the request is; weft_python_message() is then the sentence. */
#ifndef WEFT_PYTHON_GLUE_H
#define WEFT_PYTHON_GLUE_H

#include <stdint.h>
#include <weft/device.h>

/* The sentence of the last call that failed. */
WEFT_API const char *weft_python_message(void);

/* Who hears of steps, which end where `step` returns 0, and of notes. NULL: nobody. */
WEFT_API void weft_python_listen(int (*step)(const char *line),
                                 void (*note)(const char *sentence));

/* The ranks of a communicator, by functions that all of them call in the same order; those
 * of distributed/ranks/ranks.h, whose failure ends all ranks. */
struct weft_python_ranks {
    int32_t rank, size, local, together; /* local: among the `together` of this machine */
    void *message;                       /* [2^24] bytes, for rows to send */
    void (*reduce)(void *values, int n, int is_f64, int operation); /* sum, min, max */
    void (*share)(const void *mine, int64_t bytes, void *all);
    void (*broadcast)(int root, void *data, int64_t bytes);
    void (*count)(const int64_t *to, int64_t *from);
    void (*exchange)(int to, const void *send, int64_t n_send, int from, void *receive,
                     int64_t n_receive); /* rank -1: nobody */
};

/* The ranks that calls from here on are among; NULL: this process is alone. */
WEFT_API void weft_python_join(const struct weft_python_ranks *ranks);

/* A snapshot: what it says of itself, and its particles where they were read or are the
 * caller's. Fields are positions, velocities, masses, ids. */
struct weft_python_snapshot {
    char format[128], length_unit[32], mass_unit[32], ids_note[96];
    int64_t n, parts, count[16];
    double mass, box[3], redshift, scale_factor;
    double h, omega_matter, omega_lambda, omega_baryon;
    int32_t periodic[3], bytes[4];
    void *field[4]; /* NULL: there is none */
};

/* Reads the fields of a set (bit 1 << field) of the particles of a type; 0: none. Free what
 * was read with weft_python_free. */
WEFT_API int weft_python_read(const char *path, int type, unsigned fields, int verify,
                              struct weft_python_snapshot *out);
WEFT_API void weft_python_free(struct weft_python_snapshot *snapshot);

/* weft convert.
 *   format      NULL: what the name of `out` ends in
 *   bytes       0: those of the input */
WEFT_API int weft_python_convert(const char *in, const char *out, const char *format,
                                 int bytes);

/* weft ics, and what is asked of it. */
struct weft_python_ics {
    int64_t n, order, rows;
    uint64_t seed;
    double box, redshift, h, omega_matter, omega_baryon, n_s;
    double sigma8;       /* NaN: not given */
    const char *table;   /* NULL: the formula, or k and P */
    const double *k, *p; /* [rows]; NULL: none */
    const char *output;  /* a file to write; NULL: none */
    int32_t fixed, reserved;
};

/* The particles; free them with weft_python_free. */
WEFT_API int weft_python_ics(weft_device *device, const struct weft_python_ics *asked,
                             struct weft_python_snapshot *out);

/* weft halos, and what may be asked of it; texts as on the command line, NULL where nothing
 * is given. */
struct weft_python_request {
    const char *snapshot;                     /* its name */
    const struct weft_python_snapshot *given; /* the caller's particles; NULL: read it */
    double linking_length, linking_length_absolute; /* negative: not given */
    int64_t min_members, min_friends;
    const char *periodic; /* axes; empty: none */
    double box[3];        /* 0: not given */
    const char *centers, *so, *properties, *types, *region;
    double softening;     /* negative: not given */
    int64_t poisson_grid; /* 0: not given */
    const char *poisson_boundary;
    int32_t poisson_prove;
    int32_t profiles, shapes, members, labels, subhalos;
    int64_t memory_limit; /* bytes; 0: not given */
    const char *assume;
};

/* A column, whose data live as long as the catalogue. */
struct weft_python_column {
    const char *name, *unit, *description, *type; /* i8, u1 or f8 */
    const void *data;
    int64_t rows;
    int32_t components, of; /* 0: halos, 1: profiles, 2: subhalos */
};

struct weft_python_about {
    int64_t particles, halos, members, labelled, subhalos;
    double box[3], linking_length, mean_separation, redshift, scale_factor;
    double h, omega_matter, omega_lambda, profile_edge[22];
    int32_t periodic[3], columns, subhalo_columns, ids_from_file, profile_bins;
    const char *length_unit, *mass_unit;
    const int64_t *offset, *member_id, *member_friends, *labels; /* or NULL */
    const int64_t *subhalo_offset, *subhalo_member_id;           /* likewise */
};

typedef struct weft_python_catalogue weft_python_catalogue;

/* The catalogue, for weft_python_halos_free; NULL after a failure. Nothing of it stays on
 * the device, which must be open as long as it is. Of several ranks, which each give their
 * own particles, the first has it, the others one without halos; each has its labels. */
WEFT_API weft_python_catalogue *weft_python_halos(weft_device *device,
                                                  const struct weft_python_request *request,
                                                  int *status);
WEFT_API void weft_python_about(const weft_python_catalogue *catalogue,
                                struct weft_python_about *out);
/* Those of halos and profiles, and then those of subhalos. */
WEFT_API void weft_python_column(const weft_python_catalogue *catalogue, int64_t k,
                                 struct weft_python_column *out);

/* Writes it, as `weft halos -o` does; of several ranks the first. */
WEFT_API int weft_python_write(weft_python_catalogue *catalogue, const char *path);
WEFT_API void weft_python_halos_free(weft_python_catalogue *catalogue);

typedef struct weft_python_trees weft_python_trees;

struct weft_python_forest {
    int64_t halos, trees;
    int32_t columns, snapshots;
    const int64_t *length, *start; /* [trees] */
    const double *redshift;        /* [snapshots] */
    const char *kind;              /* halos or subhalos */
};

/* weft link: the trees of catalogues in order of time, for weft_python_trees_free; NULL
 * after a failure.
 *   halos   not 0: link these, though there are subhalos
 *   output  a file to write; NULL: none */
WEFT_API weft_python_trees *weft_python_link(weft_device *device, char **paths, int n,
                                             int halos, const char *output, int *status);
WEFT_API void weft_python_trees_about(const weft_python_trees *trees,
                                      struct weft_python_forest *out);
WEFT_API void weft_python_trees_column(const weft_python_trees *trees, int64_t k,
                                       struct weft_python_column *out);
WEFT_API void weft_python_trees_free(weft_python_trees *trees);

#endif
