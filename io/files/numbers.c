#include "numbers.h"
#include "io/crew/crew.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

enum { BLOCK = 4096 };

static bool is_finite_f32(const char *values, int64_t n) {
    uint32_t found = 0;
    for (int64_t i = 0; i < n; ++i) {
        uint32_t bits;
        memcpy(&bits, values + 4 * i, sizeof bits);
        found |= (bits & 0x7f800000u) == 0x7f800000u;
    }
    return found == 0;
}

static bool is_finite_f64(const char *values, int64_t n) {
    uint64_t found = 0;
    for (int64_t i = 0; i < n; ++i) {
        uint64_t bits;
        memcpy(&bits, values + 8 * i, sizeof bits);
        /* one more than the largest exponent: the sign's bit */
        found |= (bits & 0x7ff0000000000000u) + 0x0010000000000000u;
    }
    return found >> 63 == 0;
}

static bool is_finite(const void *values, int bytes, int64_t first, int64_t n) {
    const char *start = (const char *)values + first * bytes;
    return bytes == 4 ? is_finite_f32(start, n) : is_finite_f64(start, n);
}

/* Whether all of some numbers are as they should be. */
typedef bool good(const void *values, int bytes, int64_t first, int64_t n);

struct search {
    good *all_are;
    const void *values;
    int bytes;
    _Atomic int64_t first; /* that is not; n: none */
};

static void look(void *context, int64_t begin, int64_t end, int part) {
    struct search *s = context;
    (void)part;
    for (int64_t first = begin; first < end && first < s->first; first += BLOCK) {
        const int64_t length = end - first < BLOCK ? end - first : BLOCK;
        if (s->all_are(s->values, s->bytes, first, length))
            continue;
        int64_t i = first, before = s->first;
        while (s->all_are(s->values, s->bytes, i, 1))
            ++i;
        while (i < before && !atomic_compare_exchange_weak(&s->first, &before, i))
            continue;
        return;
    }
}

static int64_t first_without(int threads, good *all_are, const void *values, int bytes,
                             int64_t n) {
    struct search search = {all_are, values, bytes, n};
    crew_run(threads, n, look, &search);
    return search.first < n ? search.first : -1;
}

int64_t io_first_not_finite(int threads, const void *values, int bytes, int64_t n) {
    return first_without(threads, is_finite, values, bytes, n);
}

static bool is_positive(const void *values, int bytes, int64_t first, int64_t n) {
    const float *narrow = (const float *)values + (bytes == 4 ? first : 0);
    const double *wide = (const double *)values + (bytes == 4 ? 0 : first);
    int found = 0;
    for (int64_t i = 0; bytes == 4 && i < n; ++i)
        found |= !(narrow[i] > 0);
    for (int64_t i = 0; bytes != 4 && i < n; ++i)
        found |= !(wide[i] > 0);
    return found == 0;
}

int64_t io_first_not_positive(int threads, const void *values, int bytes, int64_t n) {
    return first_without(threads, is_positive, values, bytes, n);
}

/* Lowest and highest of the numbers i, i + LANES, ..., and a sum that is 0 if all of them
 * are finite, NaN if not. */
enum { LANES = 24 /* for one to four axes */ };
struct lanes {
    double low[LANES], high[LANES], odd[LANES];
};

/* NaN is none. */
static inline void widen(struct lanes *lanes, const double *x) {
    for (int k = 0; k < LANES; ++k) {
        lanes->low[k] = x[k] < lanes->low[k] ? x[k] : lanes->low[k];
        lanes->high[k] = x[k] > lanes->high[k] ? x[k] : lanes->high[k];
        lanes->odd[k] += x[k] - x[k];
    }
}

static bool find_extent(const void *values, int bytes, int axes, int64_t n, double *low,
                        double *high) {
    const int64_t numbers = n * axes, whole = numbers / LANES * LANES;
    struct lanes lanes;
    double some[LANES], odd = 0;
    for (int k = 0; k < LANES; ++k) {
        lanes.low[k] = INFINITY;
        lanes.high[k] = -INFINITY;
        lanes.odd[k] = 0;
    }
    for (int64_t first = 0; bytes == 8 && first < whole; first += LANES)
        widen(&lanes, (const double *)values + first);
    for (int64_t first = 0; bytes == 4 && first < whole; first += LANES) {
        for (int k = 0; k < LANES; ++k)
            some[k] = (double)((const float *)values)[first + k];
        widen(&lanes, some);
    }
    for (int64_t k = whole; k < numbers; ++k)
        some[k - whole] = io_value(values, bytes, k);
    for (int64_t k = numbers; k < whole + LANES && n > 0; ++k)
        some[k - whole] = io_value(values, bytes, numbers - axes + k % axes);
    if (n > 0)
        widen(&lanes, some);
    for (int k = 0; k < LANES; ++k)
        odd += lanes.odd[k];
    for (int axis = 0; axis < axes; ++axis) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
        for (int k = axis; k < LANES; k += axes) {
            low[axis] = lanes.low[k] < low[axis] ? lanes.low[k] : low[axis];
            high[axis] = lanes.high[k] > high[axis] ? lanes.high[k] : high[axis];
        }
    }
    return odd == 0;
}

