/* Every allocation of a call fails in turn, once, and then from there on: each time it ends
 * with an error or with the right result, nothing leaks, and the device works again. */
#include "failing.h"
#include "harness.h"
#include "in_turn/in_turn.h"

#include <string.h>

/* What went wrong with the k-th allocation failing; NULL: nothing. */
static const char *fail_at(int which, long k, int stays, const in_turn_result *right,
                           int *happened) {
    const long live = failing_live();
    const char *wrong = NULL;
    failing_set(k, stays);
    weft_device *d = weft_open(weft_backend_name(device));
    const int opened = weft_check(d) == WEFT_OK;
    const in_turn_result got = in_turn_work(d, which);
    *happened = failing_happened();
    failing_set(-1, 0);
    if (got.status == WEFT_OK && memcmp(&got, right, sizeof got) != 0)
        wrong = "a result is wrong";
    if (got.status != WEFT_OK && (got.status != WEFT_E_MEMORY || !*weft_error(d)))
        wrong = "the error is not that memory was short";
    if (got.used != 0)
        wrong = "something is left of it";
    weft_clear(d);
    if (opened) {
        const in_turn_result again = in_turn_work(d, which);
        if (memcmp(&again, right, sizeof again) != 0)
            wrong = "the device does not work again";
    }
    weft_close(d);
    return wrong ? wrong : failing_live() == live ? NULL : "memory leaks";
}

static in_turn_result undisturbed(int which) {
    weft_device *d = weft_open(weft_backend_name(device));
    const in_turn_result result = in_turn_work(d, which);
    weft_close(d);
    return result;
}

START_TEST(each_allocation) {
    for (int which = 0; which < IN_TURN_WORKS; which++) {
        undisturbed(which);
        const in_turn_result right = undisturbed(which);
        ck_assert_msg(right.status == WEFT_OK && right.used == 0, "%s fails undisturbed",
                      in_turn_name(which));
        for (int stays = 0; stays < 2; stays++) {
            int happened = 1;
            long k = 0;
            for (; happened; k++) {
                const char *wrong = fail_at(which, k, stays, &right, &happened);
                if (wrong) /* handles of arrays are kept for later devices: once */
                    wrong = fail_at(which, k, stays, &right, &happened);
                ck_assert_msg(!wrong, "%s, allocation %ld fails%s: %s", in_turn_name(which),
                              k, stays ? " and all later ones" : "", wrong);
            }
            ck_assert_int_gt(k, 3);
        }
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {each_allocation};
    return test_main(argc, argv, "no_memory_calls", tests, sizeof tests / sizeof *tests);
}
