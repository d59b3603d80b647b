/* Maps of some rows: what a look at two words of any row sees is the map's own. */
#include "harness.h"

#include "algorithms/fof/batch.kernel.h"

START_TEST(looks_end_within) {
    for (i64 cells = 1; cells < 70000; cells += cells < 300 ? 1 : 997) {
        const i64 pitch = (cells + 2 + 63) / 64; /* as stencil_pitch */
        const index_t room = (index_t)window_room(pitch);
        const u32 last = (u32)window_slots(room) - 1;
        ck_assert(map_word(last, (u32)cells, pitch) < map_word(last + 1, 0, pitch));
        ck_assert(map_word(last, (u32)cells - 1, pitch) + 1 <
                  window_words(room, (index_t)pitch));
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {looks_end_within};
    return test_main(argc, argv, "window", tests, sizeof tests / sizeof *tests);
}
