/* The picture: the sheet's mass in columns, one a pixel. */
#include "cli/command.h"
#include "cli/plot/plot.h"
#include "cli/progress.h"
#include "io/columns/columns.h"
#include "sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/transform.h>

enum { SIDE = PLOT_SIDE, PIXELS = SIDE * SIDE };

int sheet_map(struct sheet_run *run) {
    weft_device *device = run->device;
    struct comm *comm = run->comm;
    const int64_t zero = 0;
    const weft_sheet_options options = {.grid = {SIDE, SIDE, 1},
                                        .tessellation = run->options.tessellation,
                                        .end = run->cubes,
                                        .units = run->density.units_per_tetrahedron};
    run->columns = comm_allocate(comm, PIXELS, sizeof *run->columns, "the picture");
    if (run->columns && (run->slabs || comm->rank == 0)) {
        const weft_array units = weft_array_new(device, WEFT_I64, PIXELS);
        weft_fill(device, units, &zero);
        if (run->cubes > 0)
            weft_sheet_project(device, &run->lattice, &options, 2, units);
        weft_read(device, units, run->columns);
        weft_array_free(device, units);
    }
    int status = weft_check(device) == WEFT_OK ? CLI_DONE : sheet_fail(run);
    if (comm->trouble)
        status = parallel_stop(comm);
    status = parallel_meet(comm, status);
    if (status == CLI_DONE && run->slabs &&
        !comm_reduce_i64(comm, run->columns, PIXELS, COMM_SUM))
        status = parallel_stop(comm);
    timings_end(&run->timings, TIMINGS_PLOT, run->cubes * 24);
    return status;
}

/* y by y, over the mean. */
static void scale(const struct sheet_run *run, float *map) {
    const double mean = (double)run->density.tetrahedra *
                        (double)run->density.units_per_tetrahedron / PIXELS;
    for (int k = 0; k < PIXELS; ++k)
        map[k % SIDE * SIDE + k / SIDE] = (float)((double)run->columns[k] / mean);
}

/* One column of the halos, every `step`-th of `to`. */
static bool read_column(struct columns_file *file, int table, const char *name, double *to,
                        int step, struct io_error *error) {
    const struct columns_table *halos = &file->tables[table];
    struct columns_piece piece = {0};
    int column = 0;
    bool done = true;
    while (column < halos->n_columns && strcmp(halos->columns[column].name, name) != 0)
        ++column;
    if (column == halos->n_columns || halos->columns[column].integer)
        return io_fail(error, "%s has no halos with %s", file->path, name);
    for (int64_t row = 0; row < halos->n && done; ++row) {
        if (row >= piece.first + piece.count)
            done = columns_read(file, table, column, row, &piece, error);
        if (done)
            to[step * row] = ((const double *)piece.values)[row - piece.first];
    }
    columns_forget(&piece);
    return done;
}

static void take_box(void *context, const char *name, const char *value) {
    double *box = context;
    if (strcmp(name, "box") == 0)
        sscanf(value, "%lf %lf %lf", &box[0], &box[1], &box[2]);
}

int sheet_read_halos(struct sheet_run *run) {
    static const char *const center[3] = {"center_of_mass_x", "center_of_mass_y",
                                          "center_of_mass_z"};
    const char *path = run->options.halos;
    struct io_error error;
    struct columns_file *file = path ? columns_open(path, &error) : NULL;
    if (file == NULL)
        return path ? progress_fail(CLI_FAULT, "%s", error.text) : CLI_DONE;
    const int halos = columns_find(file, "halos");
    const int table = halos < 0 ? columns_find(file, "data") : halos;
    bool done = (table >= 0 || io_fail(&error, "%s has no halos", path)) &&
                columns_notes(file, take_box, run->halos_box, &error);
    if (done) {
        const int64_t n = run->n_halos = file->tables[table].n;
        double *to = run->halos =
            io_allocate(4 * n + 1, sizeof *run->halos, "the halos", &error);
        done = to != NULL;
        for (int k = 0; k < 3 && done; ++k)
            done = read_column(file, table, center[k], to + k, 3, &error);
        done = done && read_column(file, table, "mass", to + 3 * n, 1, &error);
    }
    columns_close(file);
    return done ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
}

int sheet_draw(struct sheet_run *run) {
    struct io_error error;
    float *map = malloc(PIXELS * sizeof *map);
    const struct plot_scene scene = {
        .path = run->options.plot,
        .title = run->options.snapshot,
        .n = run->info.n,
        .map = map,
        .map_only = run->options.halos == NULL,
        .particle_mass = run->particle_mass,
        .box = run->info.box,
        .period = run->info.box,
        .length_unit = run->info.length_unit,
        .mass_unit = run->info.mass_unit,
        .redshift = run->info.redshift,
        .n_halos = run->n_halos,
        .halo_center = run->halos,
        .halo_mass = run->halos ? run->halos + 3 * run->n_halos : NULL,
    };
    int status = CLI_DONE;
    progress_show("drawing");
    if (map)
        scale(run, map);
    if (map == NULL)
        status = progress_fail(CLI_FAULT, "out of memory: the picture");
    else if (!plot_write(&scene, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    timings_end(&run->timings, TIMINGS_PLOT, PIXELS * sizeof *map);
    free(map);
    return status;
}
