/* The peers that were built in. */
#ifndef WEFT_BENCH_PEERS_H
#define WEFT_BENCH_PEERS_H

#include "../bench.h"

enum { PEERS_MOST = 10 };

/* Those that run on the kind of device that the benchmark runs on; none with --no-peers,
 * and only those of --peers. */
int peers_find(const struct bench *bench, const struct peer **peers);

#endif
