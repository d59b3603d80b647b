/* Which operators are scanned in registers, and how this processor does it. */
#include "scan_lanes.h"
#include "weft/operators.h"

static const scan_lanes_set *set_of_processor(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd"))
        return &scan_lanes_avx512;
#endif
    return &scan_lanes_quarters;
}

scan_lanes *scan_lanes_of(const weft_operator *op) {
    if (op != weft_plus(op->type))
        return NULL;
    const scan_lanes_set *set = set_of_processor();
    switch (op->type) {
    case WEFT_I32:
    case WEFT_U32:
        return set->plus_u32;
    case WEFT_I64:
    case WEFT_U64:
        return set->plus_u64;
    case WEFT_F32:
        return set->plus_f32;
    case WEFT_F64:
        return set->plus_f64;
    default:
        return NULL;
    }
}
