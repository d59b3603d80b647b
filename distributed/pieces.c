#include "pieces.h"
#include "ghosts.h"

#include <stdlib.h>
#include <string.h>
#include <weft/dbscan.h>
#include <weft/mcp.h>

enum { SCRATCH = 76, LABEL = 4, SAMPLES_A_PIECE = 1024, MOST_PIECES = 4096 };

int64_t pieces_particle(int bytes) {
    return SCRATCH + LABEL + 3 * bytes;
}

/* What a piece is given to: `answer` [count] u32 is what comes back, and for some what goes
 * in. */
typedef weft_status work(weft_device *device, const weft_points *points,
                         const weft_fof_options *options, weft_array answer);

static weft_status join_borders(weft_device *device, const weft_points *points,
                                const weft_fof_options *options, weft_array cluster) {
    weft_dbscan_options rule = {.eps = options->linking_length};
    memcpy(rule.box, options->box, sizeof rule.box);
    return weft_dbscan_borders(device, points, &rule, cluster);
}

static bool ask_device(struct comm *comm, weft_device *device,
                       const struct positions *positions, const weft_fof_options *options,
                       work *ask, uint32_t *answer) {
    const weft_type type =
        positions->bytes == 4 ? (weft_type)WEFT_F32 : (weft_type)WEFT_F64;
    const weft_array at = weft_borrow_const(device, type, positions->at, 3 * positions->n);
    const weft_array out = weft_array_new(device, WEFT_U32, positions->n);
    const weft_points points = weft_points_interleaved(device, at);
    if (ask == join_borders)
        weft_write(device, out, answer);
    ask(device, &points, options, out);
    weft_read(device, out, answer);
    weft_array_free(device, out);
    weft_return(device, at);
    if (weft_check(device) == WEFT_OK)
        return true;
    io_fail(&comm->error, "%s", weft_error(device));
    return comm_fail(comm, 1);
}

/* Space in pieces: the rows of each, and where they begin. */
struct pieces {
    struct domains domains;
    struct ghosts ghosts;
    uint32_t *rows;
    int64_t *count;
};

static void pieces_free(struct pieces *pieces) {
    domains_free(&pieces->domains);
    free(pieces->rows);
    free(pieces->count);
    *pieces = (struct pieces){0};
}

static int64_t largest(const struct pieces *pieces) {
    int64_t most = 0;
    for (int p = 0; p < pieces->domains.n; ++p)
        most = pieces->count[p] > most ? pieces->count[p] : most;
    return most;
}

static bool cut(struct comm *comm, const struct positions *positions,
                const weft_fof_options *options, int n, bool both, struct pieces *pieces) {
    const int64_t enough = (int64_t)n * SAMPLES_A_PIECE;
    const int samples = (int)(enough < positions->n ? enough : positions->n);
    double farthest[3];
    double *sample = comm_allocate(comm, samples, 3 * sizeof *sample, "pieces of space");
    *pieces = (struct pieces){0};
    if (sample == NULL)
        return false;
    domains_sample(options->box, positions, samples, sample);
    const bool is_cut = domains_cut(&pieces->domains, n, options->box, sample, samples);
    free(sample);
    if (!is_cut)
        return io_fail(&comm->error, "no memory for %d pieces of space", n) ||
               comm_fail(comm, 1);
    pieces->ghosts = (struct ghosts){&pieces->domains, positions, {0}, both};
    ghosts_farthest(positions, farthest);
    ghosts_reach(options->linking_length, options->box, farthest, pieces->ghosts.reach);
    parts_list(comm, positions->n, n, ghosts_all, &pieces->ghosts, &pieces->rows,
               &pieces->count);
    return pieces->rows != NULL;
}

/* As few pieces as keep to `room` particles each, ghosts included, or nearly so. */
static bool cut_to_fit(struct comm *comm, const struct positions *positions,
                       const weft_fof_options *options, int64_t room, bool both,
                       struct pieces *pieces) {
    int64_t n = room > 0 ? positions->n / room + 1 : MOST_PIECES + 1;
    for (; n <= MOST_PIECES; n += n / 4 + 1) {
        const bool is_cut = cut(comm, positions, options, (int)n, both, pieces);
        if (is_cut && largest(pieces) <= room)
            return true;
        pieces_free(pieces);
        if (!is_cut)
            return false;
    }
    io_fail(&comm->error,
            "the memory limit is too small: it allows for %lld particles at a time, of "
            "which more lie within a linking length of each other",
            (long long)room);
    return comm_fail(comm, 1);
}

