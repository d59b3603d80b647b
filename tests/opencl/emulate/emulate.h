/* Runs templates that are written for warps on the host, so that they are tested without a
 * GPU: a work-item is a coroutine, a group a thread, and several groups run at a time.
 * Include it, define what the template needs, and include the template. */
#ifndef WEFT_TESTS_OPENCL_EMULATE_H
#define WEFT_TESTS_OPENCL_EMULATE_H

#include <stdint.h>

typedef uint8_t u8, uchar;
typedef uint16_t u16, ushort;
typedef uint32_t u32, uint;
typedef uint64_t u64;
typedef int64_t i64;
typedef int32_t i32;
typedef int32_t index_t;

#define __kernel
#define __global
#define __local
#define SHARED static _Thread_local
#define reqd_work_group_size(x, y, z) unused
#define CLK_LOCAL_MEM_FENCE 0
#define CLK_GLOBAL_MEM_FENCE 0

/* Runs kernel(arguments) for each work-item of each group; `unfair` runs later lanes, and
 * later groups, first where it can. */
void emulate(i32 groups, i32 group, void (*kernel)(void *arguments), void *arguments,
             int unfair);

u64 get_local_id(int dimension);
u64 get_group_id(int dimension);
u64 get_num_groups(int dimension);
void barrier(int what);

u32 weft_ballot(int yes);
u32 weft_alike(u32 lanes, u32 x, u32 bit);
u32 weft_from_lower(u32 x, int by);
u32 weft_from_higher(u32 x, int by);
u32 weft_from_lane(u32 x, int lane);
void weft_meet_warp(void);
static inline void weft_fence(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

enum { TILES_AHEAD = 2 };
static inline void weft_prefetch(const void *line) {
    (void)*(const volatile char *)line;
}

static inline u32 atomic_add(volatile u32 *p, u32 x) {
    return __atomic_fetch_add(p, x, __ATOMIC_RELAXED);
}

static inline u32 atomic_inc(volatile u32 *p) {
    return atomic_add(p, 1);
}

static inline u64 atomic_add_u64(u64 *p, u64 x) {
    return __atomic_fetch_add(p, x, __ATOMIC_RELAXED);
}

static inline u32 popcount(u32 x) {
    return (u32)__builtin_popcount(x);
}

static inline u32 clz(u32 x) {
    return x ? (u32)__builtin_clz(x) : 32;
}

/* The next of a sequence, the same in every run. */
u64 random_bits(void);

/* Memory for looking back in THIS_ROUND, in which rounds before have told their states:
 * so many words a tile. */
#define THIS_ROUND 12u
#define TAKEN_BEFORE 0xfffffffeu
u64 *told_before(i32 tiles, i32 words);

#ifdef ELEMENT
/* What scans, sums over runs and selections read: elements, and a flag for each. */
typedef ELEMENT weft_in_element;
#define weft_in_PARAMETERS , const weft_in_element *in
#define weft_in_ARGUMENTS , in
#define weft_in_PREFETCH(i) weft_prefetch(in + (i))
static inline weft_in_element weft_in(index_t i, const weft_in_element *in) {
    return in[i];
}

#define weft_heads_PARAMETERS , const u32 *flags
#define weft_heads_ARGUMENTS , flags
#define weft_flags_PARAMETERS weft_heads_PARAMETERS
#define weft_flags_ARGUMENTS weft_heads_ARGUMENTS
#define weft_flags weft_heads
static inline u32 weft_heads(index_t i, const u32 *flags) {
    return flags[i];
}

/* Composition of x -> s x + t modulo a power of two, packed: it does not commute. With odd
 * s nothing is forgotten; COMPOSE_IDENTITY is s = 1, t = 0. */
#define COMPOSE_IDENTITY ((ELEMENT)((u64)1 << sizeof(ELEMENT) * 4))
static inline ELEMENT compose(ELEMENT a, ELEMENT b) {
    const int bits = (int)sizeof(ELEMENT) * 4;
    const u64 mask = ((u64)1 << bits) - 1;
    const u64 s = (u64)a >> bits & mask, t = (u64)a & mask;
    const u64 u = (u64)b >> bits & mask, v = (u64)b & mask;
    return (ELEMENT)((s * u & mask) << bits | ((u * t + v) & mask));
}
#endif

#endif
