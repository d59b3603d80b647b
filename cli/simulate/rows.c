#include "rows.h"
#include "cli/command.h"

#include <stdlib.h>

weft_status rows_give_up(const struct comm *comm, weft_device *device) {
    if (weft_check(device) == WEFT_OK)
        weft_fail(device, WEFT_E_MEMORY, "%s",
                  comm->trouble ? comm->error.text : "another rank failed");
    return weft_check(device);
}

uint32_t (*rows_of_positions(struct simulate_run *run))[3] {
    const int64_t n = run->particles.n;
    uint32_t(*at)[3] = comm_allocate(&run->comm, n, sizeof *at, "positions");
    uint32_t *axis = comm_allocate(&run->comm, n, sizeof *axis, "positions");
    for (int k = 0; k < 3 && at && axis; ++k) {
        weft_read(run->device, run->particles.position[k], axis);
        for (int64_t i = 0; i < n; ++i)
            at[i][k] = axis[i];
    }
    if (weft_check(run->device) != WEFT_OK)
        comm_fail(&run->comm, CLI_FAULT);
    if (axis && weft_check(run->device) == WEFT_OK) {
        free(axis);
        return at;
    }
    free(axis), free(at);
    return NULL;
}

/* One axis of rows, side by side. */
static void write_axis(weft_device *device, weft_array out, const uint32_t (*rows)[3],
                       int axis, int64_t n, uint32_t *scratch) {
    for (int64_t i = 0; i < n; ++i)
        scratch[i] = rows[i][axis];
    weft_write(device, out, scratch);
}

static void ask(struct simulate_run *run, enum rows_force force, int components,
                const weft_array x[3], const weft_array out[3]) {
    weft_device *device = run->device;
    if (components == 1)
        (force == ROWS_FAR ? weft_gravity_long_potential : weft_gravity_short_potential)(
            device, run->gravity, x[0], x[1], x[2], out[0]);
    else
        (force == ROWS_FAR ? weft_gravity_long : weft_gravity_short)(
            device, run->gravity, x[0], x[1], x[2], out[0], out[1], out[2]);
}

/* Axes of all; `rows` are freed. */
static bool write_positions(struct simulate_run *run, uint32_t (*own)[3], int64_t n,
                            uint32_t (*others)[3], int64_t m, const weft_array x[3]) {
    weft_device *device = run->device;
    uint32_t *scratch =
        comm_allocate(&run->comm, n > m ? n : m, sizeof *scratch, "an axis");
    for (int axis = 0; axis < 3 && scratch; ++axis) {
        write_axis(device, weft_slice(device, x[axis], 0, n), (const uint32_t(*)[3])own,
                   axis, n, scratch);
        write_axis(device, weft_slice(device, x[axis], n, m), (const uint32_t(*)[3])others,
                   axis, m, scratch);
    }
    free(scratch), free(own), free(others);
    return scratch != NULL;
}

/* One component of what was found, back to where the particles are. */
static bool send_back(struct simulate_run *run, const struct mailing *mail,
                      weft_array found, weft_array out) {
    struct comm *comm = &run->comm;
    const int64_t n = run->particles.n;
    double *rows = comm_allocate(comm, found.length, sizeof *rows, "accelerations");
    double *back = comm_allocate(comm, n, sizeof *back, "accelerations");
    double *sorted = comm_allocate(comm, n, sizeof *sorted, "accelerations");
    if (rows && weft_read(run->device, found, rows) != WEFT_OK)
        comm_fail(comm, CLI_FAULT);
    const bool well = route_send_back(comm, &mail->route, sizeof *rows, rows, back);
    if (well) {
        for (int64_t i = 0; i < n; ++i)
            sorted[mail->row[i]] = back[i];
        weft_write(run->device, out, sorted);
    }
    free(rows), free(back), free(sorted);
    return well;
}

bool rows_find(struct simulate_run *run, enum rows_force force, int components,
               const struct mailing *mail, uint32_t (*own)[3], uint32_t (*others)[3],
               int64_t m, const weft_array *out) {
    weft_device *device = run->device;
    const int64_t n = mail->route.n_from;
    weft_array x[3], found[3];
    weft_scope_open(device);
    for (int axis = 0; axis < 3; ++axis)
        x[axis] = weft_scratch(device, WEFT_U32, n + m);
    for (int k = 0; k < components; ++k)
        found[k] = weft_scratch(device, WEFT_F64, n);
    if (write_positions(run, own, n, others, m, x) && (n > 0 || force == ROWS_FAR))
        ask(run, force, components, x, found); /* of the mesh all ranks do */
    bool well = true;
    for (int k = 0; k < components && well; ++k)
        well = send_back(run, mail, found[k], out[k]);
    weft_scope_close(device);
    return well;
}
