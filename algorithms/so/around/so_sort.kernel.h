/* Sorts by (squared distance, id), within one work-item; and into shells, of which those
 * that are asked for are sorted. */
#ifndef WEFT_SO_SORT_KERNEL_H
#define WEFT_SO_SORT_KERNEL_H

#include <weft/kernel.h>

/* Squared distances with those whose they are, who decide among equal ones where they are
 * `named`: by `id` where there are ids (not NULL), else by themselves. */
typedef struct so_sort_list {
    GLOBAL f64 *r2;
    GLOBAL u32 *who;
    GLOBAL const i64 *id;
    i32 named;
} so_sort_list;

static inline i32 so_sort_before(const so_sort_list *s, f64 a, u32 a_who, f64 b,
                                 u32 b_who) {
    if (a != b || !s->named)
        return a < b;
    return s->id ? s->id[a_who] < s->id[b_who] : a_who < b_who;
}

static inline u32 so_sort_who(const so_sort_list *s, i64 k) {
    return s->named ? s->who[(index_t)k] : 0;
}

static inline void so_sort_put(const so_sort_list *s, i64 k, f64 r2, u32 who) {
    s->r2[(index_t)k] = r2;
    if (s->named)
        s->who[(index_t)k] = who;
}

static inline void so_sort_insert(const so_sort_list *s, i64 begin, i64 end) {
    for (i64 k = begin + 1; k < end; k++) {
        const f64 r2 = s->r2[(index_t)k];
        const u32 who = so_sort_who(s, k);
        i64 to = k;
        for (; to > begin &&
               so_sort_before(s, r2, who, s->r2[(index_t)to - 1], so_sort_who(s, to - 1));
             to--)
            so_sort_put(s, to, s->r2[(index_t)to - 1], so_sort_who(s, to - 1));
        so_sort_put(s, to, r2, who);
    }
}

/* Lets an element sink from `hole` in a heap of n whose top is the last in order. */
static inline void so_sort_sink(const so_sort_list *s, i64 begin, i64 n, i64 hole, f64 r2,
                                u32 who) {
    for (i64 child = 2 * hole + 1; child < n; child = 2 * hole + 1) {
        const i64 at = begin + child;
        if (child + 1 < n && so_sort_before(s, s->r2[(index_t)at], so_sort_who(s, at),
                                            s->r2[(index_t)at + 1], so_sort_who(s, at + 1)))
            child++;
        const f64 below = s->r2[(index_t)(begin + child)];
        const u32 below_who = so_sort_who(s, begin + child);
        if (!so_sort_before(s, r2, who, below, below_who))
            break;
        so_sort_put(s, begin + hole, below, below_who);
        hole = child;
    }
    so_sort_put(s, begin + hole, r2, who);
}

static inline void so_sort_heap(const so_sort_list *s, i64 begin, i64 end) {
    const i64 n = end - begin;
    for (i64 k = n / 2; k-- > 0;)
        so_sort_sink(s, begin, n, k, s->r2[(index_t)(begin + k)],
                     so_sort_who(s, begin + k));
    for (i64 k = n - 1; k > 0; k--) {
        const f64 r2 = s->r2[(index_t)(begin + k)];
        const u32 who = so_sort_who(s, begin + k);
        so_sort_put(s, begin + k, s->r2[(index_t)begin], so_sort_who(s, begin));
        so_sort_sink(s, begin, k, 0, r2, who);
    }
}

enum { SO_SORT_FEW = 24 };

/* Sorts elements [begin, end). */
static inline void so_sort(const so_sort_list *s, i64 begin, i64 end) {
    if (end - begin <= SO_SORT_FEW)
        so_sort_insert(s, begin, end);
    else
        so_sort_heap(s, begin, end);
}

enum { SO_SHELLS = 1024 };
typedef struct so_shells {
    i64 count; /* particles */
    i32 shells;
    i32 unused;
    f64 per_length, width; /* shells to a length, and how wide each is */
    u32 end[SO_SHELLS];    /* each shell's */
    u32 sorted[SO_SHELLS]; /* those that are */
} so_shells;

static inline i32 so_shell_of(const so_shells *s, f64 r2) {
    return (i32)min(sqrt(r2) * s->per_length, (f64)(s->shells - 1));
}

/* Puts `count` particles into shells, of some `each`, from one list to the other. */
static inline void so_sift(so_shells *s, i64 count, i64 each, f64 reach,
                           const so_sort_list *from, const so_sort_list *to) {
    s->count = count;
    s->shells = count < 16 ? 1 : (i32)min(count / each, (i64)SO_SHELLS);
    s->per_length = (f64)s->shells / reach;
    s->width = reach / (f64)s->shells;
    for (i32 b = 0; b < s->shells; b++)
        s->end[b] = s->sorted[b] = 0;
    for (i64 k = 0; k < count; k++)
        s->end[so_shell_of(s, from->r2[(index_t)k])]++;
    u32 sum = 0;
    for (i32 b = 0; b < s->shells; b++) {
        const u32 n = s->end[b];
        s->end[b] = sum;
        sum += n;
    }
    for (i64 k = 0; k < count; k++) {
        const f64 r2 = from->r2[(index_t)k];
        const i64 at = s->end[so_shell_of(s, r2)]++;
        so_sort_put(to, at, r2, so_sort_who(from, k));
    }
}

static inline void so_sort_shell(so_shells *s, const so_sort_list *list, i32 b) {
    if (!s->sorted[b])
        so_sort(list, b > 0 ? s->end[b - 1] : 0, s->end[b]);
    s->sorted[b] = 1;
}

#endif
