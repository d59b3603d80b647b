/* Listeners: what is told of each long call, that it changes no result, and that every
 * place where a call may be ended ends it whole. */
#include "harness.h"
#include "listener.kernel.h"

#include <string.h>

WEFT_KERNEL(listener_count, (inout, u32, x))

enum { SIDE = 8, N = SIDE * SIDE * SIDE, HEARD = 1 << 14 };

static struct {
    const char *call;
    i64 count, stop; /* stop: at which the answer is to end, or below 0 */
    f64 done[HEARD];
} heard;

static int hear(void *context, const char *call, double done) {
    ck_assert_ptr_eq(context, &heard);
    ck_assert_int_lt(heard.count, HEARD);
    ck_assert(heard.count == 0 || heard.call == call);
    heard.call = call;
    heard.done[heard.count++] = done;
    return heard.count - 1 == heard.stop;
}

static void listen(i64 stop) {
    heard.count = 0;
    heard.stop = stop;
    ck_assert_int_eq(weft_listen(device, hear, &heard), WEFT_OK);
}

/* From 0, upwards, to the end. */
static void expect_heard(const char *call) {
    ck_assert_msg(heard.count >= 2, "%s: heard %lld times", call, (long long)heard.count);
    ck_assert_str_eq(heard.call, call);
    ck_assert_double_eq(heard.done[0], 0);
    ck_assert_double_eq(heard.done[heard.count - 1], 1);
    for (i64 k = 1; k < heard.count; k++)
        ck_assert_msg(heard.done[k] > heard.done[k - 1], "%s: %g after %g", call,
                      heard.done[k], heard.done[k - 1]);
}

/* A lattice that has moved, in a box of 1, with one crowd. */
static struct scene {
    weft_bodies bodies;
    weft_halos halos;
    weft_array id;
    weft_fof_options rule;
} scene;

static void set_scene(void) {
    static f64 x[3 * N], v[3 * N];
    static i64 id[N];
    u64 state = 7;
    for (i64 i = 0; i < N; i++) {
        const i64 at[3] = {i / SIDE / SIDE, i / SIDE % SIDE, i % SIDE};
        id[i] = i;
        for (int k = 0; k < 3; k++) {
            const f64 any = (f64)(test_random(&state) >> 40) * 0x1p-24;
            const f64 on = ((f64)at[k] + 0.6 * any) / SIDE;
            x[3 * i + k] = at[0] < 4 && at[1] < 4 && at[2] < 4 ? 0.2 + 0.3 * on : on;
            v[3 * i + k] = any;
        }
    }
    scene.id = test_array(WEFT_I64, id, N);
    scene.rule = (weft_fof_options){.linking_length = 0.06, .box = {1, 1, 1}};
    scene.bodies = (weft_bodies){
        .points = weft_points_interleaved(device, test_array(WEFT_F64, x, 3 * N)),
        .velocity = test_array(WEFT_F64, v, 3 * N),
        .particle_mass = 1,
        .box = {1, 1, 1}};
    weft_scope_open(device);
    const weft_array label = weft_scratch(device, WEFT_U32, N);
    weft_fof(device, &scene.bodies.points, &scene.rule, label);
    weft_halos_group(device, label, scene.id, 20, &scene.halos);
    weft_scope_close(device);
    test_ok();
    ck_assert_int_ge(scene.halos.count, 1);
}

/* What a result is told by. */
static u32 sum(weft_array x) {
    u32 all = 0;
    weft_reduce(device, weft_as(device, x, WEFT_U32), weft_plus(WEFT_U32), &all);
    return all;
}

static u32 fof(void) {
    weft_fof_options rule = scene.rule;
    rule.min_friends = 1;
    const weft_array label = weft_scratch(device, WEFT_U32, N);
    weft_fof(device, &scene.bodies.points, &rule, label);
    return sum(label);
}

static u32 dbscan(void) {
    const weft_dbscan_options rule = {.eps = 0.05, .min_points = 4, .box = {1, 1, 1}};
    const weft_array label = weft_scratch(device, WEFT_I32, N);
    weft_dbscan(device, &scene.bodies.points, &rule, label);
    return sum(label);
}

static u32 mcp(void) {
    const weft_array who = weft_scratch(device, WEFT_U32, scene.halos.count),
                     most = weft_scratch(device, WEFT_U32, scene.halos.count);
    weft_mcp(device, &scene.bodies.points, &scene.rule, NULL, &scene.halos, who, most);
    return sum(who) + sum(most);
}

static u32 mbp(void) {
    const weft_array who = weft_scratch(device, WEFT_U32, scene.halos.count),
                     phi = weft_scratch(device, WEFT_F64, scene.halos.count);
    weft_mbp(device, &scene.bodies, NULL, &scene.halos, who, phi);
    return sum(who) + sum(phi);
}

static u32 potential(void) {
    const weft_array phi = weft_scratch(device, WEFT_F64, scene.halos.members);
    weft_potential(device, &scene.bodies, NULL, &scene.halos, 0, phi);
    return sum(phi);
}

