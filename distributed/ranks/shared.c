#include "shared.h"
#include "io/crew/crew.h"
#include "packing.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

/* A rank's memory has two halves, with a slot in each for every other rank: while others
 * take what is in one, the rank fills the other. */
enum { HALF = 1 << 24, WORTH = 1 << 17, LINE = 64, PAGE = 4096 };

static struct shared {
    MPI_Comm machine;
    MPI_Win window;
    int n, me, world; /* n is 0 while it is closed */
    int *rank;        /* [n]: their numbers in the world */
    bool *has;        /* [world]: whether it is another of them */
    char **memory;    /* [n] */
    struct shared_memory all;
    enum { NOT_ASKED, REFUSED, GIVEN } state; /* of the memory */
} shared;

static bool agree(MPI_Comm ranks, bool well) {
    int mine = well, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, ranks);
    return all != 0;
}

bool shared_open(MPI_Comm machine, bool well) {
    int world, size;
    shared.machine = machine;
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(machine, &shared.me);
    MPI_Comm_size(machine, &shared.n);
    shared.world = size;
    shared.rank = malloc((size_t)shared.n * sizeof *shared.rank);
    shared.has = calloc((size_t)size, sizeof *shared.has);
    shared.memory = malloc((size_t)shared.n * sizeof *shared.memory);
    well = well && shared.rank && shared.has && shared.memory;
    if (!agree(MPI_COMM_WORLD, well)) {
        shared_close();
        return false;
    }
    MPI_Allgather(&world, 1, MPI_INT, shared.rank, 1, MPI_INT, machine);
    for (int k = 0; k < shared.n; ++k)
        shared.has[shared.rank[k]] = k != shared.me;
    return true;
}

void shared_close(void) {
    if (shared.state == GIVEN) {
        MPI_Win_unlock_all(shared.window);
        MPI_Win_free(&shared.window);
    }
    if (shared.n > 0)
        MPI_Comm_free(&shared.machine);
    free(shared.memory);
    free(shared.rank);
    free(shared.has);
    shared = (struct shared){.n = 0};
}

bool shared_has(int r) {
    return shared.has[r];
}

/* Whether there is room for so many bytes where Open MPI (4.1) has shared memory: one of
 * its ranks finds out, says so at length, and the others wait for it for ever. Containers
 * have 64 MiB there unless told otherwise. */
static bool has_room(uint64_t bytes) {
    struct statvfs there;
    return statvfs("/dev/shm", &there) != 0 ||
           (uint64_t)there.f_bavail * there.f_frsize > bytes + bytes / 16;
}

/* Whether all ranks of the machine got their memory. */
static bool have_memory(void) {
    char *mine;
    if (shared.state != NOT_ASKED)
        return shared.state == GIVEN;
    const MPI_Aint counts = (2 * (MPI_Aint)shared.n * LINE + PAGE - 1) / PAGE * PAGE;
    const MPI_Aint all = shared.n * (2 * HALF + counts);
    shared.state = REFUSED;
    if (!agree(shared.machine, has_room((uint64_t)all)))
        return false;
    MPI_Comm_set_errhandler(shared.machine, MPI_ERRORS_RETURN);
    const bool there =
        MPI_Win_allocate_shared(2 * HALF + counts, 1, MPI_INFO_NULL, shared.machine, &mine,
                                &shared.window) == MPI_SUCCESS;
    MPI_Comm_set_errhandler(shared.machine, MPI_ERRORS_ARE_FATAL);
    if (there)
        memset(mine + 2 * HALF, 0, (size_t)counts);
    shared.state = agree(shared.machine, there) ? GIVEN : REFUSED;
    if (shared.state == REFUSED)
        return false;
    for (int k = 0; k < shared.n; ++k) {
        MPI_Aint bytes;
        int unit;
        MPI_Win_shared_query(shared.window, k, &bytes, &unit, &shared.memory[k]);
    }
    MPI_Win_lock_all(MPI_MODE_NOCHECK, shared.window);
    shared.all = (struct shared_memory){shared.n, shared.me, shared.memory};
    return true;
}

bool shared_by_all(void) {
    return shared.n > 1 && shared.n == shared.world;
}

const struct shared_memory *shared_memory(void) {
    return have_memory() ? &shared.all : NULL;
}

/* So that pages are there; nobody else writes to them. */
static void touch(void *context, int64_t begin, int64_t end, int part) {
    volatile char *memory = context;
    (void)part;
    for (int64_t k = (begin + PAGE - 1) / PAGE * PAGE; k < end; k += PAGE)
        memory[k] = memory[k];
}

