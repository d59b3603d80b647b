/* The peer that is always there. */
#ifndef WEFT_BENCH_NAIVE_H
#define WEFT_BENCH_NAIVE_H

#include "peer.h"

extern const struct peer peer_naive;

#endif