static u32 poisson(void) {
    const weft_array who = weft_scratch(device, WEFT_U32, scene.halos.count),
                     phi = weft_scratch(device, WEFT_F64, scene.halos.count);
    weft_poisson(device, &scene.bodies, NULL, &scene.halos, who, phi);
    return sum(who) + sum(phi);
}

static const weft_so_options thresholds = {.densities = 1, .density = {4 * N}};

static u32 so(void) {
    weft_so_spheres spheres;
    weft_so(device, &scene.bodies, &scene.bodies.points, &thresholds, &spheres);
    const u32 all = sum(spheres.radius);
    weft_so_free(device, &spheres);
    return all;
}

static u32 profiles(void) {
    weft_profiles found;
    const weft_array radius = weft_scratch(device, WEFT_F64, N);
    weft_fill(device, radius, &(f64){0.05});
    const weft_profiles_options how = {.bins = 3, .edge = {0, 0.5, 1, 2}, .radius = radius};
    weft_profiles_measure(device, &scene.bodies, &scene.bodies.points, &thresholds, &how,
                          &found);
    const u32 all = sum(found.mass);
    weft_profiles_free(device, &found);
    return all;
}

static u32 subhalos(void) {
    weft_subhalos found;
    const weft_subhalos_options options = {.gravity = 1e-3, .least_halo = 20, .least = 5};
    weft_subhalos_find(device, &scene.bodies, &options, &scene.halos, &found);
    const u32 all = sum(found.member) + (u32)found.count;
    weft_subhalos_free(device, &found);
    return all;
}

static u32 neighbours(void) {
    const weft_neighbours_options options = {.count = 5, .box = {1, 1, 1}};
    const weft_array distance2 = weft_scratch(device, WEFT_F64, 5 * N);
    weft_neighbours(device, &scene.bodies.points, &options, NULL, (weft_array){0},
                    distance2);
    return sum(distance2);
}

static u32 nearest(void) {
    const weft_nearest_options options = {.length = 0.3, .box = {1, 1, 1}};
    const weft_array target = weft_scratch(device, WEFT_U32, N),
                     found = weft_scratch(device, WEFT_U32, N);
    weft_fill(device, target, &(u32){0});
    weft_fill(device, weft_slice(device, target, 0, 3), &(u32){1});
    weft_nearest(device, &scene.bodies.points, &options, target, found);
    return sum(found);
}

static u32 sheet(void) {
    weft_lattice lattice;
    const weft_array units = weft_scratch(device, WEFT_I64, 64);
    const weft_sheet_options options = {.grid = {4, 4, 4}};
    const int listens = heard.count >= 0;
    weft_listen(device, NULL, NULL); /* of one call alone */
    weft_lattice_find(device, &scene.bodies.points, scene.id, NULL, scene.bodies.box,
                      &lattice);
    weft_listen(device, listens ? hear : NULL, &heard);
    weft_fill(device, units, &(i64){0});
    weft_sheet_deposit(device, &lattice, &options, units);
    weft_lattice_free(device, &lattice);
    return sum(units);
}

static u32 power(void) {
    f64 k[8], found[8];
    i64 modes[8];
    u32 all = 0;
    const weft_power_options options = {
        .n = {8, 8, 8}, .box = {1, 1, 1}, .window = WEFT_MESH_CIC};
    if (weft_power_particles(device, &scene.bodies.points, (weft_array){0}, &options, k,
                             found, modes, NULL) == WEFT_OK)
        for (i64 s = 0; s < weft_power_shells(&options); s++)
            all += (u32)(1e9 * found[s]) + (u32)modes[s];
    return all;
}

static u32 links(void) {
    const weft_array target = weft_scratch(device, WEFT_U32, scene.halos.count);
    const weft_array id = weft_scratch(device, WEFT_I64, scene.halos.members);
    weft_sequence(device, id, &(i64){0}, &(i64){1});
    const weft_links_groups g = {.count = scene.halos.count,
                                 .members = scene.halos.members,
                                 .offset = scene.halos.offset,
                                 .id = id,
                                 .tag = scene.halos.tag};
    weft_links(device, &g, &g, target, (weft_array){0}, (weft_array){0});
    return sum(target);
}

static const struct {
    const char *call;
    u32 (*run)(void);
} calls[] = {
    {"weft_fof", fof},
    {"weft_so", so},
    {"weft_mbp", mbp},
    {"weft_dbscan", dbscan},
    {"weft_mcp", mcp},
    {"weft_potential", potential},
    {"weft_poisson", poisson},
    {"weft_profiles_measure", profiles},
    {"weft_subhalos_find", subhalos},
    {"weft_neighbours", neighbours},
    {"weft_nearest", nearest},
    {"weft_sheet_deposit", sheet},
    {"weft_power_particles", power},
    {"weft_links", links},
};

/* Runs one in a scope of its own: nothing may be left of it. */
static u32 run(int c) {
    const u64 used = weft_memory_use(device).used;
    weft_scope_open(device);
    const u32 result = calls[c].run();
    weft_scope_close(device);
    ck_assert_uint_eq(weft_memory_use(device).used, used);
    return result;
}

