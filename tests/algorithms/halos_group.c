/* Groups by their definition, whatever their ids are like. */
#include <weft/halos.h>
#include "harness.h"

#include <stdlib.h>
#include <string.h>

/* Particles of groups, and what comes of them. */
typedef struct crowd {
    i64 n;
    u32 *label;
    i64 *id;
} crowd;

static const crowd *sorted;

static int by_label_and_id(const void *a, const void *b) {
    const u32 i = *(const u32 *)a, j = *(const u32 *)b;
    if (sorted->label[i] != sorted->label[j])
        return sorted->label[i] < sorted->label[j] ? -1 : 1;
    return sorted->id[i] < sorted->id[j] ? -1 : sorted->id[i] > sorted->id[j];
}

typedef struct run {
    i64 tag, begin, size;
} run;

static int by_size_and_tag(const void *a, const void *b) {
    const run *p = a, *q = b;
    if (p->size != q->size)
        return p->size > q->size ? -1 : 1;
    return p->tag < q->tag ? -1 : p->tag > q->tag;
}

/* Ids that are unique: an odd multiple of the index in the lowest `bits`, so that they are
 * in no order, with the bits above those of `above`. */
static i64 id_of(i64 i, int bits, u64 above) {
    const u64 mask = bits < 64 ? ((u64)1 << bits) - 1 : ~(u64)0;
    return (i64)(((u64)i * 0x9e3779b97f4a7c15u & mask) | (above & ~mask));
}

/* Some groups of one, one that is large, and all else small; some particles in none. */
static crowd crowd_new(i64 n, int bits, u64 above, u64 seed) {
    crowd c = {n, malloc((size_t)(n + 1) * sizeof *c.label),
               malloc((size_t)(n + 1) * sizeof *c.id)};
    for (i64 i = 0; i < n; i++) {
        const u64 r = test_random(&seed);
        const i64 group = r % 4 == 0 ? n / 3 : (i64)(r >> 8) % (n / 5 + 1);
        c.label[i] = r % 16 == 1 ? UINT32_MAX : (u32)group;
        c.id[i] = id_of(i, bits, above);
    }
    return c;
}

/* That weft_halos_group gives what sorting by label and id gives. */
static void compare(const crowd *c, i64 least) {
    const size_t n = (size_t)c->n;
    u32 *order = malloc((n + 1) * sizeof *order),
        *member = malloc((n + 1) * sizeof *member);
    run *runs = malloc((n + 1) * sizeof *runs);
    i64 *tag = malloc((n + 1) * sizeof *tag), *offset = malloc((n + 2) * sizeof *offset);
    i64 kept = 0, count = 0, members = 0;
    for (i64 i = 0; i < c->n; i++)
        if (c->label[i] != UINT32_MAX)
            order[kept++] = (u32)i;
    sorted = c;
    qsort(order, (size_t)kept, sizeof *order, by_label_and_id);
    for (i64 k = 0, end; k < kept; k = end) {
        for (end = k; end < kept && c->label[order[end]] == c->label[order[k]];)
            end++;
        if (end - k >= least)
            runs[count++] = (run){c->id[order[k]], k, end - k};
    }
    qsort(runs, (size_t)count, sizeof *runs, by_size_and_tag);
    weft_halos halos;
    weft_halos_group(device, test_array(WEFT_U32, c->label, c->n),
                     test_array(WEFT_I64, c->id, c->n), least, &halos);
    test_ok();
    ck_assert_int_eq(halos.count, count);
    weft_read(device, halos.member, member);
    weft_read(device, halos.tag, tag);
    weft_read(device, halos.offset, offset);
    test_ok();
    for (i64 h = 0; h < count; h++) {
        ck_assert_int_eq(tag[h], runs[h].tag);
        ck_assert_int_eq(offset[h], members);
        ck_assert_msg(memcmp(member + members, order + runs[h].begin,
                             (size_t)runs[h].size * sizeof *member) == 0,
                      "the members of halo %lld of %lld", (long long)h, (long long)count);
        members += runs[h].size;
    }
    ck_assert_int_eq(halos.members, members);
    weft_halos_free(device, &halos);
    free(order), free(member), free(runs), free(tag), free(offset);
}

/* Ids of few bits, of as many as fit beside a label, and of more; all of them negative, or
 * far from 0, or of both signs. */
START_TEST(ids) {
    static const i64 sizes[] = {0, 1, 2, 63, 64, 65, 1000};
    static const u64 above[] = {0, ~(u64)0, (u64)1 << 62};
    static const int widths[] = {10, 32, 53, 54, 55, 63, 64};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            for (size_t a = 0; a < (widths[w] == 64 ? 1 : 3); a++) {
                crowd c = crowd_new(sizes[s], widths[w], above[a], 7 + s);
                compare(&c, 1);
                compare(&c, 5);
                free(c.label), free(c.id);
            }
}
END_TEST

START_TEST(many) {
    for (int bits = 17; bits <= 64; bits += 47) {
        crowd c = crowd_new(100003, bits, 0, 3);
        compare(&c, 20);
        free(c.label), free(c.id);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {ids, many};
    return test_main(argc, argv, "halos_group", tests, sizeof tests / sizeof *tests);
}
