#include "flow.h"
#include "io/crew/crew.h"
#include "packing.h"
#include "ranks.h"
#include "shared.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* From each rank to each other a ring of slots; so many blocks some rows of a rank may be
 * ahead of others, as what is gone makes room for what comes. */
enum { SLOTS = 4, AHEAD = 2 };

/* Rows between this rank and another, or itself: how far they are. */
struct stream {
    int turn;       /* of the sender; `blocks` at its end */
    int64_t done;   /* rows of that turn's block */
    uint64_t slots; /* filled, or taken, since the memory is there */
};

/* A part of a stream that can go on at once. */
struct portion {
    int from;      /* the rank that they come from; -1: they leave */
    int64_t row;   /* of those to send, where they are this rank's */
    int64_t place; /* here, where they come */
    int64_t n;
    char *slot; /* where they are, or go; NULL: this rank's own need none */
};

struct state {
    const struct flow *flow;
    const struct shared_memory *memory;
    size_t row_bytes;
    comm_pack *pack;
    const void *context;
    char *receive;
    int64_t room;             /* rows of a slot */
    int64_t *first;           /* [blocks][ranks]: of those to send */
    struct stream *out, *in;  /* [ranks]; out[me] is of this rank's own rows */
    struct portion *portions; /* [2 ranks] */
    int count;
    bool well;
};

static int64_t rows_out(const struct state *s, int to, int turn) {
    const int n = s->memory->n, me = s->memory->me;
    return s->flow->to[(int64_t)flow_block(me, turn, s->flow->blocks, n) * n + to];
}

static int64_t rows_in(const struct state *s, int from, int turn) {
    const int blocks = s->flow->blocks;
    return s->flow
        ->came[(int64_t)from * blocks + flow_block(from, turn, blocks, s->memory->n)];
}

