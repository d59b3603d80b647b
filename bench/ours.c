#include "ours.h"

void ours_open(struct ours *ours, const struct bench *bench, const struct row *row,
               struct task *task) {
    weft_device *device = bench->device;
    *ours = (struct ours){.device = device, .row = row, .task = task};
    for (int k = 0; k < TASK_INPUTS; ++k) {
        const struct task_array *in = &task->in[k];
        if (in->data == NULL)
            continue;
        ours->in[k] = weft_array_new(device, in->type, in->length);
        weft_write(device, ours->in[k], in->data);
    }
    for (int k = 0; k < TASK_OUTPUTS; ++k) {
        const struct task_array *out = &task->out[k];
        if (out->data == NULL)
            continue;
        ours->out[k] = weft_array_new(device, out->type, out->length);
        weft_write(device, ours->out[k], out->data);
    }
}

static bool reset(void *state) {
    struct ours *ours = state;
    for (int k = 0; k < TASK_OUTPUTS && ours->row->in_place; ++k) {
        if (ours->out[k].type)
            weft_copy(ours->device, ours->in[k], ours->out[k]);
    }
    weft_memory_reset_peak(ours->device);
    ours->before = weft_memory_use(ours->device).used;
    return weft_synchronize(ours->device) == WEFT_OK;
}

static bool run(void *state) {
    struct ours *ours = state;
    ours->row->run(ours->device, ours->in, ours->out, ours->task);
    const bool done = weft_synchronize(ours->device) == WEFT_OK;
    const u64 added = weft_memory_use(ours->device).peak - ours->before;
    ours->peak = added > ours->peak ? added : ours->peak;
    return done;
}

struct runner ours_runner(struct ours *ours) {
    return (struct runner){.reset = reset, .run = run, .state = ours};
}

bool ours_fetch(struct ours *ours) {
    for (int k = 0; k < TASK_OUTPUTS; ++k) {
        if (ours->out[k].type)
            weft_read(ours->device, ours->out[k], ours->task->out[k].data);
    }
    return weft_check(ours->device) == WEFT_OK;
}

void ours_close(struct ours *ours) {
    for (int k = 0; k < TASK_INPUTS; ++k)
        weft_array_free(ours->device, ours->in[k]);
    for (int k = 0; k < TASK_OUTPUTS; ++k)
        weft_array_free(ours->device, ours->out[k]);
}