/* Joins the groups of a and b; a label is never larger than its place. */
static void unite(uint32_t *label, uint32_t a, uint32_t b) {
    while (a != b) {
        if (a < b) {
            const uint32_t larger = b;
            b = a;
            a = larger;
        }
        const uint32_t next = label[a];
        if (next == a)
            label[a] = b;
        else if (next > b)
            label[a] = b;
        a = next;
    }
}

/* What is done with the answer for the rows of piece p. */
typedef void use(const struct pieces *pieces, int p, const uint32_t *rows, int64_t n,
                 const uint32_t *answer, uint32_t *out);

static void unite_rows(const struct pieces *pieces, int p, const uint32_t *rows, int64_t n,
                       const uint32_t *answer, uint32_t *label) {
    (void)pieces, (void)p;
    for (int64_t k = 0; k < n; ++k)
        unite(label, rows[k], rows[answer[k]]);
}

static void keep_own(const struct pieces *pieces, int p, const uint32_t *rows, int64_t n,
                     const uint32_t *answer, uint32_t *out) {
    for (int64_t k = 0; k < n; ++k) {
        int own;
        ghosts_owner(&pieces->ghosts, rows[k], &own);
        if (own == p)
            out[rows[k]] = answer[k];
    }
}

static bool run(struct comm *comm, weft_device *device, const struct positions *positions,
                const weft_fof_options *options, const struct pieces *pieces, work *ask,
                use *take, const uint32_t *given, uint32_t *out) {
    const size_t bytes = 3 * (size_t)positions->bytes;
    const int64_t most = largest(pieces);
    const uint32_t *rows = pieces->rows;
    void *at = comm_allocate(comm, most, bytes, "a piece of space");
    uint32_t *answer = comm_allocate(comm, most, sizeof *answer, "a piece of space");
    bool well = at && answer;
    for (int p = 0; well && p < pieces->domains.n; ++p) {
        const struct positions piece = {at, positions->bytes, pieces->count[p]};
        table_gather(positions->at, bytes, rows, piece.n, at);
        if (given)
            table_gather(given, sizeof *given, rows, piece.n, answer);
        well = ask_device(comm, device, &piece, options, ask, answer);
        if (well)
            take(pieces, p, rows, piece.n, answer, out);
        rows += piece.n;
    }
    free(at);
    free(answer);
    return well;
}

bool pieces_fof(struct comm *comm, weft_device *device, const struct positions *positions,
                const weft_fof_options *options, int64_t limit, uint32_t *label) {
    const int64_t room = limit / pieces_particle(positions->bytes);
    struct pieces pieces;
    if (limit == 0 || positions->n <= room)
        return ask_device(comm, device, positions, options, weft_fof, label);
    if (!cut_to_fit(comm, positions, options, room, false, &pieces))
        return false;
    for (int64_t i = 0; i < positions->n; ++i)
        label[i] = (uint32_t)i;
    const bool well =
        run(comm, device, positions, options, &pieces, weft_fof, unite_rows, NULL, label);
    for (int64_t i = 0; i < positions->n; ++i)
        label[i] = label[label[i]];
    pieces_free(&pieces);
    return well;
}

/* What each piece tells of its own particles. */
static bool ask_own(struct comm *comm, weft_device *device,
                    const struct positions *positions, const weft_fof_options *options,
                    int64_t limit, work *ask, const uint32_t *given, uint32_t *out) {
    const int64_t room = limit / pieces_particle(positions->bytes);
    struct pieces pieces;
    if (limit == 0 || positions->n <= room) {
        if (given)
            memcpy(out, given, (size_t)positions->n * sizeof *out);
        return ask_device(comm, device, positions, options, ask, out);
    }
    if (!cut_to_fit(comm, positions, options, room, true, &pieces))
        return false;
    const bool well =
        run(comm, device, positions, options, &pieces, ask, keep_own, given, out);
    pieces_free(&pieces);
    return well;
}

bool pieces_friends(struct comm *comm, weft_device *device,
                    const struct positions *positions, const weft_fof_options *options,
                    int64_t limit, uint32_t *friends) {
    return ask_own(comm, device, positions, options, limit, weft_friends_count, NULL,
                   friends);
}

bool pieces_borders(struct comm *comm, weft_device *device,
                    const struct positions *positions, const weft_fof_options *options,
                    int64_t limit, const uint32_t *core, uint32_t *cluster) {
    return ask_own(comm, device, positions, options, limit, join_borders, core, cluster);
}
