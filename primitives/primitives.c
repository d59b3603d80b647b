/* Checks of arguments, lazy arrays in scratch, and moving elements of any type. */
#include "primitives.h"
#include "order.kernel.h"
#include "weft/transform.h"

#include <stdio.h>
#include <string.h>

weft_status weft_need_operator(weft_device *device, const char *call,
                               const weft_operator *op, weft_type type) {
    char wanted[32], given[32];
    if (!op)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "%s: operator 'op' is NULL, as those of <weft/operators.h> are "
                         "for types that have none: the elements are %s",
                         call, weft_type_name(type, given));
    if (op->type != type)
        return weft_fail(
            device, WEFT_E_TYPE, "%s: operator '%s' takes %s, but the elements are %s",
            call, op->name, weft_type_name(op->type, wanted), weft_type_name(type, given));
    if (WEFT_SIZE(type) > PRIMITIVE_OPERATOR_BYTES)
        return weft_fail(device, WEFT_E_TYPE,
                         "%s: operator '%s' takes %zu bytes, at most %d are possible", call,
                         op->name, WEFT_SIZE(type), (int)PRIMITIVE_OPERATOR_BYTES);
    return WEFT_OK;
}

weft_status weft_need_array(weft_device *device, const char *what, weft_array array,
                            weft_type type, i64 least) {
    weft_input input;
    return weft_need_input(device, what, array, type, least, &input);
}

weft_status weft_need_written(weft_device *device, const char *what, weft_array array,
                              weft_type type, i64 least) {
    weft_span span = {0};
    return weft_need_output(device, what, array, type, least, &span);
}

weft_status weft_need_if_asked(weft_device *device, const char *what, weft_array array,
                               weft_type type, i64 least) {
    return array.type ? weft_need_written(device, what, array, type, least)
                      : weft_check(device);
}

static weft_status need_one_of(weft_device *device, const char *what, weft_array array,
                               const weft_type *types, i64 count, const char *names) {
    char given[32];
    for (i64 k = 0; k < count; k++)
        if (array.type == types[k])
            return WEFT_OK;
    const char *name = strrchr(what, '.');
    return weft_fail(device, WEFT_E_TYPE, "%.*s: array '%s' has elements of %s, not %s",
                     (int)(name - what), what, name + 1, weft_type_name(array.type, given),
                     names);
}

weft_status weft_need_indices(weft_device *device, const char *what, weft_array array,
                              i64 least) {
    static const weft_type types[] = {WEFT_I32, WEFT_U32, WEFT_I64, WEFT_U64};
    if (weft_need_array(device, what, array, 0, least) != WEFT_OK)
        return weft_check(device);
    return need_one_of(device, what, array, types, 4, "i32, u32, i64 or u64");
}

weft_status weft_need_counts(weft_device *device, const char *what, weft_array array,
                             i64 least) {
    static const weft_type types[] = {WEFT_U32, WEFT_I64};
    if (weft_need_written(device, what, array, 0, least) != WEFT_OK)
        return weft_check(device);
    return need_one_of(device, what, array, types, 2, "u32 or i64");
}

weft_status weft_need_positions(weft_device *device, const char *call, weft_array sorted,
                                weft_array queries, const char *name, weft_array out) {
    char what[2][64];
    snprintf(what[0], sizeof what[0], "%s.queries", call);
    snprintf(what[1], sizeof what[1], "%s.%s", call, name);
    if (weft_need_array(device, what[0], queries, sorted.type, 0) != WEFT_OK ||
        weft_need_counts(device, what[1], out, queries.length) != WEFT_OK ||
        weft_need_apart(device, what[1], out, sorted) != WEFT_OK ||
        weft_need_apart(device, what[1], out, queries) != WEFT_OK)
        return weft_check(device);
    if (out.type == WEFT_U32 && sorted.length > UINT32_MAX)
        return weft_fail(device, WEFT_E_TYPE,
                         "%s: %lld elements are too many for positions in u32", call,
                         (long long)sorted.length);
    return WEFT_OK;
}

weft_status weft_need_numbers(weft_device *device, const char *what, weft_array array,
                              i64 least) {
    static const weft_type types[] = {WEFT_I8,  WEFT_U8,  WEFT_I16, WEFT_U16, WEFT_I32,
                                      WEFT_U32, WEFT_I64, WEFT_U64, WEFT_F32, WEFT_F64};
    if (weft_need_array(device, what, array, 0, least) != WEFT_OK)
        return weft_check(device);
    return need_one_of(device, what, array, types, 10, "a number");
}

