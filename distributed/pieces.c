#include "pieces.h"
#include "io/crew/crew.h"
#include "cut.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <weft/dbscan.h>
#include <weft/mcp.h>

enum { SCRATCH = 76, LABEL = 4 };

int64_t pieces_particle(int bytes) {
    return SCRATCH + LABEL + 3 * bytes;
}

/* What a piece is given to: `answer` [count] u32 is what comes back, and for some what goes
 * in. */
typedef weft_status work(weft_device *device, const weft_points *points,
                         const weft_fof_options *options, weft_array answer);

static weft_status count_friends(weft_device *device, const weft_points *points,
                                 const weft_fof_options *options, weft_array friends) {
    return weft_friends_count(device, points, options, NULL, friends);
}

static weft_status join_borders(weft_device *device, const weft_points *points,
                                const weft_fof_options *options, weft_array cluster) {
    weft_dbscan_options rule = {.eps = options->linking_length};
    memcpy(rule.box, options->box, sizeof rule.box);
    return weft_dbscan_borders(device, points, &rule, cluster);
}

static void ask_there(weft_device *device, const struct positions *positions,
                      const weft_fof_options *options, work *ask, weft_array out) {
    const weft_type type =
        positions->bytes == 4 ? (weft_type)WEFT_F32 : (weft_type)WEFT_F64;
    const int64_t words = 3 * positions->n * positions->bytes / (int64_t)sizeof(uint32_t);
    const bool there = positions->lent.type != 0;
    const weft_array at =
        there ? weft_as(device, weft_slice(device, positions->lent, 0, words), type)
              : weft_borrow_const(device, type, positions->at, 3 * positions->n);
    const weft_points points = weft_points_interleaved(device, at);
    ask(device, &points, options, out);
    if (!there)
        weft_return(device, at);
}

/* A processor writes the answer where it stays; but large arrays of its own are in huge
 * pages, which other memory may not be, and it is written at random. */
static bool ask_device(struct comm *comm, weft_device *device,
                       const struct positions *positions, const weft_fof_options *options,
                       work *ask, uint32_t *answer) {
    enum { LARGE = 64 << 20 };
    const int64_t bytes = positions->n * (int64_t)sizeof *answer;
    if (weft_device_style(device) != WEFT_SIMT && bytes < LARGE) {
        const weft_array out = weft_borrow(device, WEFT_U32, answer, positions->n);
        ask_there(device, positions, options, ask, out);
        weft_return(device, out);
        return table_well(comm, device);
    }
    const weft_array out = weft_array_new(device, WEFT_U32, positions->n);
    if (ask == join_borders)
        weft_write(device, out, answer);
    ask_there(device, positions, options, ask, out);
    weft_read(device, out, answer);
    weft_array_free(device, out);
    return table_well(comm, device);
}

bool pieces_fof_there(struct comm *comm, weft_device *device,
                      const struct positions *positions, const weft_fof_options *options,
                      weft_array label) {
    ask_there(device, positions, options, weft_fof, label);
    weft_synchronize(device);
    return table_well(comm, device);
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
        if (next == a || next > b)
            label[a] = b;
        a = next;
    }
}

/* A piece, brought together for the device. */
struct piece {
    const struct cut *cut;
    const uint32_t *next; /* of the rows that were not listed yet */
    int threads, p;
    int64_t n;
    uint32_t *rows;
    void *at;
};

/* What is done with the answer for the rows of a piece. */
typedef void use(const struct piece *piece, const uint32_t *answer, uint32_t *out);

struct own_groups {
    const uint32_t *rows, *answer;
    uint32_t *label;
};

static void label_own(void *context, int64_t begin, int64_t end, int part) {
    const struct own_groups *own = context;
    (void)part;
    for (int64_t k = begin; k < end; ++k)
        own->label[own->rows[k]] = own->rows[own->answer[k]];
}

/* The first of a group with own rows is one of them; ghosts are of pieces that were here.
 */
static void unite_rows(const struct piece *piece, const uint32_t *answer, uint32_t *label) {
    const int64_t own = piece->cut->own[piece->p];
    struct own_groups groups = {piece->rows, answer, label};
    crew_run(piece->threads, own, label_own, &groups);
    for (int64_t k = own; k < piece->n; ++k)
        unite(label, piece->rows[k], piece->rows[answer[k]]);
}

static void keep_own(const struct piece *piece, const uint32_t *answer, uint32_t *out) {
    const int64_t own = piece->cut->own[piece->p];
    for (int64_t k = 0; k < own; ++k)
        out[piece->rows[k]] = answer[k];
}

static void *fetch(void *context) {
    struct piece *piece = context;
    const struct positions *positions = piece->cut->ghosts.positions;
    piece->n = cut_rows(piece->cut, piece->p, piece->next, piece->rows);
    table_gather(piece->threads, positions->at, 3 * (size_t)positions->bytes, piece->rows,
                 piece->n, piece->at);
    return NULL;
}

/* Pieces differ in size, and so do arrays that the device keeps for the next: no more than
 * one piece takes, and all together what the limit allows. */
