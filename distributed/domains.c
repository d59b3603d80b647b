#include "domains.h"
#include "domains.kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void domains_place(const double period[3], const struct positions *positions, int64_t i,
                   double place[3]) {
    if (positions->bytes == 4) {
        const float *at = (const float *)positions->at + 3 * i;
        place[0] = (double)at[0], place[1] = (double)at[1], place[2] = (double)at[2];
    } else {
        memcpy(place, (const double *)positions->at + 3 * i, 3 * sizeof *place);
    }
    for (int axis = 0; axis < 3; ++axis)
        place[axis] = domains_wrap(place[axis], period[axis]);
}

void domains_sample(const double period[3], const struct positions *positions, int count,
                    double *sample) {
    const int64_t n = positions->n;
    for (int k = 0; k < count; ++k) {
        if (k < n)
            domains_place(period, positions,
                          n <= count ? k : (int64_t)((double)n * (k + 0.5) / count),
                          sample + 3 * k);
        else
            sample[3 * k] = sample[3 * k + 1] = sample[3 * k + 2] = NAN;
    }
}

static void swap(double *a, double *b) {
    double place[3];
    memcpy(place, a, sizeof place);
    memcpy(a, b, sizeof place);
    memcpy(b, place, sizeof place);
}

/* Hoare's selection: puts the k-th of the places on an axis where it belongs, and smaller
 * ones before it. */
static void place_kth(double *places, int64_t n, int64_t k, int axis) {
    int64_t low = 0, high = n - 1;
    while (low < high) {
        const double pivot = places[3 * (low + (high - low) / 2) + axis];
        int64_t i = low, j = high;
        while (i <= j) {
            while (places[3 * i + axis] < pivot)
                ++i;
            while (places[3 * j + axis] > pivot)
                --j;
            if (i <= j) {
                swap(places + 3 * i, places + 3 * j);
                ++i;
                --j;
            }
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            return;
    }
}

static int longest_axis(const double *places, int64_t n) {
    double longest = -1;
    int which = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t k = 0; k < n; ++k) {
            const double place = places[3 * k + axis];
            low = place < low ? place : low;
            high = place > high ? place : high;
        }
        if (high - low > longest) {
            longest = high - low;
            which = axis;
        }
    }
    return which;
}

/* Cuts for n domains, the left of n / 2, from places[0 .. count). */
static void bisect(struct domains_plane *cuts, int n, double *places, int64_t count) {
    if (n < 2)
        return;
    const int left = n / 2, axis = longest_axis(places, count);
    const int64_t k = count * left / n;
    place_kth(places, count, k, axis);
    cuts[0] =
        (struct domains_plane){.at = count > 0 ? places[3 * k + axis] : 0, .axis = axis};
    bisect(cuts + 1, left, places, k);
    bisect(cuts + left, n - left, places + 3 * k, count - k);
}

/* The boxes of n domains that are cut from one. */
static void find_boxes(const struct domains_plane *cut, int n, struct domains_box box,
                       struct domains_box *boxes) {
    if (n == 1) {
        *boxes = box;
        return;
    }
    struct domains_box left = box;
    left.high[cut->axis] = box.low[cut->axis] = cut->at;
    find_boxes(cut + 1, n / 2, left, boxes);
    find_boxes(cut + n / 2, n - n / 2, box, boxes + n / 2);
}

bool domains_cut(struct domains *domains, int n, const double period[3], double *sample,
                 int64_t count) {
    int64_t real = 0;
    *domains = (struct domains){.n = n};
    memcpy(domains->period, period, sizeof domains->period);
    domains->cuts = calloc((size_t)n, sizeof *domains->cuts);
    domains->boxes = malloc((size_t)n * sizeof *domains->boxes);
    if (domains->cuts == NULL || domains->boxes == NULL)
        return false;
    for (int64_t k = 0; k < count; ++k) {
        if (!isnan(sample[3 * k]))
            swap(sample + 3 * k, sample + 3 * real++);
    }
    bisect(domains->cuts, n, sample, real);
    struct domains_box all;
    for (int axis = 0; axis < 3; ++axis) {
        all.low[axis] = period[axis] > 0 ? 0 : -INFINITY;
        all.high[axis] = period[axis] > 0 ? period[axis] : INFINITY;
    }
    find_boxes(domains->cuts, n, all, domains->boxes);
    return true;
}

void domains_free(struct domains *domains) {
    free(domains->cuts);
    free(domains->boxes);
    *domains = (struct domains){0};
}

int domains_owner(const struct domains *domains, const double place[3]) {
    return (int)domains_find(domains->cuts, domains->n, place[0], place[1], place[2]);
}

