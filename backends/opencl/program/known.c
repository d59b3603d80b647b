/* Programs that this process built for some device: those that are only compiled, to see
 * whether they can be, need not be again for the next device. One that takes another's
 * place is forgotten, which costs a compilation. */
#include "program.h"

#include <pthread.h>

enum { KNOWN = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static opencl_hash known[KNOWN];

static opencl_hash *place_of(opencl_hash key) {
    return &known[key.word[0] % KNOWN];
}

int opencl_is_known(opencl_hash key) {
    pthread_mutex_lock(&lock);
    const opencl_hash there = *place_of(key);
    pthread_mutex_unlock(&lock);
    return there.word[0] == key.word[0] && there.word[1] == key.word[1];
}

void opencl_know(opencl_hash key) {
    pthread_mutex_lock(&lock);
    *place_of(key) = key;
    pthread_mutex_unlock(&lock);
}