/* Goes on to the next turn that has rows. */
static void settle(const struct state *s, struct stream *stream,
                   int64_t rows(const struct state *, int, int), int other) {
    while (stream->turn < s->flow->blocks && stream->done == rows(s, other, stream->turn)) {
        ++stream->turn;
        stream->done = 0;
    }
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Where the next rows of a rank begin here. */
static int64_t place_of(const struct state *s, int from, const struct stream *stream) {
    const int blocks = s->flow->blocks;
    const int block = flow_block(from, stream->turn, blocks, s->memory->n);
    int64_t place = s->flow->from_first[from] + stream->done;
    for (int b = 0; b < block; ++b)
        place += s->flow->came[(int64_t)from * blocks + b];
    return place;
}

/* The turn of the rank's slowest stream. */
static int slowest(const struct state *s) {
    int turn = s->flow->blocks;
    for (int k = 0; k < s->memory->n; ++k)
        turn = s->out[k].turn < turn ? s->out[k].turn : turn;
    return turn;
}

static void add(struct state *s, struct portion portion) {
    s->portions[s->count++] = portion;
}

static void list_own(struct state *s, int turn) {
    const int me = s->memory->me, n = s->memory->n, blocks = s->flow->blocks;
    struct stream *own = &s->out[me];
    if (own->turn >= blocks || own->turn > turn + AHEAD)
        return;
    const int64_t some = least(rows_out(s, me, own->turn) - own->done, s->room);
    const int64_t row =
        s->first[(int64_t)flow_block(me, own->turn, blocks, n) * n + me] + own->done;
    const int64_t place = place_of(s, me, own);
    s->well = s->well && s->flow->comes(s->flow->user, place, some);
    if (s->well)
        add(s, (struct portion){me, row, place, some, NULL});
    own->done += some;
}

static void list_out(struct state *s, int to, int turn) {
    const int me = s->memory->me, n = s->memory->n, blocks = s->flow->blocks;
    struct stream *out = &s->out[to];
    const uint64_t taken =
        atomic_load_explicit(shared_taken(s->memory, to, me), memory_order_acquire);
    if (out->turn >= blocks || out->turn > turn + AHEAD || out->slots - taken == SLOTS)
        return;
    const int64_t some = least(rows_out(s, to, out->turn) - out->done, s->room);
    const int64_t row =
        s->first[(int64_t)flow_block(me, out->turn, blocks, n) * n + to] + out->done;
    add(s, (struct portion){-1, row, 0, some,
                            shared_slot(s->memory, me, to, out->slots % SLOTS, SLOTS)});
    out->done += some;
    ++out->slots;
}

static void list_in(struct state *s, int from) {
    const int me = s->memory->me;
    struct stream *in = &s->in[from];
    const uint64_t filled =
        atomic_load_explicit(shared_filled(s->memory, from, me), memory_order_acquire);
    if (in->turn >= s->flow->blocks || in->slots == filled)
        return;
    const int64_t some = least(rows_in(s, from, in->turn) - in->done, s->room);
    const int64_t place = place_of(s, from, in);
    s->well = s->well && s->flow->comes(s->flow->user, place, some);
    if (s->well)
        add(s,
            (struct portion){from, 0, place, some,
                             shared_slot(s->memory, from, me, in->slots % SLOTS, SLOTS)});
    in->done += some;
    ++in->slots;
}

static void land(const struct state *s, int from, const char *rows, int64_t place,
                 int64_t n) {
    if (s->flow->land)
        s->flow->land(s->flow->user, from, rows, place, n);
    else
        memcpy(s->receive + (size_t)place * s->row_bytes, rows, (size_t)n * s->row_bytes);
}

/* This rank's own rows are packed where they stay, or a few at a time to land. */
static void land_own(const struct state *s, int64_t row, int64_t place, int64_t n) {
    enum { FEW = 1024 };
    uint64_t few[FEW];
    if (s->flow->land == NULL)
        packing_put(s->pack, s->context, row, n, s->row_bytes,
                    s->receive + (size_t)place * s->row_bytes);
    for (int64_t k = 0; s->flow->land && k < n; k += FEW) {
        const int64_t some = least(n - k, FEW);
        packing_put(s->pack, s->context, row + k, some, s->row_bytes, few);
        land(s, s->memory->me, (const char *)few, place + k, some);
    }
}

/* Rows first .. first + n of a portion. */
static void carry_some(const struct state *s, const struct portion *p, int64_t first,
                       int64_t n) {
    const size_t at = (size_t)first * s->row_bytes;
    if (p->slot == NULL)
        land_own(s, p->row + first, p->place + first, n);
    else if (p->from < 0)
        packing_put(s->pack, s->context, p->row + first, n, s->row_bytes, p->slot + at);
    else
        land(s, p->from, p->slot + at, p->place + first, n);
}

/* Rows begin .. end of those of all portions. */
static void carry(void *context, int64_t begin, int64_t end, int part) {
    const struct state *s = context;
    (void)part;
    for (int k = 0; k < s->count && begin < end; ++k) {
        const struct portion *p = &s->portions[k];
        const int64_t last = least(end, p->n);
        if (begin < last) {
            carry_some(s, p, begin, last - begin);
            begin = last;
        }
        begin -= p->n;
        end -= p->n;
    }
}

/* What was carried may be seen by others; streams go on. */
static void tell(struct state *s) {
    const int me = s->memory->me;
    for (int k = 0; k < s->memory->n; ++k) {
        if (k != me) {
            atomic_store_explicit(shared_filled(s->memory, me, k), s->out[k].slots,
                                  memory_order_release);
            atomic_store_explicit(shared_taken(s->memory, me, k), s->in[k].slots,
                                  memory_order_release);
            settle(s, &s->in[k], rows_in, k);
        }
        settle(s, &s->out[k], rows_out, k);
    }
}

/* Whether all is sent, and received. */
static bool ended(const struct state *s) {
    bool all = slowest(s) == s->flow->blocks;
    for (int k = 0; k < s->memory->n; ++k)
        all = all && (k == s->memory->me || s->in[k].turn == s->flow->blocks);
    return all;
}

/* Others may want the processor. */
static void idle(int *turns) {
    enum { SHORT = 1000 };
    const struct timespec some = {0, 50000};
    if (++*turns < SHORT)
        sched_yield();
    else
        nanosleep(&some, NULL);
}

static void run(int threads, struct state *s) {
    int gone = 0, turns = 0;
    tell(s);
    while (!ended(s)) {
        const int turn = slowest(s);
        int64_t rows = 0;
        uint64_t took = 0;
        for (; gone < turn; ++gone)
            s->flow->gone(s->flow->user,
                          flow_block(s->memory->me, gone, s->flow->blocks, s->memory->n));
        s->count = 0;
        list_own(s, turn);
        for (int ahead = 1; ahead < s->memory->n; ++ahead) {
            const int k = (s->memory->me + ahead) % s->memory->n;
            const uint64_t before = s->in[k].slots;
            list_in(s, k);
            took += s->in[k].slots - before;
            list_out(s, k, turn);
        }
        for (int k = 0; k < s->count; ++k)
            rows += s->portions[k].n;
        if (rows > 0)
            crew_run(threads, rows, carry, s);
        tell(s);
        if (rows > 0 || took > 0)
            turns = 0;
        else if (!ended(s))
            idle(&turns);
    }
}

/* What ranks use of each slot. Where each has one thread, no more than stays in its cache,
 * of which few pages are touched for the first time. */
static size_t slot_bytes;

bool flow_opens(int threads, int64_t rows, size_t row_bytes) {
    enum { WORTH = 1 << 17, CACHED = 64 << 10 };
    int64_t most[] = {rows * (int64_t)row_bytes, threads};
    if (!shared_by_all())
        return false;
    ranks_reduce_i64(most, 2, COMM_MAX);
    if (most[0] < WORTH || most[1] < 1 || shared_memory() == NULL)
        return false;
    slot_bytes = shared_slot_bytes(shared_memory(), SLOTS);
    if (most[1] == 1 && slot_bytes > CACHED)
        slot_bytes = CACHED;
    return slot_bytes >= row_bytes;
}

/* Where rows of each block to each rank begin. */
static void find_first(struct state *s) {
    const int64_t cells = (int64_t)s->flow->blocks * s->memory->n;
    int64_t sum = 0;
    for (int64_t k = 0; k < cells; ++k) {
        s->first[k] = sum;
        sum += s->flow->to[k];
    }
}

size_t flow_room(int blocks, int ranks) {
    return (size_t)ranks * ((size_t)blocks * sizeof(int64_t) + 2 * sizeof(struct stream) +
                            2 * sizeof(struct portion));
}

bool flow_run(int threads, size_t row_bytes, comm_pack *pack, const void *context,
              const struct flow *flow, char *receive, void *room) {
    const struct shared_memory *memory = shared_memory();
    const int n = memory->n, me = memory->me;
    struct state s = {.flow = flow,
                      .memory = memory,
                      .row_bytes = row_bytes,
                      .pack = pack,
                      .context = context,
                      .receive = receive,
                      .first = room,
                      .well = true};
    s.out = (struct stream *)(void *)(s.first + (int64_t)flow->blocks * n);
    s.in = s.out + n;
    s.portions = (struct portion *)(void *)(s.in + n);
    s.room = (int64_t)(slot_bytes / row_bytes);
    find_first(&s);
    for (int k = 0; k < n; ++k) {
        s.out[k] = (struct stream){.slots = *shared_filled(memory, me, k)};
        s.in[k] = (struct stream){.slots = *shared_taken(memory, me, k)};
    }
    run(threads, &s);
    return s.well;
}
