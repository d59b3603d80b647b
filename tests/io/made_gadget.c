#include "made_gadget.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 18 };

struct maker {
    unsigned char *bytes;
    size_t at, record;
    bool big, named;
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

static void begin(struct maker *maker, const char *name, uint64_t size) {
    if (maker->named) {
        number(maker, 8, 4);
        memcpy(maker->bytes + maker->at, name, 4);
        maker->at += 4;
        number(maker, size + 8, 4);
        number(maker, 8, 4);
    }
    number(maker, size, 4);
    maker->record = maker->at;
}

static void end(struct maker *maker) {
    number(maker, maker->at - maker->record, 4);
}

static void header(struct maker *maker, const struct gadget_recipe *recipe) {
    const int64_t n[6] = {recipe->gas, recipe->n, 0, 0, recipe->stars, 0};
    const int64_t total[6] = {recipe->gas, recipe->total, 0, 0, recipe->stars, 0};
    const double mass[6] = {1, recipe->table_mass, 0, 0, 0, 0};
    begin(maker, "HEAD", 256);
    for (int k = 0; k < 6; ++k)
        number(maker, (uint64_t)n[k], 4);
    for (int k = 0; k < 6; ++k)
        real(maker, mass[k], 8);
    real(maker, 1 / (1 + recipe->redshift), 8);
    real(maker, recipe->redshift, 8);
    number(maker, 0, 8);
    for (int k = 0; k < 6; ++k)
        number(maker, (uint64_t)total[k], 4);
    number(maker, 0, 4);
    number(maker, (uint64_t)recipe->n_files, 4);
    real(maker, recipe->box, 8);
    for (int k = 0; k < 15; ++k) /* cosmology, flags, and what is left of 256 bytes */
        number(maker, 0, 8);
    end(maker);
}

/* A block of `components` for each particle of all types. */
static void vectors(struct maker *maker, const struct gadget_recipe *recipe,
                    const char *name, double factor) {
    const int width = recipe->wide ? 8 : 4;
    const int64_t all = recipe->gas + recipe->n + recipe->stars;
    begin(maker, name, (uint64_t)(all * 3 * width));
    for (int64_t i = 0; i < all; ++i) {
        const int64_t k = i - recipe->gas;
        for (int axis = 0; axis < 3; ++axis)
            real(maker,
                 k >= 0 && k < recipe->n ? factor * made_position(recipe->first + k, axis)
                                         : 1,
                 width);
    }
    end(maker);
}

unsigned char *made_gadget(const struct gadget_recipe *recipe, size_t *length) {
    struct maker maker = {
        .bytes = calloc(ROOM, 1), .big = recipe->big, .named = recipe->named};
    const int64_t all = recipe->gas + recipe->n + recipe->stars;
    header(&maker, recipe);
    vectors(&maker, recipe, "POS ", 1);
    vectors(&maker, recipe, "VEL ", 100);
    const int id = recipe->wide_ids ? 8 : 4;
    begin(&maker, "ID  ", (uint64_t)(all * id));
    for (int64_t i = 0; i < all; ++i) {
        const int64_t k = i - recipe->gas;
        number(&maker, k >= 0 && k < recipe->n ? (uint64_t)made_id(recipe->first + k) : 1,
               id);
    }
    end(&maker);
    const int64_t massive = (recipe->table_mass == 0 ? recipe->n : 0) + recipe->stars;
    if (massive > 0) {
        const int width = recipe->wide ? 8 : 4;
        begin(&maker, "MASS", (uint64_t)(massive * width));
        for (int64_t i = 0; i < massive; ++i)
            real(&maker,
                 recipe->table_mass == 0 && i < recipe->n ? (double)(1 + recipe->first + i)
                                                          : 1,
                 width);
        end(&maker);
    }
    if (recipe->gas > 0) {
        begin(&maker, "U   ", (uint64_t)recipe->gas * 4);
        for (int64_t i = 0; i < recipe->gas; ++i)
            number(&maker, 0, 4);
        end(&maker);
    }
    *length = maker.at;
    return maker.bytes;
}
