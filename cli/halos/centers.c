#include "centers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A finder is added here: its function appends its columns (contract: NAME_id,
 * NAME_position and one of its own). */
const struct center centers[] = {
    {"mbp", center_mbp, true},
    {"mcp", center_mcp, false},
    {"poisson", center_poisson, true},
    {NULL, NULL, false},
};

bool centers_parse(const char *list, unsigned *set, struct io_error *error) {
    bool none = false;
    for (const char *word = list;; ++word) {
        const int length = (int)strcspn(word, ",");
        int k = 0;
        while (centers[k].name && (strlen(centers[k].name) != (size_t)length ||
                                   strncmp(word, centers[k].name, (size_t)length) != 0))
            ++k;
        if (length == 4 && strncmp(word, "none", 4) == 0)
            none = true;
        else if (centers[k].name == NULL)
            return io_fail(error, "there is no center '%.*s'", length, word);
        else
            *set |= 1u << k;
        word += length;
        if (*word == '\0')
            break;
    }
    return !none || *set == 0 ||
           io_fail(error, "'none' and other centers exclude each other");
}

bool centers_contain(unsigned set, const char *name) {
    bool contained = false;
    for (int k = 0; centers[k].name; ++k)
        contained |= strcmp(centers[k].name, name) == 0 && (set >> k & 1u);
    return contained;
}

bool centers_softened(unsigned set) {
    bool softened = false;
    for (int k = 0; centers[k].name; ++k)
        softened |= centers[k].softened && (set >> k & 1u);
    return softened;
}

static double coordinate(const struct snapshot_particles *particles, int64_t k) {
    const void *at = particles->field[SNAPSHOT_COORDINATES];
    return particles->bytes[SNAPSHOT_COORDINATES] == 4 ? (double)((const float *)at)[k]
                                                       : ((const double *)at)[k];
}

void centers_add_particle(struct halos_run *run, const char *id_name, const char *id_is,
                          const char *position_name, const char *position_is,
                          weft_array particle) {
    const int64_t n = run->halos.count, *ids = run->particles.field[SNAPSHOT_IDS];
    uint32_t *index = halos_allocate(run, n, sizeof *index);
    int64_t *id = halos_allocate(run, n, sizeof *id);
    double *position = halos_allocate(run, 3 * n, sizeof *position);
    if (index == NULL || id == NULL || position == NULL ||
        weft_read(run->device, particle, index) != WEFT_OK) {
        free(index);
        free(id);
        free(position);
        return;
    }
    for (int64_t h = 0; h < n; ++h) {
        id[h] = ids ? ids[index[h]] : (int64_t)index[h];
        for (int axis = 0; axis < 3; ++axis)
            position[3 * h + axis] =
                coordinate(&run->particles, 3 * (int64_t)index[h] + axis);
    }
    free(index);
    halos_keep_column(run, id_name, CATALOGUE_I64, 1, "1", id_is, id);
    halos_keep_column(run, position_name, CATALOGUE_F64, 3, run->info.length_unit,
                      position_is, position);
}

void centers_add_potential(struct halos_run *run, const char *name, weft_array potential) {
    snprintf(run->potential_unit, sizeof run->potential_unit, "%s / %s",
             run->info.mass_unit, run->info.length_unit);
    halos_add_column(
        run, name, 1, run->potential_unit,
        "its potential, the sum of -m / sqrt(r^2 + softening^2) over the other "
        "members",
        potential);
}
