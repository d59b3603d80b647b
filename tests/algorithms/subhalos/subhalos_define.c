/* Steps 1 to 7 as the header has them, for one halo at a time. */
#include "subhalos_define.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A halo: its members by ascending id, and by density. */
typedef struct halo {
    const scene *s;
    weft_subhalos_options o;
    i64 n;
    const i64 *who; /* [n] particles by id */
    f64 *key;       /* [n] */
    i64 *near;      /* [n][links], -1: none */
    i64 *dense;     /* [n] members by density */
    i64 *rank;      /* [n] place of each there */
    i64 *peak;      /* [n] of each place: that of its peak */
    i64 *branch;    /* [n] of each peak: the branch it is in, by the place of its name */
} halo;

typedef struct saddle {
    i64 level, denser, other;
} saddle;

typedef struct candidate {
    i64 name, level, around; /* members of the branch before the level; a candidate */
    i64 count, *member;
    int bound;
} candidate;

static f64 apart(f64 a, f64 b, f64 box) {
    return box > 0 ? remainder(a - b, box) : a - b;
}

static f64 squared(const halo *h, i64 a, i64 b) {
    f64 d[3];
    for (int k = 0; k < 3; k++)
        d[k] = apart(h->s->x[3 * h->who[a] + k], h->s->x[3 * h->who[b] + k], h->s->box[k]);
    return (d[0] * d[0] + d[1] * d[1]) + d[2] * d[2];
}

static const f64 *by;
static int by_value(const void *a, const void *b) {
    const i64 i = *(const i64 *)a, j = *(const i64 *)b;
    return by[i] < by[j] ? -1 : by[i] > by[j] ? 1 : i < j ? -1 : i > j;
}

/* The first `most` of all but m by (d2, member), into near; how many there are. */
static i64 find_nearest(const halo *h, i64 m, i64 most, i64 *near, f64 *d2) {
    i64 count = 0;
    for (i64 k = 0; k < h->n; k++) {
        const f64 far = squared(h, m, k);
        if (k == m || (count == most && !(far < d2[most - 1])))
            continue;
        count += count < most;
        i64 at = count - 1;
        for (; at > 0 && far < d2[at - 1]; at--) {
            near[at] = near[at - 1];
            d2[at] = d2[at - 1];
        }
        near[at] = k;
        d2[at] = far;
    }
    return count;
}

static void find_keys(halo *h) {
    enum { MOST = 64 };
    const i64 dense = h->o.density_neighbours, links = h->o.link_neighbours;
    for (i64 m = 0; m < h->n; m++) {
        i64 near[MOST];
        f64 d2[MOST];
        const i64 count = find_nearest(h, m, dense > links ? dense : links, near, d2);
        const i64 last = dense < count ? dense : count;
        h->key[m] = last > 0 ? d2[last - 1] : 0;
        for (i64 l = 0; l < links; l++)
            h->near[m * links + l] = l < count ? near[l] : -1;
        h->dense[m] = m;
    }
    by = h->key;
    qsort(h->dense, (size_t)h->n, sizeof *h->dense, by_value);
    for (i64 p = 0; p < h->n; p++)
        h->rank[h->dense[p]] = p;
}

static int joined(const halo *h, i64 p, i64 q) {
    const i64 links = h->o.link_neighbours, a = h->dense[p], b = h->dense[q];
    for (i64 l = 0; l < links; l++)
        if (h->near[a * links + l] == b || h->near[b * links + l] == a)
            return 1;
    return 0;
}

static void find_peaks(halo *h) {
    for (i64 p = 0; p < h->n; p++) {
        i64 up = 0;
        while (up < p && !joined(h, p, up))
            up++;
        h->peak[p] = up == p ? p : h->peak[up];
    }
}

static int before(i64 a, i64 b) {
    return a < b ? -1 : a > b;
}

static int by_level(const void *a, const void *b) {
    const saddle *s = a, *t = b;
    return s->level != t->level     ? before(s->level, t->level)
           : s->denser != t->denser ? before(s->denser, t->denser)
                                    : before(s->other, t->other);
}

/* All pairs of joined members of two peaks; those of one pair of peaks after the first do
 * nothing. The last ones join what nothing joins. */
