/* Steps by gravity itself: back to the last bit, at rest together, in memory that does not
 * grow. */
#include "harness.h"

#include <math.h>
#include <string.h>

enum { N = 100, STEPS = 50, MESH = 16 };

typedef struct state {
    u32 position[3][N];
    i64 momentum[3][N];
} state;

static weft_status pull_far(void *plan, weft_device *on, const weft_steps_particles *p,
                            const weft_array a[3]) {
    return weft_gravity_long(on, plan, p->position[0], p->position[1], p->position[2], a[0],
                             a[1], a[2]);
}

static weft_status pull_near(void *plan, weft_device *on, const weft_steps_particles *p,
                             const weft_array a[3]) {
    return weft_gravity_short(on, plan, p->position[0], p->position[1], p->position[2],
                              a[0], a[1], a[2]);
}

static void receive(const weft_steps_particles *p, state *s) {
    for (int k = 0; k < 3; k++) {
        weft_read(device, p->position[k], s->position[k]);
        weft_read(device, p->momentum[k], s->momentum[k]);
    }
    test_ok();
}

/* Half of them in a ball of a tenth of the box. */
static void place(state *s) {
    u64 seed = 8;
    memset(s, 0, sizeof *s);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) {
            const u32 at = (u32)test_random(&seed);
            s->position[k][i] = i % 2 ? at : at / 10;
        }
}

static f64 scale_at(int step) {
    return 0.1 * pow(10, step / (f64)STEPS);
}

START_TEST(there_and_back) {
    static state before, there, after;
    const weft_gravity_options asked = {.mesh = MESH, .most = N, .softening = 0.01};
    weft_gravity *plan = weft_gravity_new(device, &asked);
    weft_steps_particles p = {.n = N};
    weft_steps_options o = {
        .cosmology = {.h = 0.7, .omega_matter = 0.3, .omega_lambda = 0.7},
        .substeps = 1,
        .slow = pull_far,
        .fast = pull_near,
        .user = plan,
        .strength = 3 * 0.3 / (8 * 3.14159265358979 * N)};
    place(&before);
    for (int k = 0; k < 3; k++) {
        p.position[k] = test_array(WEFT_U32, before.position[k], N);
        p.momentum[k] = test_array(WEFT_I64, before.momentum[k], N);
        o.acceleration[k] = weft_array_new(device, WEFT_F64, N);
    }
    u64 held = 0;
    for (int s = 0; s < STEPS; s++) {
        o.from = scale_at(s);
        o.to = scale_at(s + 1);
        weft_steps_take(device, &p, &o);
        o.known = 1;
        held = s == 0 ? weft_memory_use(device).held : held;
    }
    test_ok();
    ck_assert_uint_eq(weft_memory_use(device).held, held);
    receive(&p, &there);
    for (int k = 0; k < 3; k++) {
        f64 sum = 0, size = 0;
        for (int i = 0; i < N; i++) {
            sum += (f64)there.momentum[k][i];
            size += fabs((f64)there.momentum[k][i]);
        }
        ck_assert_double_lt(fabs(sum), 1e-5 * size);
        ck_assert_double_gt(size, 0x1p40 * 0.01 * N);
    }
    for (int s = STEPS - 1; s >= 0; s--) {
        o.to = scale_at(s);
        o.from = scale_at(s + 1);
        weft_steps_take(device, &p, &o);
    }
    receive(&p, &after);
    ck_assert(memcmp(&before, &after, sizeof before) == 0);
    weft_gravity_free(device, plan);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {there_and_back};
    return test_main(argc, argv, "steps_gravity", tests, sizeof tests / sizeof *tests);
}
