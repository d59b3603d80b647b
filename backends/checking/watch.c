/* Runs an operation under changed circumstances, and finds what it should not have done. */
#include "checking.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif
#ifdef SANITIZED
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(begin, bytes) ((void)(begin), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(begin, bytes) ((void)(begin), (void)(bytes))
#endif

/* What changes from run to run. */
typedef struct circumstances {
    checking_order order; /* of the work-items */
    int filled;           /* outputs hold the other pattern */
    unsigned char beside; /* what the bytes beside the arrays are xored with */
} circumstances;

static const circumstances plain = {CHECKING_FORWARDS, 0, 0},
                           changed = {CHECKING_BACKWARDS, 1, 0xff},
                           one_half = {CHECKING_ONE_HALF, 0, 0},
                           other_half = {CHECKING_OTHER_HALF, 0, 0};

/* One window a block: its arrays and what is near them. */
static size_t find_windows(checking_operation *o) {
    size_t bytes = 0;
    for (i32 k = 0; k < o->regions; k++) {
        const checking_region *r = &o->region[k];
        char *low = r->begin, *high = r->end;
        i32 earlier = 0;
        for (i32 m = 0; m < o->regions; m++) {
            const checking_region *s = &o->region[m];
            if (s->block != r->block)
                continue;
            earlier |= m < k;
            low = s->begin < low ? s->begin : low;
            high = s->end > high ? s->end : high;
        }
        if (earlier)
            continue;
        char *first = r->block->begin - CHECKING_ZONE;
        char *last = r->block->end + CHECKING_ZONE;
        low = low - first > CHECKING_NEAR ? low - CHECKING_NEAR : first;
        high = last - high > CHECKING_NEAR ? high + CHECKING_NEAR : last;
        o->window[o->windows++] =
            (checking_window){.block = r->block, .begin = low, .end = high};
        bytes += (size_t)(high - low);
    }
    return bytes;
}

static void prepare(const checking_operation *o, circumstances c) {
    for (i32 w = 0; w < o->windows; w++) {
        const checking_window *window = &o->window[w];
        char *stop;
        memcpy(window->begin, window->before, (size_t)(window->end - window->begin));
        for (char *p = window->begin;
             (p = checking_gap(o, 0, p, window->end, &stop)) < window->end; p = stop)
            for (char *b = p; b < stop; b++)
                *b = (char)(*b ^ c.beside);
    }
    for (i32 k = 0; k < o->regions; k++)
        if (o->region[k].output)
            checking_fill(&o->region[k], c.filled);
}

/* Under the address sanitizer a read beside the arrays is reported where it happens. */
static void forbid(const weft_device *device, const checking_operation *o) {
    const checking_state *state = device->state;
    for (const checking_block *b = state->memory->blocks; b; b = b->next) {
        ASAN_POISON_MEMORY_REGION(b->begin - CHECKING_ZONE, CHECKING_ZONE);
        ASAN_POISON_MEMORY_REGION(b->end, CHECKING_ZONE);
    }
    for (i32 w = 0; w < o->windows; w++) {
        char *stop, *end = o->window[w].end;
        for (char *p = o->window[w].begin; (p = checking_gap(o, 0, p, end, &stop)) < end;
             p = stop)
            ASAN_POISON_MEMORY_REGION(p, (size_t)(stop - p));
    }
}

static void allow(const weft_device *device, const checking_operation *o) {
    const checking_state *state = device->state;
    for (const checking_block *b = state->memory->blocks; b; b = b->next) {
        ASAN_UNPOISON_MEMORY_REGION(b->begin - CHECKING_ZONE, CHECKING_ZONE);
        ASAN_UNPOISON_MEMORY_REGION(b->end, CHECKING_ZONE);
    }
    for (i32 w = 0; w < o->windows; w++)
        ASAN_UNPOISON_MEMORY_REGION(o->window[w].begin,
                                    (size_t)(o->window[w].end - o->window[w].begin));
}

static weft_status blame_write(weft_device *device, const checking_operation *o,
                               const checking_block *block, const char *byte) {
    const checking_region *nearest = NULL;
    size_t distance = 0;
    for (i32 k = 0; k < o->regions; k++) {
        const checking_region *r = &o->region[k];
        if (r->block != block)
            continue;
        if (r->begin <= byte && byte < r->end)
            return weft_fail(device, WEFT_E_CHECK,
                             "%s: wrote to its input '%s', element %zu", o->what, r->name,
                             (size_t)(byte - r->begin) / WEFT_SIZE(r->type));
        const size_t d = (size_t)(byte < r->begin ? r->begin - byte : byte - r->end) +
                         WEFT_SIZE(r->type);
        if (!nearest || r->written > nearest->written ||
            (r->written == nearest->written && d < distance)) {
            nearest = r;
            distance = d;
        }
    }
    const size_t size = WEFT_SIZE(nearest->type);
    const size_t length = (size_t)(nearest->end - nearest->begin) / size;
    if (byte < nearest->begin)
        return weft_fail(
            device, WEFT_E_CHECK,
            "%s: wrote before the beginning of array '%s', element -%zu of %zu", o->what,
            nearest->name, (distance - 1) / size, length);
    return weft_fail(device, WEFT_E_CHECK,
                     "%s: wrote beyond the end of array '%s', element %zu of %zu", o->what,
                     nearest->name, length + distance / size - 1, length);
}

/* The first of the bytes [from, stop) that is not what was before, xored with `mask`; stop:
 * none. */
static const char *first_changed(const char *from, const char *stop,
                                 const unsigned char *before, unsigned char mask) {
    enum { BLOCK = 256 };
    for (int is_same = 1; is_same && stop - from >= BLOCK;) {
        unsigned char changes = 0;
        for (int k = 0; k < BLOCK; k++)
            changes |= (unsigned char)((unsigned char)from[k] ^ mask ^ before[k]);
        is_same = changes == 0;
        from += is_same ? BLOCK : 0;
        before += is_same ? BLOCK : 0;
    }
    while (from < stop && ((unsigned char)*from ^ mask) == *before)
        from++, before++;
    return from;
}

/* That no byte changed but in arrays that are written. */
static weft_status inspect(weft_device *device, const checking_operation *o,
                           circumstances c) {
    for (i32 w = 0; w < o->windows; w++) {
        const checking_window *window = &o->window[w];
        char *stop, *next, *hidden_stop;
        for (char *p = window->begin;
             (p = checking_gap(o, 1, p, window->end, &stop)) < window->end; p = stop)
            for (char *b = p; b < stop; b = next) {
                char *hidden = checking_gap(o, 0, b, window->end, &hidden_stop);
                next = b < hidden ? hidden : hidden_stop;
                next = next < stop ? next : stop;
                const char *byte =
                    first_changed(b, next, window->before + (b - window->begin),
                                  b < hidden ? 0 : c.beside);
                if (byte < next)
                    return blame_write(device, o, window->block, byte);
            }
    }
    return WEFT_OK;
}

static weft_status run(weft_device *device, const checking_operation *o, circumstances c) {
    prepare(o, c);
    forbid(device, o);
    weft_scope_open(device);
    checking_run(device, o, c.order);
    weft_scope_close(device);
    allow(device, o);
    if (weft_check(device) == WEFT_OK)
        inspect(device, o, c);
    return weft_check(device);
}

/* Makes every gap what it was before; arrays keep what was written. */
static void restore(const checking_operation *o) {
    for (i32 w = 0; w < o->windows; w++) {
        const checking_window *window = &o->window[w];
        char *stop;
        for (char *p = window->begin;
             (p = checking_gap(o, 1, p, window->end, &stop)) < window->end; p = stop)
            memcpy(p, window->before + (p - window->begin), (size_t)(stop - p));
    }
}

static const checking_window *window_of(const checking_operation *o,
                                        const checking_region *region) {
    const checking_window *window = o->window;
    while (window->block != region->block)
        window++;
    return window;
}

/* The first byte of an array in which this run differs from the first; NULL: they agree.
 * A byte that still holds each run's pattern was not written by either. */
static const char *difference(const checking_operation *o, circumstances c,
                              const checking_region **where) {
    for (i32 k = 0; k < o->regions; k++) {
        const checking_region *r = *where = &o->region[k];
        const checking_window *window = window_of(o, r);
        const unsigned char *first = window->first + (r->begin - window->begin);
        for (const char *b = r->written ? r->begin : r->end; b < r->end; b++, first++)
            if ((unsigned char)*b != *first &&
                !(r->output && *first == checking_filled(r, b, 0) &&
                  (unsigned char)*b == checking_filled(r, b, c.filled)))
                return b;
    }
    return NULL;
}

/* Changes one thing at a time to find which of them mattered. */
static weft_status blame_difference(weft_device *device, const checking_operation *o,
                                    const checking_region *where, const char *byte) {
    static const struct {
        circumstances c;
        const char *reason;
    } trial[] = {{{CHECKING_FORWARDS, 1, 0}, "what its output held before"},
                 {{CHECKING_FORWARDS, 0, 0xff}, "memory outside its arrays"},
                 {{CHECKING_BACKWARDS, 0, 0}, "the order of its work-items"}};
    const checking_region *again;
    const char *reason = "more than its arguments";
    for (int t = 0; t < 3; t++)
        if (run(device, o, trial[t].c) == WEFT_OK && difference(o, trial[t].c, &again)) {
            reason = trial[t].reason;
            break;
        }
    return weft_fail(device, WEFT_E_CHECK,
                     "%s: what it writes to '%s', element %zu, depends on %s", o->what,
                     where->name, (size_t)(byte - where->begin) / WEFT_SIZE(where->type),
                     reason);
}

/* Copies the windows as they are now to their `first`, or to their `half`. */
static void keep(const checking_operation *o, int is_half) {
    for (i32 w = 0; w < o->windows; w++) {
        const checking_window *window = &o->window[w];
        memcpy(is_half ? window->half : window->first, window->begin,
               (size_t)(window->end - window->begin));
    }
}

/* That no byte comes of both halves of the work-items. Leaves what all of them made. */
static weft_status run_halves(weft_device *device, const checking_operation *o) {
    if (run(device, o, one_half) != WEFT_OK)
        return weft_check(device);
    keep(o, 1);
    if (run(device, o, other_half) != WEFT_OK)
        return weft_check(device);
    for (i32 k = 0; k < o->regions; k++) {
        const checking_region *r = &o->region[k];
        const checking_window *window = window_of(o, r);
        const size_t at = (size_t)(r->begin - window->begin);
        for (size_t b = 0; r->written && b < (size_t)(r->end - r->begin); b++)
            if (window->first[at + b] != window->half[at + b] &&
                window->first[at + b] != (unsigned char)r->begin[b])
                return weft_fail(
                    device, WEFT_E_CHECK,
                    "%s: several work-items change '%s', element %zu, each what "
                    "another left: this needs the role shared, and atomics",
                    o->what, r->name, b / WEFT_SIZE(r->type));
    }
    for (i32 w = 0; w < o->windows; w++)
        memcpy(o->window[w].begin, o->window[w].first,
               (size_t)(o->window[w].end - o->window[w].begin));
    return WEFT_OK;
}

static weft_status run_twice(weft_device *device, const checking_operation *o) {
    const checking_region *where;
    if (run(device, o, plain) != WEFT_OK)
        return weft_check(device);
    keep(o, 0);
    if (run(device, o, changed) != WEFT_OK)
        return weft_check(device);
    const char *byte = difference(o, changed, &where);
    if (byte)
        return blame_difference(device, o, where, byte);
    return o->splits ? run_halves(device, o) : WEFT_OK;
}

static weft_status watch(weft_device *device, checking_operation *o) {
    const size_t bytes = find_windows(o);
    if (bytes > CHECKING_LIMIT) {
        checking_run(device, o, CHECKING_BACKWARDS);
        return checking_zones(device, o->what);
    }
    unsigned char *copies = malloc(3 * bytes + 1);
    if (!copies)
        return weft_fail(device, WEFT_E_MEMORY, "out of memory: %zu bytes to check %s with",
                         3 * bytes, o->what);
    size_t used = 0;
    for (i32 w = 0; w < o->windows; w++) {
        const size_t length = (size_t)(o->window[w].end - o->window[w].begin);
        o->window[w].before = copies + used;
        o->window[w].first = copies + bytes + used;
        o->window[w].half = copies + 2 * bytes + used;
        memcpy(o->window[w].before, o->window[w].begin, length);
        used += length;
    }
    if (o->once)
        run(device, o, changed);
    else
        run_twice(device, o);
    restore(o);
    free(copies);
    if (weft_check(device) == WEFT_OK)
        checking_zones(device, o->what);
    return weft_check(device);
}

weft_status checking_watch(weft_device *device, checking_operation *o) {
    checking_lock(device);
    const weft_status status = watch(device, o);
    checking_unlock(device);
    return status;
}
