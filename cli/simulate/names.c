/* The names of files. */
#include "simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *simulate_path(const struct simulate_run *run, int stop) {
    char *path = malloc(strlen(run->name) + 32);
    if (path && stop < 0)
        sprintf(path, "%s.checkpoint.hdf5", run->name);
    else if (path)
        sprintf(path, "%s_%03d.hdf5", run->name, stop == 0 ? 0 : stop - 1);
    return path;
}

char *simulate_beside(const char *path, const char *ending) {
    const int length = (int)(strlen(path) - strlen(".hdf5"));
    char *name = malloc(strlen(path) + strlen(ending) + 1);
    if (name)
        sprintf(name, "%.*s%s", length, path, ending);
    return name;
}
