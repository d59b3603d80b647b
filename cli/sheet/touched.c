/* Which planes of cells the slabs of ranks touch, by the boxes around blocks of a lattice.
 */
#include "cli/command.h"
#include "io/crew/crew.h"
#include "io/files/numbers.h"
#include "sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t sheet_touched(const struct sheet_run *run, int rank, struct sheet_share share) {
    const uint8_t *touched = run->touched + rank * sheet_planes(run);
    int64_t sum = 0;
    for (int64_t p = share.first; p < share.first + share.count; ++p)
        sum += touched[p];
    return sum;
}

int64_t sheet_touched_before(const struct sheet_run *run, int rank, int64_t turn,
                             int owner) {
    int64_t sum = 0;
    for (int r = 0; r < owner; ++r)
        sum += sheet_touched(run, rank, sheet_share(run, turn, r));
    return sum;
}

int64_t sheet_most_touched(const struct sheet_run *run, int rank) {
    int64_t most = 0;
    for (int64_t turn = 0; run->touched && turn < run->turns; ++turn) {
        const int64_t some = sheet_touched_before(run, rank, turn, run->comm->size);
        most = some > most ? some : most;
    }
    return most;
}

bool sheet_touched_by_others(const struct sheet_run *run, int64_t plane) {
    for (int r = 0; run->touched && r < run->comm->size; ++r)
        if (r != run->comm->rank && run->touched[r * sheet_planes(run) + plane])
            return true;
    return false;
}

static int64_t layers_of(const struct sheet_run *run) {
    return run->cubes == 0 ? 0 : (run->lattice.n[0] + SHEET_BLOCK - 1) / SHEET_BLOCK;
}

/* What each part of the blocks touches: planes, and layers of blocks that touch planes of
 * other ranks. */
struct looking {
    const struct sheet_run *run;
    const double *boxes;
    int64_t each;             /* blocks of a layer */
    struct sheet_share own;   /* planes of this rank in all turns */
    uint8_t *planes, *layers; /* [parts][planes], [parts][layers] */
};

/* Planes that a box around some cubes meets, with one more at either end. Returns whether
 * some are not the rank's own. */
static bool touch(const struct looking *looking, const double *box, uint8_t *touched) {
    const struct sheet_run *run = looking->run;
    const int64_t planes = sheet_planes(run);
    const int slow = sheet_slow(run);
    const double scale = (double)planes / run->lattice.box[slow];
    const int64_t base = (int64_t)floor(box[slow] * scale) - 1;
    const int64_t count = (int64_t)floor(box[3 + slow] * scale) + 2 - base;
    bool beyond = false;
    int64_t p = (base % planes + planes) % planes;
    for (int64_t k = 0; k < count && k < planes; ++k) {
        touched[p] = 1;
        beyond = beyond || p < looking->own.first ||
                 p >= looking->own.first + looking->own.count;
        p = p + 1 < planes ? p + 1 : 0;
    }
    return beyond;
}

/* The last layer may be of no cubes: of the plane that follows the slab. */
static void look(void *context, int64_t begin, int64_t end, int part) {
    const struct looking *looking = context;
    const struct sheet_run *run = looking->run;
    const int64_t *n = run->lattice.n, whole = run->cubes / (n[1] * n[2]);
    uint8_t *planes = looking->planes + part * sheet_planes(run);
    uint8_t *layers = looking->layers + part * layers_of(run);
    for (int64_t b = begin; b < end; ++b) {
        const int64_t layer = b / looking->each;
        if (layer * SHEET_BLOCK < whole && touch(looking, looking->boxes + 6 * b, planes))
            layers[layer] = 1;
    }
}

/* All that parts found, into the first of them. */
static void join(uint8_t *found, int64_t n, int parts) {
    for (int part = 1; part < parts; ++part)
        for (int64_t k = 0; k < n; ++k)
            found[k] |= found[part * n + k];
}

int sheet_find_touched(struct sheet_run *run) {
    struct comm *comm = run->comm;
    const int64_t planes = sheet_planes(run), layers = layers_of(run);
    const int64_t blocks = layers > 0 ? run->lattice.boxes.length / 6 : 0;
    const int parts = crew_parts(comm->threads, blocks);
    struct looking looking = {.run = run, .each = layers > 0 ? blocks / layers : 1};
    looking.own.first = io_share(planes, comm->rank, comm->size);
    looking.own.count = io_share(planes, comm->rank + 1, comm->size) - looking.own.first;
    double *boxes = comm_allocate(comm, 6 * blocks, sizeof *boxes, "planes of cells");
    looking.boxes = boxes;
    looking.planes = comm_allocate(comm, parts * planes, 1, "planes of cells");
    looking.layers = comm_allocate(comm, parts * layers, 1, "planes of cells");
    run->touched = comm_allocate(comm, comm->size * planes, 1, "planes of cells");
    const bool well = boxes && looking.planes && looking.layers && run->touched;
    if (well) {
        memset(looking.planes, 0, (size_t)(parts * planes));
        memset(looking.layers, 0, (size_t)(parts * layers));
    }
    if (well && blocks > 0 && weft_read(run->device, run->lattice.boxes, boxes) == WEFT_OK)
        crew_run(comm->threads, blocks, look, &looking);
    int status = weft_check(run->device) == WEFT_OK ? CLI_DONE : sheet_fail(run);
    if (well) {
        join(looking.planes, planes, parts);
        join(looking.layers, layers, parts);
    } else {
        status = parallel_stop(comm);
    }
    run->ahead = looking.layers;
    status = parallel_meet(comm, status);
    if (status == CLI_DONE &&
        !comm_share(comm, looking.planes, (size_t)planes, run->touched))
        status = parallel_stop(comm);
    free(looking.planes);
    free(boxes);
    return status;
}