enum { MOST_AXES = 4, MOST_PARTS = 256 };
struct extent {
    const char *values;
    int bytes, axes;
    double low[MOST_PARTS][MOST_AXES], high[MOST_PARTS][MOST_AXES];
    bool finite[MOST_PARTS];
};

static void find_part(void *context, int64_t begin, int64_t end, int part) {
    struct extent *e = context;
    e->finite[part] = find_extent(e->values + begin * e->axes * e->bytes, e->bytes, e->axes,
                                  end - begin, e->low[part], e->high[part]);
}

bool io_extent(int threads, const void *values, int bytes, int axes, int64_t n, double *low,
               double *high) {
    struct extent e = {.values = values, .bytes = bytes, .axes = axes};
    const int most = threads < MOST_PARTS ? threads : MOST_PARTS;
    const int parts = crew_parts(most, n);
    bool finite = true;
    crew_run(most, n, find_part, &e);
    for (int k = 0; k < parts; ++k)
        finite &= e.finite[k];
    for (int axis = 0; axis < axes; ++axis) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
        for (int k = 0; k < parts; ++k) {
            low[axis] = e.low[k][axis] < low[axis] ? e.low[k][axis] : low[axis];
            high[axis] = e.high[k][axis] > high[axis] ? e.high[k][axis] : high[axis];
        }
    }
    return finite;
}

struct range {
    const int64_t *values;
    int64_t smallest[MOST_PARTS], largest[MOST_PARTS];
};

static void range_part(void *context, int64_t begin, int64_t end, int part) {
    struct range *r = context;
    int64_t smallest = r->values[begin], largest = smallest;
    for (int64_t i = begin; i < end; ++i) {
        smallest = r->values[i] < smallest ? r->values[i] : smallest;
        largest = r->values[i] > largest ? r->values[i] : largest;
    }
    r->smallest[part] = smallest;
    r->largest[part] = largest;
}

void io_range(int threads, const int64_t *values, int64_t n, int64_t *smallest,
              int64_t *largest) {
    const int most = threads < MOST_PARTS ? threads : MOST_PARTS;
    struct range r = {.values = values};
    crew_run(most, n, range_part, &r);
    *smallest = r.smallest[0];
    *largest = r.largest[0];
    for (int k = 1; k < crew_parts(most, n); ++k) {
        *smallest = r.smallest[k] < *smallest ? r.smallest[k] : *smallest;
        *largest = r.largest[k] > *largest ? r.largest[k] : *largest;
    }
}

struct io_seen io_seen_none(void) {
    struct io_seen seen = {.smallest = INT64_MAX, .largest = INT64_MIN};
    for (int axis = 0; axis < 3; ++axis) {
        seen.low[axis] = INFINITY;
        seen.high[axis] = -INFINITY;
    }
    return seen;
}

void io_seen_join(struct io_seen *seen, const struct io_seen *more) {
    seen->rows += more->rows;
    seen->odd |= more->odd;
    for (int axis = 0; axis < 3; ++axis) {
        seen->low[axis] = fmin(seen->low[axis], more->low[axis]);
        seen->high[axis] = fmax(seen->high[axis], more->high[axis]);
    }
    seen->smallest = more->smallest < seen->smallest ? more->smallest : seen->smallest;
    seen->largest = more->largest > seen->largest ? more->largest : seen->largest;
}

void io_see(struct io_seen *seen, const void *values, int bytes, int axes, int64_t n) {
    struct io_seen these = io_seen_none();
    these.rows = n;
    these.odd = !find_extent(values, bytes, axes, n, these.low, these.high);
    io_seen_join(seen, &these);
}

void io_see_integers(struct io_seen *seen, const int64_t *values, int64_t n) {
    struct io_seen these = io_seen_none();
    these.rows = n;
    if (n > 0)
        io_range(1, values, n, &these.smallest, &these.largest);
    io_seen_join(seen, &these);
}

struct scaling {
    void *values;
    int bytes;
    double factor;
};

static void scale_part(void *context, int64_t begin, int64_t end, int part) {
    const struct scaling *s = context;
    float *narrow = s->values;
    double *wide = s->values;
    (void)part;
    for (int64_t i = begin; s->bytes == 4 && i < end; ++i)
        narrow[i] = (float)(s->factor * (double)narrow[i]);
    for (int64_t i = begin; s->bytes != 4 && i < end; ++i)
        wide[i] *= s->factor;
}

void io_scale(int threads, void *values, int bytes, int64_t n, double factor) {
    struct scaling scaling = {values, bytes, factor};
    crew_run(threads, n, scale_part, &scaling);
}

double io_value(const void *values, int bytes, int64_t index) {
    return bytes == 4 ? (double)((const float *)values)[index]
                      : ((const double *)values)[index];
}

int64_t io_share(int64_t n, int share, int shares) {
    return n / shares * share + n % shares * share / shares;
}
