/* Pages of large memory, whose first touch costs more than a copy: 4 KiB in one to seven
 * microseconds on virtual machines. */
#ifndef WEFT_DISTRIBUTED_PAGES_H
#define WEFT_DISTRIBUTED_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* First touches memory that nothing wrote yet, with all threads: so that who writes it,
 * alone or few, does not wait for pages. It reads as anything then. */
void pages_touch(int threads, void *memory, size_t bytes);

/* Whole pages of memory that is not read any more; empty: begin is not before end. */
struct pages {
    char *begin, *end;
};
struct pages pages_within(char *begin, char *end);

/* Returns them to the system. The memory stays the caller's, and reads as zeros. */
void pages_give_up(struct pages pages);

/* Puts spare pages, as far as they go, behind the whole pages of begin .. end, which was
 * not written yet and is none of theirs; spare loses them, as if they were given up. Does
 * nothing where the system cannot. False: begin .. end is not there any more, since memory
 * is out. */
bool pages_pass(struct pages *spare, char *begin, char *end);

#endif
