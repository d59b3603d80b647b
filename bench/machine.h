/* What a measurement was made on, for the report. */
#ifndef WEFT_BENCH_MACHINE_H
#define WEFT_BENCH_MACHINE_H

#include "bench.h"

#include <stdio.h>

/* A JSON object. No host name: tables are published. */
void machine_write(FILE *stream, const struct bench *bench);

#endif
