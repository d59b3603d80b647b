/* Sorts, ranks and heads by a comparison, a work-item by itself: weft/register_order.h says
 * what each does. ORDER_T is the type of elements, ORDER_BEFORE the comparison. */
typedef ORDER_T weft_order_item;

enum { ORDER_FEW = 8 };

static inline void weft_order_put(GLOBAL weft_order_item *y, GLOBAL u32 *y_id, index_t k,
                                  GLOBAL const weft_order_item *x, GLOBAL const u32 *x_id,
                                  index_t i) {
    y[k] = x[i];
    if (y_id)
        y_id[k] = x_id[i];
}

static inline void weft_order_few(GLOBAL weft_order_item *x, GLOBAL u32 *x_id,
                                  index_t begin, index_t count, GLOBAL weft_order_item *y,
                                  GLOBAL u32 *y_id) {
    weft_order_item held[ORDER_FEW];
    u32 id[ORDER_FEW];
    index_t rank[ORDER_FEW];
    for (index_t i = 0; i < count; i++) {
        held[i] = x[begin + i];
        id[i] = x_id ? x_id[begin + i] : 0;
        rank[i] = begin + i;
        for (index_t j = 0; j < i; j++) {
            const int first = ORDER_BEFORE(held[i], held[j]) != 0;
            rank[j] += first;
            rank[i] -= first;
        }
    }
    for (index_t i = 0; i < count; i++) {
        y[rank[i]] = held[i];
        if (y_id)
            y_id[rank[i]] = id[i];
    }
}

static inline void weft_order_merge(GLOBAL const weft_order_item *x, GLOBAL const u32 *x_id,
                                    index_t i, index_t i_end, index_t j, index_t j_end,
                                    GLOBAL weft_order_item *y, GLOBAL u32 *y_id,
                                    index_t k) {
    for (; i < i_end || j < j_end; k++) {
        const int second = i == i_end || (j < j_end && ORDER_BEFORE(x[j], x[i]));
        weft_order_put(y, y_id, k, x, x_id, second ? j : i);
        j += second;
        i += 1 - second;
    }
}

static inline void weft_order_block(index_t block, index_t n, index_t length, u32 over,
                                    GLOBAL weft_order_item *x, GLOBAL u32 *x_id,
                                    GLOBAL weft_order_item *y, GLOBAL u32 *y_id) {
    const index_t begin = block * length, end = n - begin < length ? n : begin + length;
    int turns = 0;
    for (index_t run = ORDER_FEW; run < length; run *= 2)
        turns++;
    int in_x = (turns & 1) == (over != 0);
    for (index_t k = begin; k < end; k += ORDER_FEW)
        weft_order_few(x, x_id, k, end - k < ORDER_FEW ? end - k : ORDER_FEW, in_x ? x : y,
                       in_x ? x_id : y_id);
    for (index_t run = ORDER_FEW; run < length; run *= 2) {
        for (index_t low = begin; low < end; low += 2 * run) {
            const index_t middle = end - low < run ? end : low + run;
            const index_t high = end - low < 2 * run ? end : low + 2 * run;
            weft_order_merge(in_x ? x : y, in_x ? x_id : y_id, low, middle, middle, high,
                             in_x ? y : x, in_x ? y_id : x_id, low);
        }
        in_x = !in_x;
    }
}

static inline index_t weft_order_split(GLOBAL const weft_order_item *x, index_t low,
                                       index_t middle, index_t high, index_t done) {
    index_t least = done > high - middle ? done - (high - middle) : 0;
    index_t most = done < middle - low ? done : middle - low;
    while (least < most) {
        const index_t at = least + (most - least) / 2;
        if (ORDER_BEFORE(x[middle + done - 1 - at], x[low + at]))
            most = at;
        else
            least = at + 1;
    }
    return least;
}

static inline void weft_order_part(index_t part, index_t n, index_t length, index_t run,
                                   u32 whole, GLOBAL const weft_order_item *x,
                                   GLOBAL const u32 *x_id, GLOBAL weft_order_item *y,
                                   GLOBAL u32 *y_id) {
    const index_t begin = part * length, end = n - begin < length ? n : begin + length;
    const index_t low = whole ? 0 : begin / run / 2 * run * 2;
    const index_t middle = n - low < run ? n : low + run;
    const index_t high = whole || n - low < 2 * run ? n : low + 2 * run;
    const index_t i = weft_order_split(x, low, middle, high, begin - low);
    const index_t i_end = weft_order_split(x, low, middle, high, end - low);
    weft_order_merge(x, x_id, low + i, low + i_end, middle + begin - low - i,
                     middle + end - low - i_end, y, y_id, begin);
}

static inline void weft_order_sort_numbered(index_t i, i64 n, i64 run, u32 length, u32 how,
                                            GLOBAL weft_order_item *x,
                                            GLOBAL weft_order_item *y, GLOBAL u32 *x_id,
                                            GLOBAL u32 *y_id) {
    if (run == 0)
        weft_order_block(i, (index_t)n, (index_t)length, how, x, x_id, y, y_id);
    else
        weft_order_part(i, (index_t)n, (index_t)length, (index_t)run, how, x, x_id, y, y_id);
}

static inline void weft_order_sort(index_t i, i64 n, i64 run, u32 length, u32 how,
                                   GLOBAL weft_order_item *x, GLOBAL weft_order_item *y) {
    weft_order_sort_numbered(i, n, run, length, how, x, y, 0, 0);
}

static inline void weft_order_rank(index_t i, i64 length, u32 upper,
                                   GLOBAL const weft_order_item *sorted,
                                   GLOBAL const weft_order_item *queries, GLOBAL i64 *out) {
    index_t low = 0, high = (index_t)length;
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        const int goes = upper ? !ORDER_BEFORE(queries[i], sorted[middle])
                               : ORDER_BEFORE(sorted[middle], queries[i]) != 0;
        low = goes ? middle + 1 : low;
        high = goes ? high : middle;
    }
    out[i] = (i64)low;
}

static inline u32 weft_order_heads(index_t i, GLOBAL const weft_order_item *x) {
    return i == 0 || ORDER_BEFORE(x[i - 1], x[i]) || ORDER_BEFORE(x[i], x[i - 1]);
}
