/* Particles near places of a rank come to it, each once, whoever has them; by the device's
 * lists as by those of the host. Started by mpirun, or alone. */
#include "scene.h"
#include "distributed/vicinity/needs.h"
#include "io/files/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5 };

/* Places of this rank, and how far it asks for particles around each. */
struct places {
    int n;
    f64 at[MOST][3], reach[MOST];
};

/* Particles, and what is between them; some ranks ask for nothing. */
static struct places choose(const cloud *c, f64 reach) {
    struct places places = {.n = comm.rank % 3 == 2 ? 0 : comm.rank % 3 ? 1 : MOST};
    for (int k = 0; k < places.n; k++) {
        const i64 i = c->count > 0 ? (17 * comm.rank + 101 * k) % c->count : 0;
        for (int axis = 0; axis < 3; axis++)
            places.at[k][axis] = c->count > 0 ? c->at[3 * i + axis] : 0;
        places.at[k][0] += k % 2 ? reach / 2 : 0;
        places.reach[k] = k == 3 ? 40 * reach : reach * (f64)(k + 1) / MOST;
    }
    return places;
}

static bool is_near(const struct places *places, const f64 at[3], const f64 box[3]) {
    bool near = false;
    for (int k = 0; k < places->n; k++) {
        f64 squared = 0;
        for (int axis = 0; axis < 3; axis++) {
            const f64 d = at[axis] - places->at[k][axis];
            const f64 gap = box[axis] > 0 ? remainder(d, box[axis]) : d;
            squared += gap * gap;
        }
        near |= squared <= places->reach[k] * places->reach[k];
    }
    return near;
}

static uint32_t *mark(const struct vicinity *space, const struct places *places) {
    uint32_t *marks = calloc(NEEDS_WORDS, sizeof *marks);
    uint32_t *cells = malloc(VICINITY_CELLS * sizeof *cells);
    for (int k = 0; k < places->n; k++) {
        const int n = vicinity_around(space, places->at[k], places->reach[k], cells);
        for (int i = 0; i < n; i++)
            needs_mark(marks, cells[i]);
    }
    free(cells);
    return marks;
}

/* All that is near is here, and nothing twice. */
static void expect_came(const cloud *c, const struct table *table,
                        const struct places *places, const f64 box[3], bool keep,
                        const struct mailing *mailing) {
    const i64 *own = table->column[LINK_INDEX];
    i64 *came = mailing_send(&comm, mailing, sizeof *came, own), missed = 0;
    u8 *seen = calloc((size_t)c->count + 1, 1);
    ck_assert_ptr_nonnull(came);
    for (i64 k = 0; k < mailing->route.n_from; k++)
        seen[came[k]]++;
    for (i64 i = 0; i < table->n; i++)
        seen[own[i]] = (u8)(seen[own[i]] + keep);
    for (i64 i = 0; i < c->count; i++) {
        ck_assert_int_le(seen[i], 1);
        missed += !seen[i] && is_near(places, c->at + 3 * i, box);
    }
    ck_assert_int_eq(missed, 0);
    free(seen);
    free(came);
}

static void expect_plans(const cloud *c, const struct table *table,
                         const struct places *places, const f64 box[3], bool lent) {
    struct positions positions = {
        .at = table->column[LINK_POSITION], .bytes = c->wide ? 8 : 4, .n = table->n};
    struct vicinity space;
    struct needs needs;
    f64 low[3], high[3];
    io_extent(1, positions.at, positions.bytes, 3, positions.n, low, high);
    ck_assert(vicinity_settle(&comm, &positions, low, high, box, &space));
    uint32_t *mine = mark(&space, places);
    ck_assert(needs_share(&comm, mine, &needs));
    if (lent)
        positions_lend(device, &positions, 0);
    for (int keep = 0; keep < 2; keep++) {
        struct mailing by_device, by_host;
        ck_assert_msg(needs_plan(&comm, device, &needs, &space, keep, 0, &by_device), "%s",
                      comm.error.text);
        ck_assert(needs_plan(&comm, device, &needs, &space, keep, 1, &by_host));
        ck_assert_int_eq(by_device.route.n_to, by_host.route.n_to);
        ck_assert_mem_eq(by_device.row, by_host.row,
                         (size_t)by_host.route.n_to * sizeof *by_host.row);
        ck_assert_int_eq(keep ? by_host.route.to[comm.rank] : 0, 0);
        expect_came(c, table, places, box, keep, &by_device);
        mailing_free(&by_device);
        mailing_free(&by_host);
    }
    positions_take_back(device, &positions);
    needs_free(&needs);
    free(mine);
}

static void expect(const cloud *c, f64 reach, f64 box) {
    struct table table = scene_share(c);
    const struct places places = choose(c, reach);
    for (int periodic = 0; periodic < 8; periodic += periodic ? 6 : 1) {
        const f64 period[3] = {periodic & 1 ? box : 0, periodic & 2 ? box : 0,
                               periodic & 4 ? box : 0};
        expect_plans(c, &table, &places, period, false);
        expect_plans(c, &table, &places, period, true);
    }
    table_free(&table);
    ck_assert_uint_eq(weft_memory_use(device).used, 0);
}

START_TEST(what_is_near_comes) {
    scene_clumps(expect);
    scene_few(expect);
}
END_TEST

/* Particles at one place, and on the faces of cells. */
START_TEST(coincident_ones_come) {
    for (i64 places = 1; places <= 65; places += 32) {
        cloud c = cloud_coincident(places);
        expect(&c, 1, 64);
        cloud_free(&c);
    }
}
END_TEST

/* All that a rank has, about half of it, nothing. */
START_TEST(parts_are_told) {
    cloud c = cloud_new(1000, 1);
    struct table table = scene_share(&c);
    struct positions positions = {
        .at = table.column[LINK_POSITION], .bytes = 8, .n = table.n};
    const f64 low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    struct vicinity space;
    struct needs needs;
    f64 *at = table.column[LINK_POSITION];
    for (i64 i = 0; i < table.n; i++)
        at[3 * i] = (f64)i / (f64)table.n;
    ck_assert(vicinity_settle(&comm, &positions, low, high, high, &space));
    uint32_t *mine = calloc(NEEDS_WORDS, sizeof *mine);
    ck_assert(needs_share(&comm, mine, &needs));
    ck_assert(needs_own_part(&needs, &space) == 0);
    needs_free(&needs);
    for (int words = 0; words < NEEDS_WORDS / 2; words++)
        mine[words] = UINT32_MAX;
    ck_assert(needs_share(&comm, mine, &needs));
    ck_assert(table.n == 0 || fabs(needs_own_part(&needs, &space) - 0.5) < 0.1);
    needs_free(&needs);
    memset(mine, 255, NEEDS_WORDS * sizeof *mine);
    ck_assert(needs_share(&comm, mine, &needs));
    ck_assert(needs_own_part(&needs, &space) == (table.n > 0));
    needs_free(&needs);
    free(mine);
    table_free(&table);
    cloud_free(&c);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {what_is_near_comes, coincident_ones_come, parts_are_told};
    return scene_main(argc, argv, "vicinity", tests, 3);
}
