#include "cut.h"

#include <stdlib.h>

enum { SAMPLES_A_PIECE = 1024, MOST_PIECES = 4096 };

void cut_free(struct cut *cut) {
    domains_free(&cut->domains);
    free(cut->owner);
    free(cut->own);
    free(cut->borrowed);
    free(cut->ghost);
    *cut = (struct cut){0};
}

int64_t cut_largest(const struct cut *cut) {
    int64_t most = 0;
    for (int p = 0; p < cut->domains.n; ++p) {
        const int64_t n = cut->own[p] + cut->borrowed[p];
        most = n > most ? n : most;
    }
    return most;
}

int64_t cut_rows(const struct cut *cut, int p, uint32_t *rows) {
    const int64_t n = cut->ghosts.positions->n;
    const uint32_t *ghost = cut->ghost;
    int64_t count = 0;
    for (int64_t i = 0; i < n; ++i) {
        if (cut->owner[i] == p)
            rows[count++] = (uint32_t)i;
    }
    for (int before = 0; before < p; ++before)
        ghost += cut->borrowed[before];
    for (int64_t k = 0; k < cut->borrowed[p]; ++k)
        rows[count++] = ghost[k];
    return count;
}

static bool cut_space(struct comm *comm, const struct positions *positions,
                      const double period[3], int n, struct domains *domains) {
    const int64_t enough = (int64_t)n * SAMPLES_A_PIECE;
    const int samples = (int)(enough < positions->n ? enough : positions->n);
    double *sample = comm_allocate(comm, samples, 3 * sizeof *sample, "pieces of space");
    if (sample == NULL)
        return false;
    domains_sample(period, positions, samples, sample);
    const bool is_cut = domains_cut(domains, n, period, sample, samples);
    free(sample);
    return is_cut || io_fail(&comm->error, "no memory for %d pieces of space", n) ||
           comm_fail(comm, 1);
}

static bool find_owners(struct comm *comm, int64_t n, struct cut *cut) {
    const int pieces = cut->domains.n;
    cut->owner = comm_allocate(comm, n, sizeof *cut->owner, "pieces of space");
    cut->own = comm_allocate(comm, pieces, sizeof *cut->own, "pieces of space");
    if (cut->owner == NULL || cut->own == NULL)
        return false;
    for (int p = 0; p < pieces; ++p)
        cut->own[p] = 0;
    for (int64_t i = 0; i < n; ++i) {
        int owner;
        ghosts_owner(&cut->ghosts, i, &owner);
        cut->owner[i] = (uint16_t)owner;
        ++cut->own[owner];
    }
    return true;
}

static bool cut_into(struct comm *comm, const struct positions *positions,
                     const weft_fof_options *options, int n, bool both, struct cut *cut) {
    double farthest[3];
    *cut = (struct cut){.ghosts = {&cut->domains, positions, {0}, both}};
    if (!cut_space(comm, positions, options->box, n, &cut->domains))
        return false;
    ghosts_farthest(positions, farthest);
    ghosts_reach(options->linking_length, options->box, farthest, cut->ghosts.reach);
    if (!find_owners(comm, positions->n, cut))
        return false;
    parts_list(comm, positions->n, n, ghosts_others, &cut->ghosts, &cut->ghost,
               &cut->borrowed);
    return cut->ghost != NULL;
}

bool cut_to_fit(struct comm *comm, const struct positions *positions,
                const weft_fof_options *options, int64_t room, int64_t least, bool both,
                struct cut *cut) {
    int64_t n = room > 0 ? positions->n / room + 1 : MOST_PIECES + 1;
    *cut = (struct cut){0};
    for (n = n > least ? n : least; n <= MOST_PIECES; n += n / 4 + 1) {
        cut_free(cut);
        if (!cut_into(comm, positions, options, (int)n, both, cut))
            return false;
        if (cut_largest(cut) <= room)
            return true;
    }
    io_fail(&comm->error,
            "the memory limit is too small: it has room for %lld particles at a time, and "
            "more than that lie within a linking length of each other",
            (long long)room);
    return comm_fail(comm, 1);
}
