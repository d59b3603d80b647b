/* What a launcher tells the processes that it starts, by variables of the environment,
 * whether or not the MPI of this build is the launcher's. */
#ifndef WEFT_DISTRIBUTED_LAUNCHER_H
#define WEFT_DISTRIBUTED_LAUNCHER_H

struct launcher {
    const char *variable; /* that tells how many it started; NULL: there is no launcher */
    int size;
};

/* The first launcher that says that it started more than one process. */
struct launcher launcher_find(void);

#endif
