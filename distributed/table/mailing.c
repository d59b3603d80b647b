/* Rows of columns on their way between ranks. */
#include "table.h"

#include <stdlib.h>

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
    table_gather(1, letters->column, letters->bytes, letters->row + first, n, out);
}

void *mailing_send(struct comm *comm, const struct mailing *mailing, size_t row_bytes,
                   const void *column) {
    const struct letters letters = {column, row_bytes, mailing->row};
    void *receive =
        comm_allocate(comm, mailing->route.n_from, row_bytes, "rows to receive");
    if (route_send_packed(comm, &mailing->route, row_bytes, letters_pack, &letters,
                          receive))
        return receive;
    free(receive);
    return NULL;
}

/* Memory of a column for `all` rows, of which the table's are there. */
static char *lengthen(struct comm *comm, struct table *table, int column, int64_t all) {
    const size_t bytes = table->bytes[column];
    if (all <= table->room)
        return table->column[column];
    char *longer = comm_allocate(comm, all, bytes, "rows to receive");
    if (longer) {
        table_move(table->column[column], (size_t)table->n * bytes, longer);
        free(table->column[column]);
        table->column[column] = longer;
    }
    return longer;
}

bool table_append(struct comm *comm, struct table *table, int column,
                  const struct mailing *mailing) {
    const size_t bytes = table->bytes[column];
    char *longer = lengthen(comm, table, column, table->n + mailing->route.n_from);
    const struct letters letters = {longer, bytes, mailing->row};
    return route_send_packed(comm, &mailing->route, bytes, letters_pack, &letters,
                             longer ? longer + (size_t)table->n * bytes : NULL);
}