/* Whether two arrays in memory share some of it. */
static int overlap(weft_array a, weft_array b) {
    const i64 a_size = (i64)WEFT_SIZE(a.type), b_size = (i64)WEFT_SIZE(b.type);
    return a.buffer && a.buffer == b.buffer && a.length > 0 && b.length > 0 &&
           (a.first + a.length) * a_size > b.first * b_size &&
           (b.first + b.length) * b_size > a.first * a_size;
}

/* Whether an array shares memory with one of a generator's arguments. */
static int overlaps_one(weft_array out, const weft_parameter *p, i32 count,
                        const char *arguments) {
    int shared = 0;
    for (; count > 0 && !shared; count--, p++) {
        weft_array read;
        if (p->role == WEFT_BUNDLED) {
            shared = overlaps_one(out, p->bundle->fields, p->bundle->count,
                                  arguments + p->offset);
        } else if (p->role != WEFT_VALUE) {
            memcpy(&read, arguments + p->offset, sizeof read);
            shared = overlap(out, read);
        }
    }
    return shared;
}

weft_status weft_need_apart(weft_device *device, const char *what, weft_array out,
                            weft_array in) {
    const weft_function *f = in.generator ? &in.generator->function : NULL;
    if (f ? !overlaps_one(out, f->parameters, f->count, in.arguments) : !overlap(out, in))
        return WEFT_OK;
    const char *name = strrchr(what, '.');
    return weft_fail(device, WEFT_E_ARGUMENT, "%.*s: array '%s' overlaps what is read",
                     (int)(name - what), what, name + 1);
}

int weft_is_same(weft_array a, weft_array b) {
    return a.buffer && a.buffer == b.buffer && a.first == b.first && a.type == b.type;
}

weft_status weft_need_apart_or_same(weft_device *device, const char *what, weft_array out,
                                    weft_array in) {
    return weft_is_same(out, in) ? WEFT_OK : weft_need_apart(device, what, out, in);
}

weft_status weft_need_inside(weft_device *device, const char *call, weft_array map,
                             const weft_array *flags, i64 first, const char *of,
                             i64 length) {
    weft_map_call given = {.what = call, .of = of, .first = first, .length = length};
    if (weft_check(device) == WEFT_OK && device->backend->map && map.length > 0 &&
        weft_need_memory(device, "weft_gather.map", map, 0, 0, &given.map) == WEFT_OK &&
        (!flags || weft_need_memory(device, "weft_gather.flags", *flags, 0, 0,
                                    &given.flags) == WEFT_OK))
        device->backend->map(device, &given);
    return weft_check(device);
}

weft_array weft_part(weft_array array, i64 first, i64 length) {
    array.first += first;
    array.length = length;
    return array;
}

int weft_has_bytes(weft_array array, i64 bytes) {
    return bytes > 0 && array.length >= bytes / (i64)WEFT_SIZE(array.type);
}

weft_mover weft_mover_of(weft_type type) {
    const u32 size = (u32)WEFT_SIZE(type);
    if (type >= WEFT_STRUCTS && size % 4 == 0)
        return (weft_mover){MOVES_WORDS, WEFT_U32, size / 4};
    if (type >= WEFT_STRUCTS)
        return (weft_mover){MOVES_BYTES, WEFT_U8, size};
    switch (size) {
    case 1:
        return (weft_mover){MOVES_U8, WEFT_U8, 1};
    case 2:
        return (weft_mover){MOVES_U16, WEFT_U16, 1};
    case 4:
        return (weft_mover){MOVES_U32, WEFT_U32, 1};
    default:
        return (weft_mover){MOVES_U64, WEFT_U64, 1};
    }
}

weft_numbers weft_numbers_of(weft_type type) {
    if (type == WEFT_F32 || type == WEFT_F64)
        return (weft_numbers){type == WEFT_F32 ? 4 : 5, type};
    const weft_mover mover = weft_mover_of(type);
    const i32 kind = mover.kind < MOVES_WORDS    ? (i32)mover.kind
                     : mover.kind == MOVES_WORDS ? (i32)MOVES_U32
                                                 : (i32)MOVES_U8;
    return (weft_numbers){kind, mover.type};
}

u32 weft_order_kind(weft_type type) {
    switch (type) {
    case WEFT_I8:
    case WEFT_I16:
    case WEFT_I32:
    case WEFT_I64:
        return ORDER_SIGNED;
    case WEFT_F32:
    case WEFT_F64:
        return ORDER_FLOAT;
    default:
        return ORDER_UNSIGNED;
    }
}