START_TEST(each_call) {
    const int count = sizeof calls / sizeof *calls;
    set_scene();
    for (int c = kind_step > 1 ? first_kind % 3 : 0; c < count; c += kind_step) {
        heard.count = -1;
        const u32 right = run(c);
        test_ok();
        listen(-1);
        ck_assert_uint_eq(run(c), right);
        test_ok();
        expect_heard(calls[c].call);
        const i64 told = heard.count;
        for (i64 stop = 0; stop < told - 1; stop += 1 + told / 16) {
            listen(stop);
            run(c);
            if (heard.count <= stop ||
                heard.done[stop] >= 1) /* threads tell now more, now less from within */
                break;
            ck_assert_int_eq(heard.count, stop + 1);
            ck_assert_ptr_nonnull(strstr(weft_error(device), calls[c].call));
            test_expect_error(WEFT_E_STOPPED, "ended by its listener");
            weft_listen(device, NULL, NULL);
            heard.count = -1;
            ck_assert_uint_eq(run(c), right);
            test_ok();
        }
        weft_listen(device, NULL, NULL);
        test_ok();
    }
    weft_halos_free(device, &scene.halos);
}
END_TEST

static void expect_told(const f64 *told, i64 count) {
    ck_assert_int_eq(heard.count, count);
    for (i64 k = 0; k < count; k++)
        ck_assert_double_eq(heard.done[k], told[k]);
}

static void inner(f64 half) {
    weft_task_begin(device, "inner");
    weft_task_until(device, half);
    weft_task_until(device, 1);
    weft_task_end(device);
}

START_TEST(tasks_within_tasks) {
    listen(-1);
    weft_task_begin(device, "outer");
    weft_task_until(device, 0.5);
    inner(0.5);
    weft_task_until(device, 0.25); /* parts do not fall */
    weft_task_until(device, 1);
    inner(0.25);
    weft_task_until(device, 2);
    weft_task_end(device);
    ck_assert_str_eq(heard.call, "outer");
    expect_told((const f64[]){0, 0.25, 0.5, 0.625, 1}, 5);
    listen(-1);
    for (int k = 0; k < 20; k++) {
        weft_task_begin(device, k ? "deep" : "deepest");
        weft_task_until(device, 0.5);
    }
    for (int k = 0; k < 20; k++)
        weft_task_end(device);
    ck_assert_str_eq(heard.call, "deepest");
    expect_told((const f64[]){0, 1}, 2);
    listen(1); /* there is nothing left to end */
    weft_task_begin(device, "short");
    weft_task_end(device);
    expect_told((const f64[]){0, 1}, 2);
    weft_task_end(device); /* one too many */
    weft_task_until(device, 0.5);
    expect_told((const f64[]){0, 1}, 2);
    test_ok();
}
END_TEST

/* A long launch is heard from within, on one thread; on several as far as the caller has a
 * share of it. Each work-item runs once. */
START_TEST(within_a_launch) {
    enum { LONG = 1 << 20 };
    const int alone = strcmp(weft_backend_name(device), "serial") == 0;
    const weft_array x = weft_array_new(device, WEFT_U32, LONG);
    u32 all = 0;
    weft_fill(device, x, &all);
    listen(-1);
    weft_task_begin(device, "mine");
    weft_task_until(device, 0.5);
    weft_for_each(device, LONG, listener_count, .x = x);
    const i64 count = heard.count;
    weft_for_each(device, LONG, listener_count, .x = x); /* of no part */
    ck_assert_int_eq(heard.count, count);
    weft_task_end(device);
    expect_heard("mine");
    ck_assert(alone ? count > 100 && count < 200 : count >= 1 && count < 200);
    ck_assert(heard.done[count - 1] < 0.5);
    weft_reduce(device, x, weft_plus(WEFT_U32), &all);
    ck_assert_uint_eq(all, 2 * LONG);
    if (alone) {
        listen(2);
        weft_task_begin(device, "mine");
        weft_task_until(device, 0.5);
        weft_for_each(device, LONG, listener_count, .x = x);
        weft_task_end(device);
        ck_assert_int_eq(heard.count, 3);
        test_expect_error(WEFT_E_STOPPED, "mine: ended by its listener");
        weft_reduce(device, x, weft_plus(WEFT_U32), &all);
        ck_assert_uint_lt(all, 3 * LONG); /* the rest was left */
    }
}
END_TEST

START_TEST(not_within_a_call) {
    weft_task_begin(device, "mine");
    ck_assert_int_eq(weft_listen(device, hear, &heard), WEFT_E_ARGUMENT);
    test_expect_error(WEFT_E_ARGUMENT, "within a call (mine)");
    weft_task_end(device);
    listen(-1);
    ck_assert_int_eq(weft_listen(NULL, hear, &heard), WEFT_E_MEMORY);
    ck_assert_int_eq(weft_task_until(NULL, 1), WEFT_E_MEMORY);
    weft_task_begin(NULL, "mine");
    weft_task_end(NULL);
    ck_assert_int_eq(heard.count, 0);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {each_call, tasks_within_tasks, within_a_launch,
                                  not_within_a_call};
    return test_main(argc, argv, "listener", tests, sizeof tests / sizeof *tests);
}