static void save_memory(weft_device *device, int64_t piece, int64_t limit) {
    const int64_t held = (int64_t)weft_memory_use(device).held;
    if (held > piece || held + piece > limit)
        weft_memory_trim(device);
}

/* The next piece is brought together by a thread while the device works on one. */
static bool run_pieces(struct comm *comm, weft_device *device, const struct cut *cut,
                       const weft_fof_options *options, int64_t limit, work *ask, use *take,
                       const uint32_t *given, uint32_t *out, struct piece pieces[2],
                       uint32_t *answer) {
    const int bytes = cut->ghosts.positions->bytes, count = cut->domains.n;
    bool well = true;
    fetch(&pieces[0]);
    for (int p = 0; well && p < count; ++p) {
        const struct piece *piece = &pieces[p % 2];
        if (comm->told)
            comm->told(p, count);
        struct piece *next = &pieces[(p + 1) % 2];
        const struct positions positions = {.at = piece->at, .bytes = bytes, .n = piece->n};
        pthread_t reader;
        next->p = p + 1;
        const bool reads = p + 1 < count && pthread_create(&reader, NULL, fetch, next) == 0;
        if (given)
            table_gather(comm->threads, given, sizeof *given, piece->rows, piece->n,
                         answer);
        well = ask_device(comm, device, &positions, options, ask, answer);
        if (well)
            take(piece, answer, out);
        save_memory(device, cut_largest(cut) * pieces_particle(bytes), limit);
        if (reads)
            pthread_join(reader, NULL);
        else if (p + 1 < count)
            fetch(next);
    }
    return well;
}

static bool run(struct comm *comm, weft_device *device, const struct cut *cut,
                const weft_fof_options *options, int64_t limit, work *ask, use *take,
                const uint32_t *given, uint32_t *out) {
    const size_t bytes = 3 * (size_t)cut->ghosts.positions->bytes;
    const int64_t most = cut_largest(cut);
    struct piece pieces[2] = {{cut, out, comm->threads, 0, 0, NULL, NULL},
                              {cut, out, comm->threads, 0, 0, NULL, NULL}};
    uint32_t *answer = comm_allocate(comm, most, sizeof *answer, "a piece of space");
    bool well = answer != NULL;
    for (int k = 0; k < 2; ++k) {
        pieces[k].at = comm_allocate(comm, most, bytes, "a piece of space");
        pieces[k].rows =
            comm_allocate(comm, most, sizeof *pieces[k].rows, "a piece of space");
        well = well && pieces[k].at && pieces[k].rows;
    }
    well = well && run_pieces(comm, device, cut, options, limit, ask, take, given, out,
                              pieces, answer);
    for (int k = 0; k < 2; ++k) {
        free(pieces[k].at);
        free(pieces[k].rows);
    }
    free(answer);
    return well;
}

/* So many pieces that two of them are a small part of all particles. */
static int64_t least_pieces(int64_t n) {
    enum { PART = 128, SMALL = 1 << 17 };
    return n / SMALL < PART ? n / SMALL : PART;
}

bool pieces_fof(struct comm *comm, weft_device *device, const struct positions *positions,
                const weft_fof_options *options, int64_t limit, uint32_t *label) {
    const int64_t room = limit / pieces_particle(positions->bytes);
    struct cut cut;
    if (limit == 0 || positions->n <= room)
        return ask_device(comm, device, positions, options, weft_fof, label);
    const bool well =
        cut_to_fit(comm, positions, options, limit, pieces_particle(positions->bytes),
                   least_pieces(positions->n), false, label, &cut) &&
        run(comm, device, &cut, options, limit, weft_fof, unite_rows, NULL, label);
    for (int64_t i = 0; well && i < positions->n; ++i)
        label[i] = label[label[i]];
    cut_free(&cut);
    return well;
}

/* What each piece tells of its own particles. */
static bool ask_own(struct comm *comm, weft_device *device,
                    const struct positions *positions, const weft_fof_options *options,
                    int64_t limit, work *ask, const uint32_t *given, uint32_t *out) {
    const int64_t room = limit / pieces_particle(positions->bytes);
    struct cut cut;
    if (limit == 0 || positions->n <= room) {
        if (given)
            memcpy(out, given, (size_t)positions->n * sizeof *out);
        return ask_device(comm, device, positions, options, ask, out);
    }
    const bool well =
        cut_to_fit(comm, positions, options, limit, pieces_particle(positions->bytes),
                   least_pieces(positions->n), true, out, &cut) &&
        run(comm, device, &cut, options, limit, ask, keep_own, given, out);
    cut_free(&cut);
    return well;
}

bool pieces_friends(struct comm *comm, weft_device *device,
                    const struct positions *positions, const weft_fof_options *options,
                    int64_t limit, uint32_t *friends) {
    return ask_own(comm, device, positions, options, limit, count_friends, NULL, friends);
}

bool pieces_borders(struct comm *comm, weft_device *device,
                    const struct positions *positions, const weft_fof_options *options,
                    int64_t limit, const uint32_t *core, uint32_t *cluster) {
    return ask_own(comm, device, positions, options, limit, join_borders, core, cluster);
}
