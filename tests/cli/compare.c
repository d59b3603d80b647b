/* usage: compare LABELS SNAPSHOT REFERENCE
 * That LABELS, in the order of the snapshot, are the halos of REFERENCE, in the order of
 * the particle ids 0, 1, ...; both raw int64. Prints halos, particles in them and the
 * largest. */
#include "io/snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t *read_all(const char *path, int64_t n) {
    FILE *file = fopen(path, "rb");
    int64_t *values = malloc((size_t)(n + 1) * sizeof *values);
    if (file == NULL || values == NULL ||
        fread(values, sizeof *values, (size_t)n + 1, file) != (size_t)n) {
        fprintf(stderr, "%s does not hold %" PRId64 " labels\n", path, n);
        exit(2);
    }
    fclose(file);
    return values;
}

int main(int argc, char **argv) {
    struct io_error error;
    struct snapshot_particles particles;
    struct snapshot *snapshot = argc == 4 ? snapshot_open(argv[2], &error) : NULL;
    if (snapshot == NULL ||
        !snapshot_read(snapshot, 1u << SNAPSHOT_IDS, &particles, &error)) {
        fprintf(stderr, "%s\n", argc == 4 ? error.text : "three files are needed");
        return 2;
    }
    const int64_t n = particles.n, *id = particles.field[SNAPSHOT_IDS];
    int64_t *labels = read_all(argv[1], n), *reference = read_all(argv[3], n);
    int64_t *members = calloc((size_t)n, sizeof *members);
    int64_t wrong = 0, halos = 0, inside = 0, largest = 0;
    for (int64_t i = 0; i < n; ++i) {
        wrong += labels[i] != reference[id[i]];
        if (labels[i] >= 0 && labels[i] < n) {
            ++inside;
            halos += ++members[labels[i]] == 1;
            largest = members[labels[i]] > largest ? members[labels[i]] : largest;
        }
    }
    printf("%" PRId64 " %" PRId64 " %" PRId64 "\n", halos, inside, largest);
    if (wrong > 0)
        fprintf(stderr, "%" PRId64 " of %" PRId64 " labels differ\n", wrong, n);
    free(labels);
    free(reference);
    free(members);
    snapshot_free(&particles);
    snapshot_close(snapshot);
    return wrong > 0;
}
