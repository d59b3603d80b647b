/* What <weft/device.h> says of threads; the thread sanitizer sees what it does not say. */
#include "harness.h"
#include "threads.kernel.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

WEFT_KERNEL(threads_square, (inout, u32, x))
WEFT_GENERATOR(threads_odd, u32, (in, u32, x))

enum { THREADS = 4, N = 3001 };

static char name[32]; /* of the backend */

/* Starts THREADS threads at once and waits for them. */
static void run(void *(*work)(void *), void *each, size_t bytes) {
    pthread_t thread[THREADS];
    snprintf(name, sizeof name, "%s", weft_backend_name(device));
    for (int k = 0; k < THREADS; k++)
        ck_assert_int_eq(
            pthread_create(&thread[k], NULL, work, (char *)each + (size_t)k * bytes), 0);
    for (int k = 0; k < THREADS; k++)
        pthread_join(thread[k], NULL);
}

/* Launches, primitives and an algorithm; whether all results are right. */
static int use(weft_device *mine, u32 n) {
    u32 *host = malloc(n * sizeof *host), *label = malloc(n * sizeof *label);
    f32 *place = malloc(n * 3 * sizeof *place);
    int right = host && label && place;
    for (u32 i = 0; right && i < n; i++) {
        host[i] = n - 1 - i;
        place[3 * i] = (f32)(i / 2); /* pairs, a unit apart */
        place[3 * i + 1] = place[3 * i + 2] = (f32)(i % 2) * 0.25f;
    }
    if (right) {
        i64 odd = -1;
        const weft_array x = weft_array_new(mine, WEFT_U32, n);
        weft_write(mine, x, host);
        weft_scope_open(mine);
        const weft_array y = weft_scratch(mine, WEFT_U32, n);
        weft_sort(mine, x, WEFT_ASCENDING);
        weft_for_each(mine, n, threads_square, .x = x);
        weft_count_if(mine, weft_lazy(n, threads_odd, .x = x), &odd);
        const weft_points points =
            weft_points_interleaved(mine, weft_borrow_const(mine, WEFT_F32, place, 3 * n));
        const weft_fof_options options = {.linking_length = 0.5};
        weft_fof(mine, &points, &options, y);
        weft_read(mine, y, label);
        weft_scope_close(mine);
        weft_return(mine, points.x);
        weft_read(mine, x, host);
        weft_array_free(mine, x);
        right = odd == n / 2;
    }
    for (u32 i = 0; right && i < n; i++)
        right = host[i] == i * i && label[i] == i / 2 * 2;
    right = right && weft_check(mine) == WEFT_OK;
    free(host), free(label), free(place);
    return right;
}

static void *open_and_use(void *out) {
    int *right = out;
    *right = 1;
    for (u32 n = 1; n <= N; n = n * 50 + 1) {
        weft_device *mine = weft_open(name);
        *right &= use(mine, n);
        *right &= weft_devices(NULL, 0) > 0 && weft_plus(WEFT_U32) != NULL;
        weft_close(mine);
    }
    return NULL;
}

START_TEST(a_device_a_thread) {
    int right[THREADS];
    if (!test_is_whole()) /* PoCL then has on disk what each would compile */
        ck_assert_int_eq(use(device, N), 1);
    run(open_and_use, right, sizeof *right);
    for (int k = 0; k < THREADS; k++)
        ck_assert_int_eq(right[k], 1);
}
END_TEST

/* Sines come from one planner for the whole process, and errors belong to a device. */
static void *transform_and_fail(void *out) {
    enum { SIDE = 15, CUBE = SIDE * SIDE * SIDE };
    int *right = out;
    f32 *cube = calloc(CUBE, sizeof *cube);
    weft_device *mine = weft_open(name);
    *right = cube != NULL;
    for (int k = 0; *right && k < 3; k++) {
        cube[k] = 1;
        const weft_array x = weft_borrow(mine, WEFT_F32, cube, CUBE);
        weft_sine_transform(mine, SIDE, x);
        weft_sine_transform(mine, SIDE, x);
        weft_return(mine, x);
        *right = weft_check(mine) == WEFT_OK && cube[k] > 32767 && cube[k] < 32769;
        memset(cube, 0, CUBE * sizeof *cube);
        weft_sine_transform(mine, 0, x);
        *right &= weft_check(mine) == WEFT_E_ARGUMENT && *weft_error(mine) != '\0';
        weft_clear(mine);
    }
    weft_close(mine);
    free(cube);
    return NULL;
}

START_TEST(transforms_and_errors) {
    int right[THREADS];
    run(transform_and_fail, right, sizeof *right);
    for (int k = 0; k < THREADS; k++)
        ck_assert_int_eq(right[k], 1);
}
END_TEST

/* One device, an array and a scope, handed from thread to thread. */
typedef struct turn {
    pthread_mutex_t *gate;
    weft_device *shared;
    weft_array x;
    int right;
} turn;

static void *take_turns(void *in) {
    turn *mine = in;
    for (int k = 0; k < 5; k++) {
        u32 first = 0;
        pthread_mutex_lock(mine->gate);
        weft_for_each(mine->shared, N, threads_square, .x = mine->x);
        weft_read(mine->shared, weft_slice(mine->shared, mine->x, N - 1, 1), &first);
        const weft_array y = weft_scratch(mine->shared, WEFT_U32, N);
        weft_copy(mine->shared, mine->x, y);
        mine->right &= first == 1 && weft_check(mine->shared) == WEFT_OK;
        pthread_mutex_unlock(mine->gate);
    }
    return NULL;
}

START_TEST(handed_over) {
    const u32 one = 1;
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    const weft_array x = weft_array_new(device, WEFT_U32, N);
    turn turns[THREADS];
    weft_fill(device, x, &one);
    weft_scope_open(device);
    for (int k = 0; k < THREADS; k++)
        turns[k] = (turn){&gate, device, x, 1};
    run(take_turns, turns, sizeof *turns);
    weft_scope_close(device);
    for (int k = 0; k < THREADS; k++)
        ck_assert_int_eq(turns[k].right, 1);
    ck_assert_int_eq(use(device, N), 1);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {a_device_a_thread, transforms_and_errors, handed_over};
    return test_main(argc, argv, "threads", tests, sizeof tests / sizeof *tests);
}