static uint16_t owner_of(const struct domains *domains, double x, double y, double z) {
    const double *period = domains->period;
    return (uint16_t)domains_find(domains->cuts, domains->n, domains_wrap(x, period[0]),
                                  domains_wrap(y, period[1]), domains_wrap(z, period[2]));
}

/* Of coordinates that are within their periods already. */
static uint16_t owner_within(const struct domains_plane *cut, int n, const float at[3]) {
    int first = 0;
    while (n > 1) {
        const int left = n / 2, right = (double)at[cut->axis] < cut->at ? 0 : 1;
        cut += 1 + right * (left - 1);
        first += right * left;
        n = left + right * (n - 2 * left);
    }
    return (uint16_t)first;
}

/* Lanes are vectors. */
static bool are_within(const double period[3], const float *at, int64_t n) {
    enum { LANES = 48 };
    float low[LANES], high[LANES];
    int outside[LANES] = {0}, any = 0;
    int64_t k = 0;
    for (int l = 0; l < LANES; ++l) {
        const double end = period[l % 3];
        low[l] = end > 0 ? 0 : -INFINITY;
        high[l] = end > 0 ? (float)end : INFINITY;
        if ((double)high[l] < end) /* A float below the period is below the next one. */
            high[l] = nextafterf(high[l], INFINITY);
    }
    for (; k + LANES <= 3 * n; k += LANES) {
        for (int l = 0; l < LANES; ++l)
            outside[l] |= !(at[k + l] >= low[l]) | !(at[k + l] < high[l]);
    }
    for (; k < 3 * n; ++k)
        any |= !(at[k] >= low[k % 3]) | !(at[k] < high[k % 3]);
    for (int l = 0; l < LANES; ++l)
        any |= outside[l];
    return any == 0;
}

void domains_owners(const struct domains *domains, const struct positions *positions,
                    int64_t first, int64_t n, uint16_t *owner) {
    if (positions->bytes == 4) {
        const float *at = (const float *)positions->at + 3 * first;
        const bool within = are_within(domains->period, at, n);
        for (int64_t i = 0; within && i < n; ++i, at += 3)
            owner[i] = owner_within(domains->cuts, domains->n, at);
        for (int64_t i = 0; !within && i < n; ++i, at += 3)
            owner[i] = owner_of(domains, (double)at[0], (double)at[1], (double)at[2]);
    } else {
        const double *at = (const double *)positions->at + 3 * first;
        for (int64_t i = 0; i < n; ++i, at += 3)
            owner[i] = owner_of(domains, at[0], at[1], at[2]);
    }
}

struct search {
    double low[3], high[3];
    int *found, count;
    bool again; /* a domain may have been found before */
};

/* Rounding keeps the order of numbers: what lies within reach of a place is not below `low`
 * nor above `high`, rounded as they are. */
static void collect(struct search *search, const struct domains_plane *cut, int first,
                    int n) {
    if (n == 1) {
        int k = search->again ? 0 : search->count;
        while (k < search->count && search->found[k] != first)
            ++k;
        if (k == search->count)
            search->found[search->count++] = first;
        return;
    }
    const int left = n / 2;
    if (search->low[cut->axis] < cut->at)
        collect(search, cut + 1, first, left);
    if (search->high[cut->axis] >= cut->at)
        collect(search, cut + left, first + left, n - left);
}

/* Then domains_near, which rounds as this does, goes neither around nor beyond a cut. */
bool domains_is_inside(const struct domains *domains, int owner, const double place[3],
                       const double reach[3]) {
    const struct domains_box *box = &domains->boxes[owner];
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis)
        inside &= place[axis] - reach[axis] > box->low[axis] &&
                  place[axis] + reach[axis] < box->high[axis];
    return inside;
}

int domains_near(const struct domains *domains, const double place[3],
                 const double reach[3], int *found) {
    struct search search = {.found = found};
    double image[3][3];
    int images[3];
    for (int axis = 0; axis < 3; ++axis) {
        const double x = place[axis], period = domains->period[axis];
        images[axis] = 0;
        image[axis][images[axis]++] = x;
        if (period > 0 && x - reach[axis] <= 0)
            image[axis][images[axis]++] = x + period;
        if (period > 0 && x + reach[axis] >= period)
            image[axis][images[axis]++] = x - period;
    }
    for (int k = 0; k < images[0] * images[1] * images[2]; ++k) {
        const int which[3] = {k % images[0], k / images[0] % images[1],
                              k / images[0] / images[1]};
        for (int axis = 0; axis < 3; ++axis) {
            search.low[axis] = image[axis][which[axis]] - reach[axis];
            search.high[axis] = image[axis][which[axis]] + reach[axis];
        }
        search.again = k > 0;
        collect(&search, domains->cuts, 0, domains->n);
    }
    return search.count;
}
