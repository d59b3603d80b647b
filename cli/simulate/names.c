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

char *simulate_energy_path(const struct simulate_run *run) {
    char *path = malloc(strlen(run->name) + 16);
    if (path)
        sprintf(path, "%s.energy.csv", run->name);
    return path;
}

char *simulate_halos_path(const char *path) {
    const int stem = (int)(strlen(path) - strlen(".hdf5"));
    char *name = malloc(strlen(path) + 16);
    if (name)
        sprintf(name, "%.*s.halos.hdf5", stem, path);
    return name;
}

char *simulate_genericio_path(const char *path) {
    const int stem = (int)(strlen(path) - strlen(".hdf5"));
    char *name = malloc(strlen(path) + 16);
    if (name)
        sprintf(name, "%.*s.gio", stem, path);
    return name;
}

char *simulate_power_path(const char *path) {
    const int stem = (int)(strlen(path) - strlen("_000.hdf5"));
    char *name = malloc(strlen(path) + 16);
    if (name)
        sprintf(name, "%.*s.power%.4s.csv", stem, path, path + stem);
    return name;
}
