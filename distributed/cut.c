#include "cut.h"
#include "io/crew/crew.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES_A_PIECE = 1024, MOST_PIECES = 4096 };

void cut_free(struct cut *cut) {
    domains_free(&cut->domains);
    free(cut->first);
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

int64_t cut_rows(const struct cut *cut, int p, const uint32_t *next, uint32_t *rows) {
    const int64_t own = cut->own[p], borrowed = cut->borrowed[p];
    const uint32_t *ghost = cut->ghost;
    for (int64_t k = 0; k < own; ++k)
        rows[k] = k == 0 ? cut->first[p] : next[rows[k - 1]];
    for (int before = 0; before < p; ++before)
        ghost += cut->borrowed[before];
    memcpy(rows + own, ghost, (size_t)borrowed * sizeof *rows);
    return own + borrowed;
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

/* Rows of one piece among those of a thread; each leads to the next. */
struct chain {
    uint32_t first, last;
    int64_t n;
};

struct chaining {
    const struct ghosts *ghosts;
    uint32_t *next;
    struct chain *chains; /* [threads][pieces] */
};

static void chain_rows(void *context, int64_t begin, int64_t end, int thread) {
    const struct chaining *chaining = context;
    struct chain *chains =
        chaining->chains + (int64_t)thread * chaining->ghosts->domains->n;
    for (int64_t i = begin; i < end; ++i) {
        int owner;
        ghosts_owner(chaining->ghosts, i, &owner);
        struct chain *chain = &chains[owner];
        *(chain->n++ > 0 ? &chaining->next[chain->last] : &chain->first) = (uint32_t)i;
        chain->last = (uint32_t)i;
    }
}

/* One chain of those of all threads. */
static struct chain join(const struct chain *chains, int pieces, int threads,
                         uint32_t *next) {
    struct chain all = chains[0];
    for (int t = 1; t < threads; ++t) {
        const struct chain chain = chains[(int64_t)t * pieces];
        if (chain.n == 0)
            continue;
        *(all.n > 0 ? &next[all.last] : &all.first) = chain.first;
        all.last = chain.last;
        all.n += chain.n;
    }
    return all;
}

static bool find_owners(struct comm *comm, int64_t n, uint32_t *next, struct cut *cut) {
    const int pieces = cut->domains.n, threads = crew_parts(comm->threads, n);
    const int64_t chains = (int64_t)threads * pieces;
    struct chaining chaining = {&cut->ghosts, next, NULL};
    cut->first = comm_allocate(comm, pieces, sizeof *cut->first, "pieces of space");
    cut->own = comm_allocate(comm, pieces, sizeof *cut->own, "pieces of space");
    chaining.chains =
        comm_allocate(comm, chains, sizeof *chaining.chains, "pieces of space");
    const bool well = cut->first && cut->own && chaining.chains;
    if (well) {
        memset(chaining.chains, 0, (size_t)chains * sizeof *chaining.chains);
        crew_run(comm->threads, n, chain_rows, &chaining);
    }
    for (int p = 0; well && p < pieces; ++p) {
        const struct chain chain = join(chaining.chains + p, pieces, threads, next);
        cut->first[p] = chain.first;
        cut->own[p] = chain.n;
    }
    free(chaining.chains);
    return well;
}

static bool cut_into(struct comm *comm, const struct positions *positions,
                     const weft_fof_options *options, int n, bool both, uint32_t *next,
                     struct cut *cut) {
    double farthest[3];
    *cut = (struct cut){.ghosts = {&cut->domains, positions, {0}, both, 0}};
    if (!cut_space(comm, positions, options->box, n, &cut->domains))
        return false;
    if (!ghosts_farthest(comm, positions, farthest))
        return false;
    ghosts_reach(options->linking_length, options->box, farthest, cut->ghosts.reach);
    if (!find_owners(comm, positions->n, next, cut))
        return false;
    parts_list(comm, positions->n, n, ghosts_others, &cut->ghosts, &cut->ghost,
               &cut->borrowed);
    return cut->ghost != NULL;
}

bool cut_to_fit(struct comm *comm, const struct positions *positions,
                const weft_fof_options *options, int64_t limit, int64_t each, int64_t least,
                bool both, uint32_t *next, struct cut *cut) {
    const int64_t room = limit / each, wanted = positions->n / (room > 0 ? room : 1) + 1;
    int64_t n = wanted > least ? wanted : least, fewest = INT64_MAX;
    *cut = (struct cut){0};
    for (bool last = false; !last; n += n / 4 + 1) {
        last = n >= MOST_PIECES;
        cut_free(cut);
        if (!cut_into(comm, positions, options, last ? MOST_PIECES : (int)n, both, next,
                      cut))
            return false;
        const int64_t largest = cut_largest(cut);
        if (largest <= room)
            return true;
        fewest = largest < fewest ? largest : fewest;
    }
    io_fail(&comm->error,
            "the memory limit is too small: it has room for %lld particles at a time, and "
            "more than that lie within a linking length of each other; --memory-limit %lld "
            "is the least that does",
            (long long)room, (long long)(fewest * each));
    return comm_fail(comm, 1);
}
