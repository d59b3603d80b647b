/* The arrays that an operation is given. */
#include "checking.h"

#include <stdio.h>

static int overlap(const checking_region *a, const checking_region *b) {
    return a->begin < b->end && b->begin < a->end;
}

void checking_add_span(const weft_device *device, checking_operation *operation,
                       const char *name, weft_span span, weft_role role) {
    if (span.length == 0 || operation->regions == CHECKING_REGIONS)
        return;
    checking_region r = {
        .begin = host_at(span, 0),
        .end = host_at(span, span.length),
        .type = span.type,
        .written = weft_is_written(role),
        .output = role == WEFT_OUT,
        .block = checking_find(device, span.memory),
    };
    snprintf(r.name, sizeof r.name, "%s", name);
    for (i32 k = 0; k < operation->regions; k++)
        if (overlap(&operation->region[k], &r))
            operation->region[k].output = r.output = 0;
    operation->region[operation->regions++] = r;
    operation->once |= role == WEFT_SHARED;
}

void checking_add_call(const weft_device *device, checking_operation *operation,
                       const weft_call *call) {
    for (const weft_argument *a = call->argument; a < call->argument + call->count; a++) {
        char name[CHECKING_NAME];
        snprintf(name, sizeof name, "%s%s%s", a->bundle ? a->bundle->name : "",
                 a->bundle ? "." : "", a->parameter->name);
        if (!a->value)
            checking_add_span(device, operation, name, a->span, a->parameter->role);
    }
}

void checking_add_input(const weft_device *device, checking_operation *operation,
                        const char *name, const weft_input *in) {
    if (in->generator)
        checking_add_call(device, operation, &in->call);
    else
        checking_add_span(device, operation, name, in->span, WEFT_IN);
}

char *checking_gap(const checking_operation *operation, int written_alone, char *from,
                   char *end, char **stop) {
    for (i32 k = 0; k < operation->regions; k++) {
        const checking_region *r = &operation->region[k];
        if ((r->written || !written_alone) && r->begin <= from && from < r->end) {
            from = r->end;
            k = -1; /* the arrays may overlap in any order: look at all again */
        }
    }
    if (from >= end)
        return *stop = end;
    *stop = end;
    for (i32 k = 0; k < operation->regions; k++) {
        const checking_region *r = &operation->region[k];
        if ((r->written || !written_alone) && from < r->begin && r->begin < *stop)
            *stop = r->begin;
    }
    return from;
}
