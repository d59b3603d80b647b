/* What work-items of a warp (32 neighbours that run together) do with each other, on NVIDIA
 * GPUs from compute capability 7.0 on. All 32 take part in each call. */
#define SHARED __local

/* A group asks for the tile that comes so many later, a line of 128 bytes a work-item: with
 * some 4 MB between, what is read next has come to the L2 cache, and no more than that. */
enum { TILES_AHEAD = 128 };
static inline void weft_prefetch(__global const void *line)
{
    asm volatile("prefetch.global.L2 [%0];" : : "l"((ulong)line));
}

static inline u32 weft_ballot(const int yes)
{
    u32 lanes;
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %1, 0;\n\t"
                 "vote.sync.ballot.b32 %0, p, 0xffffffff;\n\t}"
                 : "=r"(lanes)
                 : "r"(yes));
    return lanes;
}

/* Those of `lanes` in which `bit` of x is as in one's own. */
static inline u32 weft_alike(const u32 lanes, const u32 x, const u32 bit)
{
    u32 alike;
    asm volatile("{\n\t.reg .pred p;\n\t.reg .b32 set;\n\t"
                 "and.b32 set, %1, %2;\n\tsetp.ne.u32 p, set, 0;\n\t"
                 "vote.sync.ballot.b32 set, p, 0xffffffff;\n\t"
                 "@!p not.b32 set, set;\n\tand.b32 %0, %3, set;\n\t}"
                 : "=r"(alike)
                 : "r"(x), "r"(bit), "r"(lanes));
    return alike;
}

/* The value of the lane that is `by` lower; one's own where there is none. */
static inline u32 weft_from_lower(const u32 x, const int by)
{
    u32 y;
    asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(y) : "r"(x), "r"(by));
    return y;
}

static inline u32 weft_from_higher(const u32 x, const int by)
{
    u32 y;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, 0xffffffff;"
                 : "=r"(y)
                 : "r"(x), "r"(by));
    return y;
}

static inline u32 weft_from_lane(const u32 x, const int lane)
{
    u32 y;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;"
                 : "=r"(y)
                 : "r"(x), "r"(lane));
    return y;
}

/* Local memory that the warp wrote before is seen by the warp after. */
static inline void weft_meet_warp(void)
{
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

/* What a work-item wrote before is seen by all groups before what it writes after. */
static inline void weft_fence(void)
{
    asm volatile("membar.gl;" ::: "memory");
}
