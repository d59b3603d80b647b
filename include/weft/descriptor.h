/* What the macros of register.h make of a plain C function, for backends. Programs rarely
 * need these types. */
#ifndef WEFT_DESCRIPTOR_H
#define WEFT_DESCRIPTOR_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WEFT_MAX_PARAMETERS = 48, WEFT_ROWS = 4, WEFT_STEP = 4 };

typedef enum weft_role {
    WEFT_VALUE,    /* passed by value */
    WEFT_IN,       /* read only */
    WEFT_OPTIONAL, /* read only, or absent: then the function's pointer is null */
    WEFT_OUT,      /* written only; all earlier contents are lost */
    WEFT_INOUT,    /* read and written */
    WEFT_SHARED,   /* accessed by several work-items, with atomic functions only */
    WEFT_BUNDLED   /* a struct of values and pointers to arrays, passed by value */
} weft_role;

typedef struct weft_parameter {
    const char *name, *type_name; /* as in the registration */
    weft_type type;
    weft_role role;
    const struct weft_bundle *bundle; /* NULL for a single value or array */
    size_t offset; /* of the value, or of its weft_array, in the argument struct */
} weft_parameter;

/* Values and arrays that travel together. Backends see them one by one, in place of the
 * bundle: a call has at most WEFT_MAX_PARAMETERS of them. */
typedef struct weft_bundle {
    const weft_parameter *fields; /* offsets are from the beginning of the bundle */
    int32_t count;
    void (*least)(int64_t n, int64_t *lengths); /* as in weft_function */
} weft_bundle;

/* The text of a kernel file, includes pasted, as weft-embed writes it. */
typedef struct weft_source {
    const char *file, *text;
    size_t length;
} weft_source;

/* A host loop over [begin, end): arguments[k] points to the k-th value, or to the first
 * element of the k-th array, those of bundles in their place. */
typedef void weft_loop(void *const *arguments, int64_t begin, int64_t end);
/* The same for a generator: writes out[0 .. end - begin). */
typedef void weft_fill_loop(void *const *arguments, int64_t begin, int64_t end, void *out);

typedef struct weft_function {
    const char *name;
    const weft_source *source;
    const weft_parameter *parameters;
    int32_t count;
    /* For a launch over n: the least length of each parameter's array (not of bundles). */
    void (*least)(int64_t n, int64_t *lengths);
    /* Of functions that a comparison makes: its name, and the type that it compares. */
    const char *comparison, *compared;
} weft_function;

typedef struct weft_kernel {
    weft_function function;
    weft_loop *loop;
} weft_kernel;

typedef struct weft_generator {
    weft_function function;
    const char *type_name;
    weft_type type;
    weft_fill_loop *fill;
} weft_generator;

typedef struct weft_operator {
    const char *name, *type_name;
    const weft_source *source;
    weft_type type;
    const void *identity;
    /* out[i] = a[i] op b[i]; out may be a or b. */
    void (*combine)(const void *a, const void *b, void *out, int64_t n);
    /* Scans in[0 .. n) as WEFT_ROWS rows side by side, each of n / (WEFT_ROWS * WEFT_STEP)
     * * WEFT_STEP elements, and what is left over as one more: each by itself, and anew
     * from each head on (heads may be NULL). sums[r] = what row r has come to; out may be
     * in. */
    void (*scan)(const void *in, const uint32_t *heads, int exclusive, void *out, int64_t n,
                 void *sums);
    /* out[i] = *prefix op in[i]; out may be in. */
    void (*lead)(const void *prefix, const void *in, void *out, int64_t n);
} weft_operator;

/* An all-pairs fold within segments; parameter 0 is the array of points. */
typedef struct weft_pairs_function {
    weft_function function;
    const char *type_name;
    weft_type type;
    const void *initial;
    /* out[i - begin] folds over j in [first, last), for i in [begin, end). */
    void (*fold)(void *const *arguments, int64_t begin, int64_t end, int64_t first,
                 int64_t last, void *out);
} weft_pairs_function;

#ifdef __cplusplus
}
#endif
#endif
