/* Ranks: processes that work on one problem and share no memory.
 *
 * Every rank makes the same calls in the same order. A rank that fails says so with
 * comm_fail, and leaves; each call begins by asking whether all ranks are well, so that the
 * others learn of it at the next call, whichever it is, and leave too: after that all calls
 * do nothing and return false. Nobody waits for a rank that left. A process that no
 * launcher started is rank 0 of 1, and pays nothing. */
#ifndef WEFT_DISTRIBUTED_COMM_H
#define WEFT_DISTRIBUTED_COMM_H

#include "io/files/error.h"

#include <weft/device.h>

enum comm_operation { COMM_SUM, COMM_MIN, COMM_MAX };

/* What ranks do between them, in this order. */
enum comm_stage {
    COMM_START,   /* ranks find each other */
    COMM_DOMAINS, /* particles to their domains */
    COMM_GHOSTS,
    COMM_LINK, /* on each rank alone */
    COMM_MERGE,
    COMM_GATHER, /* whole groups to one rank */
    COMM_REST,   /* reading, describing, writing */
    COMM_STAGES,
};

struct comm {
    int rank, size;
    int local;             /* the rank's number among those of its machine */
    int threads;           /* for passes over its rows: its share of the machine; 0: one,
                            * and rows are messages, as between machines */
    int trouble;           /* of this rank: 0, or its exit status */
    int culprit;           /* the first rank that failed; -1: none is known to have */
    int status;            /* the culprit's exit status */
    struct io_error error; /* why this rank failed; written by the calls here, too */

    void (*told)(int64_t done, int64_t total); /* of work in pieces; NULL: nobody is */

    double mark;                 /* when the last stage ended, in seconds */
    int64_t unmarked;            /* bytes sent to other ranks since */
    double seconds[COMM_STAGES]; /* of each stage, waiting for others included */
    int64_t sent[COMM_STAGES];   /* bytes to other ranks */
};

/* Errors: a launcher started several processes, and there is no MPI in this build, or it
 * does not know the others. It may be called again. */
bool comm_open(struct comm *comm);
void comm_close(void);

/* Before that: this process has no others, whatever launched it. */
void comm_stay_alone(void);

/* What passed and what was sent since the last call was of this stage. */
void comm_end(struct comm *comm, enum comm_stage stage);

/* This rank is at its end, with this exit status. The sentence is the caller's to write, in
 * comm->error or elsewhere. Returns false. */
bool comm_fail(struct comm *comm, int status);

/* Whether all ranks are well. */
bool comm_agree(struct comm *comm);

/* Over all ranks, element by element. */
bool comm_reduce_i64(struct comm *comm, int64_t *values, int n,
                     enum comm_operation operation);
bool comm_reduce_f64(struct comm *comm, double *values, int n,
                     enum comm_operation operation);

/* The same number of bytes of every rank, on every rank: all [size * bytes]. */
bool comm_share(struct comm *comm, const void *mine, size_t bytes, void *all);

/* What rank `root` has, on every rank. */
bool comm_broadcast(struct comm *comm, int root, void *data, int64_t bytes);

/* Memory as io_allocate gives it; NULL after comm_fail. */
void *comm_allocate(struct comm *comm, int64_t count, size_t bytes_each, const char *what);

/* How many rows go to each rank and come from each, and where those of each begin: rows to
 * send lie in order of the rank that they go to, rows received in that of the rank that
 * they are from. */
struct route {
    int64_t *to, *from;             /* [size] */
    int64_t *to_first, *from_first; /* [size] */
    int64_t n_to, n_from;
};

/* The route on which to[r] rows go to rank r; `to` is taken over, NULL is a failure. Free
 * it with route_free, in each case. Messages: one for each pair of ranks with rows. */
bool route_find(struct comm *comm, int64_t *to, struct route *route);
void route_free(struct route *route);

/* Puts rows first .. first + n of those to send into `out`; several threads call it at
 * once, for other rows each. */
typedef void comm_pack(const void *context, int64_t first, int64_t n, void *out);

/* Sends n_to rows, which `pack` gives, and receives n_from. Memory: 64 MiB at most. */
bool route_send_packed(struct comm *comm, const struct route *route, size_t row_bytes,
                       comm_pack *pack, const void *context, void *receive);

/* Sends n_to rows and receives n_from; or, back, sends n_from rows and receives n_to. */
bool route_send(struct comm *comm, const struct route *route, size_t row_bytes,
                const void *send, void *receive);
bool route_send_back(struct comm *comm, const struct route *route, size_t row_bytes,
                     const void *send, void *receive);

/* Memory in which each rank lays what others take: two shelves, which all fill in turn. */
struct comm_shelves {
    size_t bytes; /* of one; the second follows the first */
    char **of;    /* [size]: each rank's first */
    int turn;     /* which of them is filled next: 0 or 1 */
};

/* False, on all ranks, where they are not all on one machine, or have no memory, or one has
 * failed. Memory: 32 MiB a rank, from the first call on, the same that rows flow through;
 * its pages are there when it returns, which one thread, or a driver that pins them, would
 * take 30 ms a rank for. */
bool comm_shelves(struct comm *comm, struct comm_shelves *shelves);

/* The shelf of a rank that is filled next, and the one that was laid last. */
char *comm_shelf(const struct comm_shelves *shelves, int rank);
char *comm_laid_shelf(const struct comm_shelves *shelves, int rank);

/* Waits until all ranks have laid theirs, of this one's so many bytes for others. A rank's
 * work on `device` may be what lays them, and what still takes those that were laid before:
 * it is waited for first. So after this call nobody takes from the shelf that is next.
 * (Rows that flow go through the same memory: ranks meet between these and shelves.) */
bool comm_laid(struct comm *comm, struct comm_shelves *shelves, weft_device *device,
               int64_t bytes);

/* Whether rows flow between all ranks, as flow.h has it, and sends them so: the room that
 * that takes is the ranks' own. False from comm_flow after a failure, and where `comes`
 * was. */
struct flow;
bool comm_flows(struct comm *comm, int64_t rows, size_t row_bytes);
bool comm_flow(struct comm *comm, const struct flow *flow, size_t row_bytes,
               comm_pack *pack, const void *context, void *receive);

#endif
