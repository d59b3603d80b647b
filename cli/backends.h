/* What the command knows of backends: which of its options chooses among their devices. A
 * backend that takes neither option needs no line here. */
#ifndef WEFT_CLI_BACKENDS_H
#define WEFT_CLI_BACKENDS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

enum backend_takes {
    BACKEND_TAKES_NOTHING, /* and works on one thread */
    BACKEND_TAKES_THREADS, /* --threads */
    BACKEND_TAKES_DEVICE,  /* --device */
};

/* Which of them a backend takes, and the first backend that takes one. */
enum backend_takes backend_takes(const char *backend);
const char *backend_that_takes(enum backend_takes what);

bool backend_is_built_in(const char *backend);

/* For argp's help: fills the two %s of a text with the names of the backends of this build
 * and that of its default; for free(). */
char *backends_complete(const char *text);

/* A usage error where the options contradict each other.
 *   backend, device   NULL where not given;  threads   0 */
void backends_check(struct argp_state *state, const char *backend, const char *device,
                    int64_t threads);

#endif
