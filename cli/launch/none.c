/* A build without MPI starts no ranks. */
#include "launch.h"
#include "cli/command.h"
#include "cli/progress.h"

bool launch_begin(int argc, char **argv) {
    (void)argc, (void)argv;
    return true;
}

bool launch_is_rank(void) {
    return false;
}

void launch_hold_signals(void) {
}

void launch_let_signals_go(void) {
}

int launch_ranks(int ranks, bool read_input) {
    (void)read_input;
    return progress_fail(CLI_FAULT,
                         "--devices: this build is without MPI, by which ranks on %d "
                         "devices would work together",
                         ranks);
}