bool ranks_shelves(int threads, struct comm_shelves *shelves) {
    if (!shared_by_all() || !have_memory())
        return false;
    crew_run(threads, 2 * HALF, touch, shared.memory[shared.me]);
    MPI_Barrier(shared.machine);
    *shelves = (struct comm_shelves){HALF, shared.memory, 0};
    return true;
}

void ranks_settle(void) {
    MPI_Win_sync(shared.window);
}

shared_count *shared_filled(const struct shared_memory *m, int from, int to) {
    return (shared_count *)(void *)(m->memory[from] + 2 * HALF + to * LINE);
}

shared_count *shared_taken(const struct shared_memory *m, int to, int from) {
    return (shared_count *)(void *)(m->memory[to] + 2 * HALF + (m->n + from) * LINE);
}

size_t shared_slot_bytes(const struct shared_memory *m, int slots) {
    return (size_t)(2 * HALF / (m->n - 1) / slots / LINE * LINE);
}

char *shared_slot(const struct shared_memory *m, int from, int to, int slot, int slots) {
    const int number = (to - from - 1 + m->n) % m->n;
    return m->memory[from] + (size_t)(number * slots + slot) * shared_slot_bytes(m, slots);
}

/* One phase: of the rows between any two ranks those from `done` on, `slot` at most. */
struct phase {
    size_t row_bytes;
    int64_t done, slot;
    int half;
    comm_pack *pack;
    const void *context;
    struct ranks_rows rows; /* to fill from, or to take */
    char *receive;          /* NULL: slots are filled */
};

static int64_t rows_of(const struct phase *p, int k) {
    const int64_t left = p->rows.n[shared.rank[k]] - p->done;
    return k == shared.me || left < 0 ? 0 : left < p->slot ? left : p->slot;
}

/* What rank `from` of the machine has for rank `to`. */
static char *slot_of(const struct phase *p, int from, int to) {
    const int number = (to - from - 1 + shared.n) % shared.n;
    return shared.memory[from] + (size_t)p->half * HALF +
           (size_t)(number * p->slot) * p->row_bytes;
}

/* Rows begin .. end of those of all ranks in turn. */
static void move_rows(void *context, int64_t begin, int64_t end, int part) {
    const struct phase *p = context;
    (void)part;
    for (int k = 0; k < shared.n && begin < end; ++k) {
        const int64_t n = rows_of(p, k), last = end < n ? end : n;
        if (begin < last) {
            const int64_t row = p->rows.first[shared.rank[k]] + p->done + begin;
            const size_t at = (size_t)begin * p->row_bytes;
            if (p->receive)
                memcpy(p->receive + (size_t)row * p->row_bytes,
                       slot_of(p, k, shared.me) + at,
                       (size_t)(last - begin) * p->row_bytes);
            else
                packing_put(p->pack, p->context, row, last - begin, p->row_bytes,
                            slot_of(p, shared.me, k) + at);
            begin = last;
        }
        begin -= n;
        end -= n;
    }
}

static void run(int threads, const struct phase *phase) {
    struct phase p = *phase;
    int64_t n = 0;
    for (int k = 0; k < shared.n; ++k)
        n += rows_of(&p, k);
    crew_run(threads, n, move_rows, &p);
}

/* The most rows that go from one rank to another; 0: no rank has several threads. */
static int64_t most_rows(int threads, struct ranks_rows to) {
    int64_t mine[2] = {0, threads}, most[2];
    for (int k = 0; k < shared.n; ++k) {
        const int64_t n = k == shared.me ? 0 : to.n[shared.rank[k]];
        mine[0] = n > mine[0] ? n : mine[0];
    }
    MPI_Allreduce(mine, most, 2, MPI_INT64_T, MPI_MAX, shared.machine);
    return most[1] > 1 ? most[0] : 0;
}

bool shared_move(int threads, size_t row_bytes, comm_pack *pack, const void *context,
                 struct ranks_rows to, void *receive, struct ranks_rows from) {
    if (shared.n < 2)
        return false;
    const int64_t slot = HALF / (int64_t)row_bytes / (shared.n - 1);
    const int64_t most = most_rows(threads, to);
    if (slot == 0 || most * (int64_t)row_bytes < WORTH || !have_memory())
        return false;
    struct phase fill = {row_bytes, 0, slot, 0, pack, context, to, NULL};
    struct phase take = {row_bytes, 0, slot, 0, pack, context, from, receive};
    for (; fill.done < most; fill.done += slot, fill.half ^= 1) {
        run(threads, &fill);
        MPI_Win_sync(shared.window);
        MPI_Barrier(shared.machine);
        MPI_Win_sync(shared.window);
        take.done = fill.done;
        take.half = fill.half;
        run(threads, &take);
    }
    return true;
}
