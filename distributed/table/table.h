/* Rows of several columns, and how they travel between ranks. */
#ifndef WEFT_DISTRIBUTED_TABLE_H
#define WEFT_DISTRIBUTED_TABLE_H

#include "distributed/ranks/comm.h"

#include <weft/array.h>

enum { TABLE_COLUMNS = 8 };

/* A column is as many bytes a row wherever the table is; 0: there is none. The memory of
 * one of i64 that are the rows' numbers from `first` on may be missing until the table is
 * sent.
 */
struct table {
    int64_t n;
    int64_t room; /* for so many rows all columns have memory, or for n */
    int64_t first;
    size_t bytes[TABLE_COLUMNS];
    void *column[TABLE_COLUMNS]; /* owned */
};

void table_free(struct table *table);

/* Whether the rank's device did what it was asked to; else false after comm_fail. */
bool table_well(struct comm *comm, weft_device *device);

/* Copies to memory that was not written yet, and returns pages of what was copied to the
 * system, bit by bit. */
void table_move(char *from, size_t bytes, char *to);

/* A column of where n rows were in the input: a copy of `place`, or, where that is NULL,
 * the numbers from `first` on. NULL after a failure. */
int64_t *table_places(struct comm *comm, const int64_t *place, int64_t first, int64_t n);

/* Keeps the rows row[0 .. n), in that order. Peak memory: one column twice. */
bool table_take(struct comm *comm, struct table *table, const uint32_t *row, int64_t n);

/* The rows row[0 .. n) of a column, into `out`. */
void table_gather(int threads, const void *column, size_t bytes, const uint32_t *row,
                  int64_t n, void *out);

/* Rows of a column as they are packed for others: a comm_pack of row[first .. first + n).
 */
struct letters {
    const void *column;
    size_t bytes;
    const uint32_t *row;
};
void letters_pack(const void *letters, int64_t first, int64_t n, void *out);

/* Asked for each row, by several threads: the parts it goes to, each once, of 0 .. `count`.
 * Returns how many. */
typedef int parts_rule(const void *context, int64_t row, int *parts);

/* Rows of 0 .. n (below 2^32) by the part that they go to, ascending in each: a row may go
 * to several, or to none. Asks for most rows twice, for many that go nowhere once.
 *   rows    the lists of all parts, one after the other
 *   count   [parts] how many each has
 * Both for free(); NULL after a failure. */
void parts_list(struct comm *comm, int64_t n, int parts, parts_rule *rule,
                const void *context, uint32_t **rows, int64_t **count);

/* Rows on their way to ranks. */
struct mailing {
    uint32_t *row;
    struct route route;
};
bool mailing_plan(struct comm *comm, int64_t n, parts_rule *rule, const void *context,
                  struct mailing *mailing);
void mailing_free(struct mailing *mailing);

/* Sends one column's rows; returns those that came, or NULL after a failure. */
void *mailing_send(struct comm *comm, const struct mailing *mailing, size_t row_bytes,
                   const void *column);

/* Sends one column's rows; those that came lie after the n of the table. Moves the column
 * where there is no room. */
bool table_append(struct comm *comm, struct table *table, int column,
                  const struct mailing *mailing);

/* Rows by the rank that each goes to, in even blocks: block after block, in it rank after
 * rank, and ascending in each. */
struct parcels {
    int blocks;     /* the same on all ranks */
    uint32_t *row;  /* [n] */
    int64_t *count; /* [blocks][ranks] */
};

/* Finds the ranks that rows first .. first + n go to: rank [n]. Called by several threads.
 */
typedef void parcels_rule(const void *context, int64_t first, int64_t n, uint16_t *rank);

/* Sorts n rows (below 2^32), a block at a time. Free it in each case. */
bool parcels_sort(struct comm *comm, int64_t n, parcels_rule *rule, const void *context,
                  struct parcels *parcels);
void parcels_free(struct parcels *parcels);

/* Where block b of n rows begins. */
int64_t parcels_begin(int blocks, int b, int64_t n);

/* Told of a column that is there as soon as it is, while others are on their way. */
typedef void table_arrival(void *user, int column, const void *rows, int64_t n);

/* Sends the rows of all columns, block by block: the table becomes what came, rank after
 * rank and ascending in each. The lists of `parcels` are gone then. Memory: about a tenth
 * of a column is there twice, since pages of what was sent become those of what comes. */
bool table_send(struct comm *comm, struct table *table, const struct parcels *parcels,
                table_arrival *arrives, void *user);

#endif
