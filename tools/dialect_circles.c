#include "dialect_circles.h"

#include <stdio.h>
#include <string.h>

static int are_same(const char *a, size_t a_length, const char *b, size_t b_length) {
    return a_length == b_length && strncmp(a, b, a_length) == 0;
}

void circles_note(circles *all, circles_call call) {
    if (all->calls < CIRCLES_CALLS)
        all->call[all->calls++] = call;
}

/* Adds the callees from the first call to this one. */
static int tell_way(const circles *all, int last, char *sentence, int size) {
    const circles_call *call = &all->call[last];
    int used = 0;
    if (call->from >= 0) {
        used = tell_way(all, call->from, sentence, size);
        const int more =
            used < size ? snprintf(sentence + used, (size_t)(size - used), ", ") : 0;
        used += more;
    }
    if (used < size)
        used += snprintf(sentence + used, (size_t)(size - used), "'%.*s'",
                         (int)call->callee_length, call->callee);
    return used;
}

/* Calls reached from one, each once, breadth first; the call back to its caller, or -1. */
static int back_from(circles *all, int first, int *reached) {
    for (int k = 0; k < all->calls; k++)
        all->call[k].from = -2;
    const circles_call *start = &all->call[first];
    all->call[first].from = -1;
    reached[0] = first;
    for (int at = 0, count = 1; at < count; at++) {
        const circles_call *here = &all->call[reached[at]];
        for (int k = 0; k < all->calls; k++) {
            circles_call *next = &all->call[k];
            if (next->from != -2 || !are_same(next->caller, next->caller_length,
                                              here->callee, here->callee_length))
                continue;
            next->from = reached[at];
            if (are_same(next->callee, next->callee_length, start->caller,
                         start->caller_length))
                return k;
            reached[count++] = k;
        }
    }
    return -1;
}

int circles_find(circles *all, char *sentence, int size) {
    int reached[CIRCLES_CALLS];
    for (int first = 0; first < all->calls; first++) {
        const int back = back_from(all, first, reached);
        if (back < 0)
            continue;
        const circles_call *start = &all->call[first];
        char way[200] = "";
        tell_way(all, all->call[back].from, way, sizeof way);
        snprintf(sentence, (size_t)size,
                 "'%.*s' calls itself by way of %s, which OpenCL has not: write a loop",
                 (int)start->caller_length, start->caller, way);
        return start->line;
    }
    return 0;
}