static saddle *find_saddles(const halo *h, i64 *count) {
    saddle *s = malloc((size_t)(h->n * (2 * h->o.link_neighbours + 1) + 1) * sizeof *s);
    *count = 0;
    for (i64 p = 0; p < h->n; p++)
        for (i64 q = 0; q < p; q++) {
            const i64 a = h->peak[p], b = h->peak[q];
            if (a != b && joined(h, p, q))
                s[(*count)++] = (saddle){p, a < b ? a : b, a < b ? b : a};
        }
    qsort(s, (size_t)*count, sizeof *s, by_level);
    for (i64 p = 1; p < h->n; p++)
        if (h->peak[p] == p)
            s[(*count)++] = (saddle){h->n, 0, p};
    return s;
}

static i64 size_before(const halo *h, i64 branch, i64 level) {
    i64 size = 0;
    for (i64 p = 0; p < level; p++)
        size += h->branch[h->peak[p]] == branch;
    return size;
}

/* The members of a branch before a level, by id. */
static candidate take(const halo *h, i64 branch, i64 level) {
    candidate c = {.name = branch, .level = level, .around = -1};
    c.member = malloc((size_t)(level + 1) * sizeof *c.member);
    for (i64 m = 0; m < h->n; m++)
        if (h->rank[m] < level && h->branch[h->peak[h->rank[m]]] == branch)
            c.member[c.count++] = m;
    return c;
}

/* Who the superlevel sets are by a plain search of all that is joined: a branch has the
 * members of one. */
static void expect_components(const halo *h, i64 level) {
    i64 *set = malloc((size_t)(level + 1) * sizeof *set);
    for (i64 p = 0; p < level; p++)
        set[p] = p;
    for (int changed = 1; changed;) {
        changed = 0;
        for (i64 p = 0; p < level; p++)
            for (i64 l = 0; l < h->o.link_neighbours; l++) {
                const i64 near = h->near[h->dense[p] * h->o.link_neighbours + l];
                const i64 q = near < 0 ? level : h->rank[near];
                if (q < level && set[p] != set[q]) {
                    set[p] = set[q] = set[p] < set[q] ? set[p] : set[q];
                    changed = 1;
                }
            }
    }
    for (i64 p = 0; p < level; p++) {
        const i64 first = set[p];
        ck_assert_int_eq(h->branch[h->peak[p]], h->branch[h->peak[first]]);
        if (first == p)
            for (i64 q = 0; q < p; q++)
                ck_assert_int_ne(h->branch[h->peak[p]], h->branch[h->peak[q]]);
    }
    free(set);
}

static candidate *find_candidates(halo *h, i64 *count) {
    i64 saddles = 0, looked = 0;
    saddle *s = find_saddles(h, &saddles);
    candidate *c = malloc((size_t)(h->n + 2) * sizeof *c);
    *count = 0;
    for (i64 p = 0; p < h->n; p++)
        h->branch[p] = p;
    for (i64 k = 0; k < saddles; k++) {
        while (looked < s[k].level && s[k].level < h->n) {
            expect_components(h, s[k].level);
            looked += h->n / 20 + 1;
        }
        const i64 a = h->branch[s[k].denser], b = h->branch[s[k].other];
        if (a == b)
            continue;
        const i64 of_a = size_before(h, a, s[k].level),
                  of_b = size_before(h, b, s[k].level);
        const int a_goes_on = of_a != of_b ? of_a > of_b : a < b;
        const i64 stays = a_goes_on ? a : b, ends = a_goes_on ? b : a;
        if ((a_goes_on ? of_b : of_a) >= h->o.least) {
            candidate new = take(h, ends, s[k].level);
            for (i64 i = 0; i < *count; i++)
                if (c[i].around < 0 && h->branch[c[i].name] == ends)
                    c[i].around = *count;
            c[(*count)++] = new;
        }
        for (i64 p = 0; p < h->n; p++)
            h->branch[p] = h->branch[p] == ends ? stays : h->branch[p];
    }
    if (h->n >= h->o.least) {
        candidate all = take(h, h->branch[0], h->n);
        for (i64 i = 0; i < *count; i++)
            c[i].around = c[i].around < 0 ? *count : c[i].around;
        c[(*count)++] = all;
    }
    free(s);
    return c;
}

