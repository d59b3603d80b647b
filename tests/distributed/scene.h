/* Programs that run on several ranks, or alone, and clouds that they are tried on. */
#ifndef WEFT_TESTS_SCENE_H
#define WEFT_TESTS_SCENE_H

#include "definitions.h"
#include "distributed/link.h"

extern struct comm comm;

/* Positions and indices of the rows of a cloud that this rank would have read. */
struct table scene_share(const cloud *c);

/* Holds what all ranks find in a cloud against its definition. */
typedef void scene_expect(const cloud *c, f64 length, f64 box);

/* Clumps, in f32 and in f64; and so few particles that some ranks have none. */
void scene_clumps(scene_expect *expect);
void scene_few(scene_expect *expect);

/* 900 particles at few places: 300 at one, the others at so many on a line, some each. */
cloud cloud_coincident(i64 places);

/* As test_main; a rank where a test failed ends the others. */
int scene_main(int argc, char **argv, const char *name, const TTest *const tests[],
               int count);

#endif
