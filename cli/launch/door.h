/* The descriptors that a command was started with, for the ranks that it starts: a launcher
 * gives them pipes of its own, by which a full disk, a reader that left and the width of
 * the terminal are lost. Ranks take them at a socket that has a name but no file. */
#ifndef WEFT_CLI_LAUNCH_DOOR_H
#define WEFT_CLI_LAUNCH_DOOR_H

#include "io/files/error.h"

/* Those that are open now, but for what this process opened for itself. */
void door_remember(void);

/* One process opens the door, whose name others know it by, and answers who knocks. */
enum { DOOR_NAME = 16 };
struct door {
    int socket; /* readable where somebody knocks */
    int taken;  /* by so many */
    char name[DOOR_NAME];
};
bool door_open(struct door *door, struct io_error *error);
void door_close(struct door *door);

/* In place of standard input each gets `input`, unless it is -1, from its beginning on. */
void door_answer(struct door *door, int input);

/* Takes what there is at that door, under the same numbers. */
bool door_knock(const char *name, struct io_error *error);

#endif
