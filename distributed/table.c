#include "table.h"

#include <stdlib.h>
#include <string.h>

void table_free(struct table *table) {
    for (int c = 0; c < TABLE_COLUMNS; ++c)
        free(table->column[c]);
    *table = (struct table){0};
}

void table_gather(const void *column, size_t bytes, const uint32_t *row, int64_t n,
                  void *out) {
    for (int64_t k = 0; k < n; ++k)
        memcpy((char *)out + (size_t)k * bytes,
               (const char *)column + (size_t)row[k] * bytes, bytes);
}

bool table_take(struct comm *comm, struct table *table, const uint32_t *row, int64_t n) {
    for (int c = 0; c < TABLE_COLUMNS; ++c) {
        if (table->bytes[c] == 0)
            continue;
        void *taken = comm_allocate(comm, n, table->bytes[c], "the particles that stay");
        if (taken == NULL)
            return false;
        table_gather(table->column[c], table->bytes[c], row, n, taken);
        free(table->column[c]);
        table->column[c] = taken;
    }
    table->n = n;
    return true;
}

/* Counts the rows of each part, or, where there is a place for each part's, notes them. */
static void ask(int64_t n, parts_rule *rule, const void *context, int *parts,
                int64_t *count, int64_t *place, uint32_t *rows) {
    for (int64_t i = 0; i < n; ++i) {
        const int found = rule(context, i, parts);
        for (int k = 0; k < found; ++k) {
            if (place)
                rows[place[parts[k]]++] = (uint32_t)i;
            else
                ++count[parts[k]];
        }
    }
}

void parts_list(struct comm *comm, int64_t n, int parts, parts_rule *rule,
                const void *context, uint32_t **rows, int64_t **count) {
    const char *what = "the lists of particles that move";
    int *found = comm_allocate(comm, parts, sizeof *found, what);
    int64_t *place = comm_allocate(comm, parts, sizeof *place, what);
    *rows = NULL;
    *count = comm_allocate(comm, parts, sizeof **count, what);
    if (found && place && *count) {
        memset(*count, 0, (size_t)parts * sizeof **count);
        ask(n, rule, context, found, *count, NULL, NULL);
        int64_t total = 0;
        for (int p = 0; p < parts; ++p) {
            place[p] = total;
            total += (*count)[p];
        }
        *rows = comm_allocate(comm, total, sizeof **rows, what);
        if (*rows)
            ask(n, rule, context, found, NULL, place, *rows);
    }
    free(found);
    free(place);
}

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

void *mailing_send(struct comm *comm, const struct mailing *mailing, size_t row_bytes,
                   const void *column) {
    const struct route *route = &mailing->route;
    void *send = comm_allocate(comm, route->n_to, row_bytes, "rows to send");
    void *receive = comm_allocate(comm, route->n_from, row_bytes, "rows to receive");
    if (send && receive)
        table_gather(column, row_bytes, mailing->row, route->n_to, send);
    const bool well = route_send(comm, route, row_bytes, send, receive);
    free(send);
    if (!well) {
        free(receive);
        return NULL;
    }
    return receive;
}

bool table_send(struct comm *comm, struct table *table, const struct mailing *mailing) {
    for (int c = 0; c < TABLE_COLUMNS; ++c) {
        if (table->bytes[c] == 0)
            continue;
        void *received = mailing_send(comm, mailing, table->bytes[c], table->column[c]);
        free(table->column[c]);
        table->column[c] = received;
        if (received == NULL)
            return false;
    }
    table->n = mailing->route.n_from;
    return true;
}
