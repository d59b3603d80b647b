/* Which of two ways is taken: by made-up times, and that both give the same bytes. */
#include "harness.h"

#include "backends/host/choice.h"
#include "weft.h"

#include <stdlib.h>
#include <string.h>

enum { TRIAL = 8, REST = 32, LONG = (1 << 22) + 5, CALLS = TRIAL + 2 };

/* Calls of the two ways, from call `begin` on; returns how many were of way 1. */
static int run(host_choice *choice, int calls, f64 way0, f64 way1) {
    int others = 0;
    for (int c = 0; c < calls; c++) {
        const int way = host_choose(choice);
        others += way;
        host_learn(choice, way ? way1 : way0);
    }
    return others;
}

TEST(the_faster_way_is_kept) {
    host_choice choice = {0};
    EXPECT(run(&choice, TRIAL, 1, 0.8) == 3);
    EXPECT(host_choose(&choice) == 1);
    EXPECT(run(&choice, REST, 1, 0.8) == REST);
    EXPECT(run(&choice, TRIAL, 1, 0.8) == 5); /* the other one is tried again */
    EXPECT(host_choose(&choice) == 1);
    EXPECT(run(&choice, 2 * REST, 1, 0.8) == 2 * REST);
    EXPECT(run(&choice, TRIAL, 0.7, 0.8) == 5);
    EXPECT(host_choose(&choice) == 0);
}

TEST(little_gain_changes_nothing) {
    host_choice choice = {0};
    run(&choice, TRIAL, 1, 0.96);
    EXPECT(host_choose(&choice) == 0);
    EXPECT(run(&choice, REST, 1, 0.96) == 0);
}

/* Wherever a machine becomes slower or faster once, the slower way is not taken up. */
TEST(a_change_of_pace_is_not_a_gain) {
    for (int at = 0; at <= TRIAL; at++)
        for (int slower = 0; slower < 2; slower++) {
            host_choice choice = {0};
            run(&choice, at, slower ? 1 : 3, slower ? 1.1 : 3.3);
            run(&choice, TRIAL - at, slower ? 3 : 1, slower ? 3.3 : 1.1);
            EXPECT(host_choose(&choice) == 0);
        }
}

TEST(small_results_have_no_choice) {
    host_choices choices = {0};
    EXPECT(host_choice_for(choices.scan, (16 << 20) - 1) == NULL);
    EXPECT(host_choice_for(choices.scan, 16 << 20) == &choices.scan[0]);
    EXPECT(host_choice_for(choices.scan, 32 << 20) == &choices.scan[1]);
    EXPECT(host_choice_for(choices.scan, (u64)1 << 50) ==
           &choices.scan[HOST_CHOICE_SIZES - 1]);
    EXPECT(host_choice_for(NULL, 32 << 20) == NULL);
}
