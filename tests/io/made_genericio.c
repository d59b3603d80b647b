#include "made_genericio.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>
#ifdef HAVE_BLOSC
#include <blosc.h>
#endif

enum { ROOM = 1 << 16, NAMES = 9, BOX = 64 };

struct maker {
    unsigned char *bytes;
    size_t at;
    bool big;
};

static void number(struct maker *maker, uint64_t value, int width) {
    for (int k = 0; k < width; ++k) {
        const int shift = 8 * (maker->big ? width - 1 - k : k);
        maker->bytes[maker->at++] = (unsigned char)(value >> shift);
    }
}

static void real(struct maker *maker, double value, int width) {
    uint64_t wide;
    uint32_t narrow;
    const float rounded = (float)value;
    memcpy(&wide, &value, 8);
    memcpy(&narrow, &rounded, 4);
    number(maker, width == 8 ? wide : narrow, width);
}

static void text(struct maker *maker, const char *word, size_t room) {
    memset(maker->bytes + maker->at, 0, room);
    memcpy(maker->bytes + maker->at, word, strlen(word));
    maker->at += room;
}

/* Bit by bit, as the polynomial is defined. */
static uint64_t crc_of(const unsigned char *bytes, size_t n) {
    uint64_t crc = UINT64_MAX;
    for (size_t k = 0; k < n; ++k) {
        crc ^= bytes[k];
        for (int bit = 0; bit < 8; ++bit)
            crc = crc & 1 ? crc >> 1 ^ 0xC96C5795D7870F42u : crc >> 1;
    }
    return ~crc;
}

static void check_bytes(struct maker *maker, size_t from) {
    const uint64_t stored = ~crc_of(maker->bytes + from, maker->at - from);
    const bool big = maker->big;
    maker->big = false;
    number(maker, stored, 8);
    maker->big = big;
}

struct variable {
    const char *name;
    uint64_t flags;
    int width;
};

struct content {
    int n_variables, n_ranks;
    struct variable variables[NAMES];
    int64_t n[8]; /* rows of each rank */
    void (*put)(struct maker *, const void *recipe, int variable, int64_t row);
    const void *recipe;
};

/* The header; where `starts` and `sizes` are not yet known it is written again later. */
static void put_header(struct maker *maker, const struct content *content,
                       const struct genericio_recipe *recipe, const uint64_t *starts,
                       const uint64_t *sizes) {
    const uint64_t global = recipe->old ? 104 : 168, variable = recipe->old ? 272 : 280,
                   rank = recipe->old ? 40 : 48;
    const uint64_t v = (uint64_t)content->n_variables, r = (uint64_t)content->n_ranks;
    const uint64_t ranks_at = global + v * variable, blocks_at = ranks_at + r * rank;
    const uint64_t all = recipe->all_ranks ? (uint64_t)recipe->all_ranks : r;
    uint64_t total = 0;
    for (int k = 0; k < content->n_ranks; ++k)
        total += (uint64_t)content->n[k];
    maker->at = 0;
    text(maker, recipe->big ? "HACC01B" : "HACC01L", 8);
    number(maker, blocks_at + (recipe->blocks ? 48 * r * v : 0), 8);
    const uint64_t numbers[] = {total,  all, 1,    1,        v,     variable,
                                global, r,   rank, ranks_at, global};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
        number(maker, numbers[k], 8);
    for (int axis = 0; !recipe->old && axis < 6; ++axis)
        real(maker, axis < 3 ? 0 : BOX, 8);
    if (!recipe->old) {
        number(maker, recipe->blocks ? 48 : 0, 8);
        number(maker, recipe->blocks ? blocks_at : 0, 8);
    }
    for (int k = 0; k < content->n_variables; ++k) {
        text(maker, content->variables[k].name, 256);
        number(maker, content->variables[k].flags, 8);
        number(maker, (uint64_t)content->variables[k].width, 8);
        if (!recipe->old)
            number(maker, (uint64_t)content->variables[k].width, 8);
    }
    for (int k = 0; k < content->n_ranks; ++k) {
        number(maker, (uint64_t)(recipe->first_rank + k), 8);
        number(maker, 0, 8);
        number(maker, 0, 8);
        number(maker, (uint64_t)content->n[k], 8);
        number(maker, starts[(uint64_t)k * v], 8);
        if (!recipe->old)
            number(maker, (uint64_t)(recipe->first_rank + k), 8);
    }
    for (uint64_t k = 0; recipe->blocks && k < r * v; ++k) {
        text(maker, recipe->blosc ? "BLOSC" : "", 32);
        number(maker, starts[k], 8);
        number(maker, sizes[k], 8);
    }
    check_bytes(maker, 0);
}

