#include "flow.h"
#include "launcher.h"
#include "ranks.h"

bool ranks_open(int *rank, int *size, int *local, int *together, struct io_error *error) {
    const struct launcher launcher = launcher_find();
    *rank = *local = 0;
    *size = *together = 1;
    return launcher.variable == NULL ||
           io_fail(error,
                   "this build is without MPI: it cannot be one of %d ranks (%s); "
                   "--no-mpi lets each work alone",
                   launcher.size, launcher.variable);
}

void ranks_close(void) {
}

void ranks_reduce_i64(int64_t *values, int n, enum comm_operation operation) {
    (void)values, (void)n, (void)operation;
}

void ranks_reduce_f64(double *values, int n, enum comm_operation operation) {
    (void)values, (void)n, (void)operation;
}

void ranks_share(const void *mine, size_t bytes, void *all) {
    (void)mine, (void)bytes, (void)all;
}

void ranks_broadcast(int root, void *data, int64_t bytes) {
    (void)root, (void)data, (void)bytes;
}

void ranks_count(const int64_t *to, int64_t *from) {
    (void)to, (void)from;
}

bool ranks_shelves(int threads, struct comm_shelves *shelves) {
    (void)threads, (void)shelves;
    return false;
}

void ranks_settle(void) {
}

void *ranks_room(size_t row_bytes, bool packed, struct ranks_rows to,
                 struct ranks_rows from) {
    (void)row_bytes, (void)packed, (void)to, (void)from;
    return NULL;
}

void ranks_move(int threads, size_t row_bytes, comm_pack *pack, const void *context,
                struct ranks_rows to, void *receive, struct ranks_rows from, void *room) {
    (void)threads, (void)row_bytes, (void)pack, (void)context;
    (void)to, (void)receive, (void)from, (void)room;
}

bool flow_opens(int threads, int64_t rows, size_t row_bytes) {
    (void)threads, (void)rows, (void)row_bytes;
    return false;
}

size_t flow_room(int blocks, int ranks) {
    (void)blocks, (void)ranks;
    return 0;
}

bool flow_run(int threads, size_t row_bytes, comm_pack *pack, const void *context,
              const struct flow *flow, char *receive, void *room) {
    (void)threads, (void)row_bytes, (void)pack, (void)context;
    (void)flow, (void)receive, (void)room;
    return true;
}
