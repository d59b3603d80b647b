/* Sums over runs for NVIDIA GPUs, in one pass over memory: a scan by segments, which looks
 * back for the sum of the run that is open and for the number of heads, and of which the
 * ends of runs are written.
 *
 * `work` holds the states from its third word on; *all becomes how many runs there are. */
/* Which bit of `bits` is set and has n set ones below it. */
static inline int weft_nth_bit(u32 bits, u32 n)
{
    int at = 0;
    for (int by = 16; by > 0; by /= 2) {
        const u32 lower = popcount(bits & ((1u << by) - 1));
        if (n >= lower) {
            n -= lower;
            bits >>= by;
            at += by;
        }
    }
    return at;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_runs(const index_t n, const weft_element identity, __global u64 *work,
               const u32 round, const u32 taken_before,
               __global u64 *all, const long first_all, __global weft_keys_element *keys_out,
               const long first_key, __global weft_element *out,
               const long first weft_keys_PARAMETERS weft_in_PARAMETERS HEADS_IN)
{
    LOCALS
    SHARED weft_element before_tile[1];
    SHARED u32 taken[1];
    __global volatile u64 *states = work + 2;
    const index_t tile = weft_take_tile(work, taken_before, taken);
    const index_t begin = tile * TILE + warp * SPAN, count = n - begin;
    weft_fold_tile(&part, begin, count, identity, value, total,
                   heads_total weft_in_ARGUMENTS HEADS);
    if (warp == 0) {
        weft_held held;
        held.sum = part.tile_sum;
        held.heads = part.tile_heads;
        held = weft_meet_tiles(states, round, tile, tile == 0, held, identity);
        if (lane == 0) {
            before_tile[0] = held.sum;
            taken[0] = held.heads;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    weft_scan_tile(&part, before_tile[0], identity, value);

    /* An element is an end where the next one is a head. Lane k knows those of the k-th 32
     * elements of its warp. Where ends are many each is written by its own lane, row after
     * row; else the e-th end of all by lane e % 32. */
    u32 next = 1;
    if (count > SPAN)
        next = weft_heads(begin + SPAN weft_heads_ARGUMENTS) != 0;
    const u32 after = weft_from_higher(part.row, 1);
    const index_t left = count - lane * 32;
    u32 ends = part.row >> 1 | (lane < ITEMS - 1 ? after : next) << 31;
    ends = left >= 32 ? ends : left > 0 ? ends & ((1u << left) - 1) : 0;
    ends = lane < ITEMS ? ends : 0;
    u32 upto = popcount(ends);
    for (int by = 1; by < 32; by *= 2) {
        const u32 lower = weft_from_lower(upto, by);
        if (lane >= by)
            upto += lower;
    }
    const u32 many = weft_from_lane(upto, 31);
    const u32 place = taken[0] + part.warp_heads + (weft_from_lane(part.row, 0) & 1) - 1;
    if (lane == 0 && count > 0 && count <= SPAN)
        all[first_all] = place + many;
    if (many > SPAN / 4) {
        for (int first_row = 0; first_row < ITEMS; first_row += BATCH) {
            weft_keys_element some[BATCH];
#pragma unroll
            for (int k = 0; k < BATCH; k++) {
                const index_t i = begin + (first_row + k) * 32 + lane;
                some[k] = weft_keys(i < n ? i : n - 1 weft_keys_ARGUMENTS);
            }
#pragma unroll
            for (int k = 0; k < BATCH; k++) {
                const int row = first_row + k;
                const u32 among = weft_from_lane(ends, row);
                const u32 e = weft_from_lane(upto, row) - popcount(among >> lane);
                if (among >> lane & 1) {
                    keys_out[first_key + place + e] = some[k];
                    out[first + place + e] = value[warp * ROW + row * 33 + lane];
                }
            }
        }
        return;
    }
    for (u32 e = (u32)lane; e < many + (u32)lane; e += 32) {
        int row = 0;
        for (int by = 16; by > 0; by /= 2)
            row += e >= weft_from_lane(upto, row + by - 1) ? by : 0;
        const u32 among = weft_from_lane(ends, row);
        const u32 nth = e - (weft_from_lane(upto, row) - popcount(among));
        const int bit = weft_nth_bit(among, nth);
        if (e < many) {
            keys_out[first_key + place + e] =
                weft_keys(begin + row * 32 + bit weft_keys_ARGUMENTS);
            out[first + place + e] = value[warp * ROW + row * 33 + bit];
        }
    }
}
