/* Rows of columns on their way between ranks. */
#include "table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool mailing_plan(struct comm *comm, int64_t n, parts_rule *rule, const void *context,
                  struct mailing *mailing) {
    int64_t *to;
    parts_list(comm, n, comm->size, rule, context, &mailing->row, &to);
    return route_find(comm, to, &mailing->route);
}

void mailing_free(struct mailing *mailing) {
    free(mailing->row);
    route_free(&mailing->route);
    mailing->row = NULL;
}

void letters_pack(const void *context, int64_t first, int64_t n, void *out) {
    const struct letters *letters = context;
    table_gather(letters->threads, letters->column, letters->bytes, letters->row + first, n,
                 out);
}

void *mailing_send(struct comm *comm, const struct mailing *mailing, size_t row_bytes,
                   const void *column) {
    const struct letters letters = {comm->threads, column, row_bytes, mailing->row};
    void *receive =
        comm_allocate(comm, mailing->route.n_from, row_bytes, "rows to receive");
    if (route_send_packed(comm, &mailing->route, row_bytes, letters_pack, &letters,
                          receive))
        return receive;
    free(receive);
    return NULL;
}

void table_give_up(char *begin, char *end) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t low = ((uintptr_t)begin + page - 1) / page * page;
    const uintptr_t high = (uintptr_t)end / page * page;
    if (low < high)
        madvise((void *)low, high - low, MADV_DONTNEED);
}

/* What realloc does, which would have both at once. */
static void move_bytes(char *to, char *from, size_t bytes) {
    enum { STEP = 1 << 22 };
    for (size_t k = 0; k < bytes; k += STEP) {
        const size_t n = bytes - k < STEP ? bytes - k : STEP;
        memcpy(to + k, from + k, n);
        table_give_up(from + k, from + k + n);
    }
}

bool table_append(struct comm *comm, struct table *table, int column,
                  const struct mailing *mailing) {
    const size_t bytes = table->bytes[column];
    const int64_t more = mailing->route.n_from;
    char *came = mailing_send(comm, mailing, bytes, table->column[column]);
    char *longer =
        came ? comm_allocate(comm, table->n + more, bytes, "rows to receive") : NULL;
    if (longer) {
        move_bytes(longer, table->column[column], (size_t)table->n * bytes);
        memcpy(longer + (size_t)table->n * bytes, came, (size_t)more * bytes);
        free(table->column[column]);
        table->column[column] = longer;
    }
    free(came);
    return longer != NULL;
}
