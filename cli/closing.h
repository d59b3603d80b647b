/* A device on its way out while other work is done: a GPU's driver takes 80 ms to take its
 * context apart, and a quarter of a second where it does so for four ranks. */
#ifndef WEFT_CLI_CLOSING_H
#define WEFT_CLI_CLOSING_H

#include <pthread.h>
#include <stdbool.h>
#include <weft/device.h>

struct closing {
    weft_device *device; /* NULL: none is on its way */
    pthread_t thread;
    bool apart; /* in that thread; else it is closed at the end */
};

/* Closes the device, which is nobody's any more. End it before the process does. */
void closing_begin(struct closing *closing, weft_device *device);
void closing_end(struct closing *closing);

#endif