static void pack(struct maker *maker, size_t from, int width) {
#ifdef HAVE_BLOSC
    const size_t n = maker->at - from;
    unsigned char *packed = malloc(n + BLOSC_MAX_OVERHEAD);
    const int size = blosc_compress_ctx(9, 1, (size_t)width, n, maker->bytes + from, packed,
                                        n + BLOSC_MAX_OVERHEAD, "blosclz", 0, 1);
    ck_assert_int_gt(size, 0);
    const uint64_t crc = crc_of(maker->bytes + from, n);
    maker->at = from;
    number(maker, crc, 8);
    memcpy(maker->bytes + maker->at, packed, (size_t)size);
    maker->at += (size_t)size;
    free(packed);
#else
    (void)maker;
    (void)from;
    (void)width;
#endif
}

static unsigned char *make(const struct content *content,
                           const struct genericio_recipe *recipe, size_t *length) {
    struct maker maker = {.bytes = calloc(ROOM, 1), .big = recipe->big};
    uint64_t starts[64] = {0}, sizes[64] = {0};
    put_header(&maker, content, recipe, starts, sizes);
    for (int r = 0, k = 0; r < content->n_ranks; ++r) {
        for (int v = 0; v < content->n_variables; ++v, ++k) {
            starts[k] = maker.at;
            for (int64_t row = 0; row < content->n[r]; ++row) {
                int64_t before = row;
                for (int q = 0; q < r; ++q)
                    before += content->n[q];
                content->put(&maker, content->recipe, v, before);
            }
            if (recipe->blosc)
                pack(&maker, starts[k], content->variables[v].width);
            sizes[k] = maker.at - starts[k];
            check_bytes(&maker, starts[k]);
        }
    }
    *length = maker.at;
    put_header(&maker, content, recipe, starts, sizes);
    return maker.bytes;
}

static void put_particle(struct maker *maker, const void *what, int variable, int64_t row) {
    const struct genericio_recipe *recipe = what;
    const int64_t i = recipe->first + row;
    const int width = recipe->wide ? 8 : 4;
    if (variable < 3)
        real(maker, made_position(i, variable), width);
    else if (variable < 6)
        real(maker, 100 * made_position(i, variable - 3), width);
    else if (variable == 6)
        real(maker, (double)(1 + i), width);
    else if (variable == 7)
        number(maker, (uint64_t)made_id(i), 8);
    else
        number(maker, (uint64_t)i, 2);
}

int64_t made_genericio_count(int n_ranks) {
    return n_ranks * (n_ranks + 5) / 2;
}

unsigned char *made_genericio(const struct genericio_recipe *recipe, size_t *length) {
    const int width = recipe->wide ? 8 : 4;
    struct content content = {
        .n_variables = NAMES,
        .n_ranks = recipe->n_ranks,
        .variables = {{"x", 7, width},
                      {"y", 11, width},
                      {"z", 19, width},
                      {"vx", 3, width},
                      {"vy", 3, width},
                      {"vz", 3, width},
                      {"mass", 3, width},
                      {"id", 2, 8},
                      {"mask", 0, 2}},
        .put = put_particle,
        .recipe = recipe,
    };
    for (int r = 0; r < recipe->n_ranks; ++r)
        content.n[r] = 3 + r;
    return make(&content, recipe, length);
}

static void put_rank(struct maker *maker, const void *partition, int variable,
                     int64_t row) {
    number(maker,
           variable == 0 ? (uint64_t)row
                         : (uint64_t)(int64_t)((const int32_t *)partition)[row],
           4);
}

unsigned char *made_genericio_map(const int32_t *partition, int n_ranks, size_t *length) {
    const struct content content = {
        .n_variables = 2,
        .n_ranks = 1,
        .variables = {{"$rank", 2, 4}, {"$partition", 2, 4}},
        .n = {n_ranks},
        .put = put_rank,
        .recipe = partition,
    };
    return make(&content, &(struct genericio_recipe){.n_ranks = 1}, length);
}
