/* Planes of cells, and whose they are. */
#include "io/files/numbers.h"
#include "sheet.h"

int sheet_slow(const struct sheet_run *run) {
    return run->options.project == 0;
}

int64_t sheet_planes(const struct sheet_run *run) {
    return run->density.shape[sheet_slow(run)];
}

int64_t sheet_plane(const struct sheet_run *run) {
    const int64_t *shape = run->density.shape;
    return shape[0] * shape[1] * shape[2] / sheet_planes(run);
}

struct sheet_share sheet_share(const struct sheet_run *run, int64_t turn, int rank) {
    const int64_t planes = sheet_planes(run);
    const int64_t first = io_share(planes, rank, run->comm->size) + turn * run->planes;
    const int64_t left = io_share(planes, rank + 1, run->comm->size) - first;
    return (struct sheet_share){first, left < run->planes ? left : run->planes};
}

struct sheet_share sheet_part(const struct sheet_run *run, struct sheet_share share,
                              int64_t part) {
    const int64_t left = share.count - part * run->piece;
    return (struct sheet_share){share.first + part * run->piece,
                                left < run->piece ? left : run->piece};
}
