#include "centers.h"
#include "cli/command.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char centers_potential[] =
    "its potential, the sum of -m / sqrt(r^2 + softening^2) over the other members";

bool centers_parse(const char *list, unsigned *set, struct io_error *error) {
    bool none = false;
    for (const char *word = list;; ++word) {
        const int length = (int)strcspn(word, ",");
        int k = 0;
        while (centers[k] && (strlen(centers[k]->name) != (size_t)length ||
                              strncmp(word, centers[k]->name, (size_t)length) != 0))
            ++k;
        if (length == 4 && strncmp(word, "none", 4) == 0)
            none = true;
        else if (centers[k] == NULL)
            return io_fail(error, "there is no center '%.*s'", length, word);
        else if (*set >> k & 1u)
            return io_fail(error, "'%s' comes twice", centers[k]->name);
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
    for (int k = 0; centers[k]; ++k)
        contained |= strcmp(centers[k]->name, name) == 0 && (set >> k & 1u);
    return contained;
}

bool centers_softened(unsigned set) {
    bool softened = false;
    for (int k = 0; centers[k]; ++k)
        softened |= centers[k]->softened && (set >> k & 1u);
    return softened;
}

bool centers_use_cells(unsigned set) {
    bool use = false;
    for (int k = 0; centers[k]; ++k)
        use |= centers[k]->uses_cells && (set >> k & 1u);
    return use;
}

void centers_names(bool softened, const char *last, char text[256]) {
    int left = 0, length = 0;
    for (int k = 0; centers[k]; ++k)
        left += !softened || centers[k]->softened;
    for (int k = 0; centers[k]; ++k) {
        if (softened && !centers[k]->softened)
            continue;
        const char *before = length == 0 ? "" : left == 1 ? last : ", ";
        length += snprintf(text + length, (size_t)(256 - length), "%s%s", before,
                           centers[k]->name);
        length = length < 255 ? length : 255;
        --left;
    }
}

static double coordinate(const struct snapshot_particles *particles, int64_t k) {
    const void *at = particles->field[SNAPSHOT_COORDINATES];
    return particles->bytes[SNAPSHOT_COORDINATES] == 4 ? (double)((const float *)at)[k]
                                                       : ((const double *)at)[k];
}

/* The ids and positions of one particle a halo. */
static void add_particle(struct halos_run *run, const struct halos_column *columns,
                         weft_array particle) {
    const int64_t n = run->halos.count, *ids = run->particles.field[SNAPSHOT_IDS];
    int64_t *id = halos_read_numbers(run, particle);
    double *position = halos_allocate(run, 3 * n, sizeof *position);
    if (id == NULL || position == NULL) {
        free(id);
        free(position);
        return;
    }
    for (int64_t h = 0; h < n; ++h) {
        for (int axis = 0; axis < 3; ++axis)
            position[3 * h + axis] = coordinate(&run->particles, 3 * id[h] + axis);
        id[h] = ids ? ids[id[h]] : id[h];
    }
    halos_keep_column(run, &columns[CENTER_ID], CATALOGUE_I64, id);
    halos_keep_column(run, &columns[CENTER_POSITION], CATALOGUE_F64, position);
}

/* The center of a set that HACC's programs take for that of a halo: the first in a
 * potential, else the first. */
static int center_for_hacc(unsigned set) {
    int best = -1;
    for (int k = 0; centers[k]; ++k) {
        if ((set >> k & 1u) && (best < 0 || centers[k]->softened > centers[best]->softened))
            best = k;
    }
    return best;
}

static int find(struct halos_run *run, const struct center *center, bool for_hacc) {
    weft_device *device = run->device;
    struct halos_column columns[CENTER_COLUMNS];
    const weft_array particle = weft_array_new(device, WEFT_U32, run->halos.count);
    const weft_array number = weft_array_new(device, center->number, run->halos.count);
    memcpy(columns, center->columns, sizeof columns);
    columns[CENTER_POSITION].hacc = for_hacc ? "fof_halo_center" : NULL;
    center->find(run, particle, number);
    add_particle(run, columns, particle);
    halos_add_column(run, &columns[CENTER_NUMBER], number);
    weft_array_free(device, particle);
    weft_array_free(device, number);
    return weft_check(device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s", progress_error(device));
}

int centers_find(struct halos_run *run, unsigned set) {
    const double *seconds = &run->timings.seconds[TIMINGS_CENTERS];
    const int64_t bytes = 4 + 3 * run->particles.bytes[SNAPSHOT_COORDINATES] +
                          run->particles.bytes[SNAPSHOT_MASSES];
    const int for_hacc = center_for_hacc(set);
    int status = CLI_DONE;
    for (int k = 0; centers[k] && status == CLI_DONE; ++k) {
        if ((set >> k & 1u) == 0)
            continue;
        const double before = *seconds;
        halos_show(run, centers[k]->name);
        status = find(run, centers[k], k == for_hacc);
        timings_end(&run->timings, TIMINGS_CENTERS, bytes * run->halos.members);
        timings_add_center(&run->timings, centers[k]->name, *seconds - before);
    }
    return status;
}
