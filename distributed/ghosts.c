#include "ghosts.h"

#include <math.h>

void ghosts_reach(double linking_length, const double period[3], const double farthest[3],
                  double reach[3]) {
    for (int axis = 0; axis < 3; ++axis) {
        reach[axis] = linking_length * (1 + 0x1p-40);
        if (period[axis] > 0)
            reach[axis] += 0x1p-48 * (period[axis] + farthest[axis]);
    }
}

void ghosts_farthest(const struct positions *positions, double farthest[3]) {
    static const double open_space[3] = {0, 0, 0};
    farthest[0] = farthest[1] = farthest[2] = 0;
    for (int64_t i = 0; i < positions->n; ++i) {
        double place[3];
        domains_place(open_space, positions, i, place);
        for (int axis = 0; axis < 3; ++axis)
            farthest[axis] = fmax(farthest[axis], fabs(place[axis]));
    }
}

int ghosts_owner(const void *context, int64_t row, int *parts) {
    const struct ghosts *ghosts = context;
    double place[3];
    domains_place(ghosts->domains->period, ghosts->positions, row, place);
    parts[0] = domains_owner(ghosts->domains, place);
    return 1;
}

int ghosts_others(const void *context, int64_t row, int *parts) {
    const struct ghosts *ghosts = context;
    double place[3];
    domains_place(ghosts->domains->period, ghosts->positions, row, place);
    const int near = domains_near(ghosts->domains, place, ghosts->reach, parts);
    const int own = near > 1 ? domains_owner(ghosts->domains, place) : 0;
    int others = 0;
    for (int k = 0; near > 1 && k < near; ++k) {
        if (ghosts->both ? parts[k] != own : parts[k] > own)
            parts[others++] = parts[k];
    }
    return others;
}

int ghosts_all(const void *context, int64_t row, int *parts) {
    const int others = ghosts_others(context, row, parts + 1);
    ghosts_owner(context, row, parts);
    return others + 1;
}
