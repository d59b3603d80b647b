/* Candidates that go on, and what becomes of the others. */
#include "unbind_carry.kernel.h"
#include "unbind.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/transform.h"

WEFT_BUNDLE(unbind_from, (value, i64, candidates), (value, i64, members),
            (in, i64, offset, 0), (in, u32, who, 0), (in, u32, of, 0), (in, u32, member, 0),
            (in, u32, particle, 0), (in, u32, fate, 0), (optional, u32, gone, 0),
            (in, f64, depth, 0))
WEFT_BUNDLE(unbind_behind, (value, i64, candidates), (value, i64, members),
            (inout, i64, offset, 0), (inout, u32, who, 0), (inout, u32, of, 0),
            (inout, u32, member, 0), (inout, u32, particle, 0), (inout, f64, depth, 0))
WEFT_BUNDLE(unbind_nest, (shared, u32, inside, 0), (in, u32, around, 0), (in, u32, size, 0))
WEFT_GENERATOR(unbind_carry_counts, u64, (bundle, unbind_from, f))
WEFT_KERNEL(unbind_carry_all, (bundle, unbind_from, f), (bundle, unbind_nest, nest),
            (in, u64, before, 0), (bundle, unbind_behind, to), (inout, u32, held, 0),
            (shared, u32, told, 0))

static weft_array numbers(weft_device *device, i64 n) {
    return weft_scratch(device, WEFT_U32, n);
}

unbinding unbind_room(weft_device *device, i64 candidates, i64 members) {
    return (unbinding){.who = numbers(device, candidates),
                       .offset = weft_scratch(device, WEFT_I64, candidates + 1),
                       .of = numbers(device, members),
                       .member = numbers(device, members),
                       .particle = numbers(device, members),
                       .depth = weft_scratch(device, WEFT_F64, members)};
}

weft_halos unbind_halos(weft_device *device, const unbinding *r) {
    return (weft_halos){.count = r->candidates,
                        .members = r->members,
                        .offset = weft_slice(device, r->offset, 0, r->candidates + 1),
                        .member = weft_slice(device, r->particle, 0, r->members)};
}

unbind_told unbind_carry(weft_device *device, const unbind_plan *plan,
                         const unbinding *from, weft_array fate, weft_array gone,
                         unbinding *to) {
    const unbind_from_arrays f = {
        from->candidates, from->members,  from->offset, from->who, from->of,
        from->member,     from->particle, fate,         gone,      from->depth};
    const unbind_behind_arrays behind = {to->candidates, to->members, to->offset,
                                         to->who,        to->of,      to->member,
                                         to->particle,   to->depth};
    const unbind_nest_arrays nest = {plan->among->inside, plan->among->around,
                                     plan->among->size};
    unbind_told told = {{0}};
    weft_scope_open(device);
    const weft_array before = weft_scratch(device, WEFT_U64, from->members + 1);
    weft_scan(device, weft_lazy(before.length, unbind_carry_counts, .f = f),
              weft_plus(WEFT_U64), WEFT_EXCLUSIVE, before);
    weft_for_each(device, from->members + from->candidates + 1, unbind_carry_all, .f = f,
                  .nest = nest, .before = before, .to = behind, .held = plan->to->held,
                  .told = plan->told);
    weft_read(device, plan->told, told.number);
    weft_scope_close(device);
    to->candidates = told.number[UNBIND_CANDIDATES];
    to->members = told.number[UNBIND_MEMBERS];
    return told;
}