static f64 mass_of(const scene *s, i64 i) {
    return s->has_mass ? s->m[i] : s->particle_mass;
}

/* A mean weighted by mass, relative to the first, in blocks of 256. */
static f64 mean_of(const halo *h, const candidate *c, const f64 *x, int axis, f64 box) {
    const i64 first = h->who[c->member[0]];
    f64 mass = 0, moment = 0;
    for (i64 b = 0; b < c->count; b += 256) {
        f64 mass_here = 0, moment_here = 0;
        for (i64 k = b; k < c->count && k < b + 256; k++) {
            const i64 i = h->who[c->member[k]];
            mass_here += mass_of(h->s, i);
            moment_here +=
                mass_of(h->s, i) * apart(x[3 * i + axis], x[3 * first + axis], box);
        }
        mass += mass_here, moment += moment_here;
    }
    const f64 at = x[3 * first + axis] + moment / mass;
    const f64 rest = box > 0 ? fmod(at, box) : at;
    const f64 wrapped = box > 0 && rest < 0 ? box + rest : rest;
    return box > 0 && !(wrapped < box) ? 0 : wrapped;
}

/* Places from the first member. */
static f64 *unwrap(const halo *h, const candidate *c) {
    f64 *u = malloc((size_t)(3 * c->count + 1) * sizeof *u);
    for (i64 k = 0; k < 3 * c->count; k++)
        u[k] = apart(h->s->x[3 * h->who[c->member[k / 3]] + k % 3],
                     h->s->x[3 * h->who[c->member[0]] + k % 3], h->s->box[k % 3]);
    return u;
}

static f64 potential_of(const halo *h, const candidate *c, const f64 *u, i64 m) {
    const f64 soft2 = h->o.softening * h->o.softening;
    f64 sum[1024] = {0};
    i64 blocks = 0;
    for (i64 b = 0; b < c->count; b += 256, blocks++)
        for (i64 k = b; k < c->count && k < b + 256; k++) {
            const f64 dx = u[3 * k] - u[3 * m], dy = u[3 * k + 1] - u[3 * m + 1],
                      dz = u[3 * k + 2] - u[3 * m + 2];
            const f64 s2 = ((dx * dx + dy * dy) + dz * dz) + soft2;
            sum[blocks] +=
                k == m || s2 == 0 ? 0 : mass_of(h->s, h->who[c->member[k]]) / sqrt(s2);
        }
    for (i64 part = 1; part < blocks; part *= 2)
        for (i64 k = 0; k + part < blocks; k += 2 * part)
            sum[k] += sum[k + part];
    return 0.0 - sum[0];
}

static void find_energies(const halo *h, const candidate *c, f64 *energy) {
    f64 center[3], drift[3], *u = unwrap(h, c);
    for (int a = 0; a < 3; a++) {
        center[a] = mean_of(h, c, h->s->x, a, h->s->box[a]);
        drift[a] = mean_of(h, c, h->s->v, a, 0);
    }
    for (i64 k = 0; k < c->count; k++) {
        const i64 i = h->who[c->member[k]];
        f64 w[3];
        for (int a = 0; a < 3; a++)
            w[a] = (h->s->v[3 * i + a] - drift[a]) +
                   h->o.hubble * apart(h->s->x[3 * i + a], center[a], h->s->box[a]);
        energy[k] = 0.5 * ((w[0] * w[0] + w[1] * w[1]) + w[2] * w[2]) +
                    h->o.gravity * potential_of(h, c, u, k);
    }
    free(u);
}

static int by_value_down(const void *a, const void *b) {
    const i64 i = *(const i64 *)a, j = *(const i64 *)b;
    return by[i] > by[j] ? -1 : by[i] < by[j] ? 1 : i < j ? -1 : i > j;
}

static void unbind(const halo *h, candidate *c, f64 *energy) {
    i64 *unbound = malloc((size_t)(c->count + 1) * sizeof *unbound);
    while (c->count >= h->o.least) {
        i64 count = 0, left = 0;
        if (h->o.keep_unbound)
            memset(energy, 0, (size_t)c->count * sizeof *energy);
        else
            find_energies(h, c, energy);
        for (i64 k = 0; k < c->count && !h->o.keep_unbound; k++)
            if (energy[k] >= 0)
                unbound[count++] = k;
        c->bound = count == 0;
        if (c->bound)
            break;
        by = energy;
        qsort(unbound, (size_t)count, sizeof *unbound, by_value_down);
        for (i64 k = 0; k < (count + 1) / 2; k++)
            c->member[unbound[k]] = -1;
        for (i64 k = 0; k < c->count; k++)
            if (c->member[k] >= 0)
                c->member[left++] = c->member[k];
        c->count = left;
    }
    free(unbound);
}

/* Candidates come before those around them. */
static void settle(const halo *h, candidate *c, i64 count, belonging *to) {
    char *taken = calloc((size_t)h->n, 1);
    f64 *energy = malloc((size_t)(h->n + 1) * sizeof *energy);
    for (i64 i = 0; i < count; i++) {
        i64 left = 0;
        for (i64 k = 0; k < c[i].count; k++)
            if (!taken[c[i].member[k]])
                c[i].member[left++] = c[i].member[k];
        c[i].count = left;
        unbind(h, &c[i], energy);
        for (i64 k = 0; k < c[i].count && c[i].bound; k++) {
            taken[c[i].member[k]] = 1;
            to[h->who[c[i].member[k]]].energy = energy[k];
        }
    }
    for (i64 i = 0; i < count; i++) {
        belonging b = {0, h->who[h->dense[c[i].name]], -1, 0};
        for (i64 a = c[i].around; a >= 0; a = c[a].around)
            if (c[a].bound) {
                b.parent = b.depth == 0 ? h->who[h->dense[c[a].name]] : b.parent;
                b.depth++;
            }
        for (i64 k = 0; k < c[i].count && c[i].bound; k++) {
            b.energy = to[h->who[c[i].member[k]]].energy;
            to[h->who[c[i].member[k]]] = b;
        }
    }
    free(taken), free(energy);
}

static void define_halo(const scene *s, const weft_subhalos_options *o, const i64 *who,
                        i64 n, belonging *to) {
    const size_t bytes = (size_t)n * sizeof(i64);
    halo h = {.s = s, .o = *o, .n = n, .who = who, .key = malloc(bytes)};
    h.near = malloc(bytes * (size_t)o->link_neighbours);
    h.dense = malloc(bytes), h.rank = malloc(bytes);
    h.peak = malloc(bytes), h.branch = malloc(bytes);
    find_keys(&h);
    find_peaks(&h);
    i64 count = 0;
    candidate *c = find_candidates(&h, &count);
    settle(&h, c, count, to);
    for (i64 k = 0; k < count; k++)
        free(c[k].member);
    free(c), free(h.key), free(h.near), free(h.dense), free(h.rank), free(h.peak);
    free(h.branch);
}

static const scene *sorted;
static int by_halo(const void *a, const void *b) {
    const i64 i = *(const i64 *)a, j = *(const i64 *)b;
    return sorted->label[i] != sorted->label[j] ? before(sorted->label[i], sorted->label[j])
                                                : before(sorted->id[i], sorted->id[j]);
}

void scene_define(const scene *s, belonging *to) {
    weft_subhalos_options o = s->o;
    o.least_halo = o.least_halo ? o.least_halo : 50;
    o.least = o.least ? o.least : 20;
    o.density_neighbours = o.density_neighbours ? o.density_neighbours : 20;
    o.link_neighbours = o.link_neighbours ? o.link_neighbours : 10;
    i64 *who = malloc((size_t)(s->n + 1) * sizeof *who);
    for (i64 i = 0; i < s->n; i++) {
        to[i] = (belonging){-1, -1, -1, 0};
        who[i] = i;
    }
    sorted = s;
    qsort(who, (size_t)s->n, sizeof *who, by_halo);
    for (i64 first = 0, end; first < s->n; first = end) {
        for (end = first + 1; end < s->n && s->label[who[end]] == s->label[who[first]];)
            end++;
        if (end - first >= o.least_halo && s->label[who[first]] != UINT32_MAX)
            define_halo(s, &o, who + first, end - first, to);
    }
    free(who);
}
