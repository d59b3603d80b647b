/* Highway's vqsort: keys alone, and pairs packed into one wider key. Packing is not timed.
 * One thread; not stable. */
#include "peer.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <hwy/base.h>
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/highway.h>
#include <memory>

namespace {

using pair64 = hwy::K64V64;

enum class kind { u32, u64, f32, pairs_u32, pairs_f32, pairs_u64 };

struct state {
    task *t;
    kind is;
    void *packed; /* nullptr for keys alone */
    hwy::Sorter sort;
};

/* The bits of a float as an integer that keeps the order. */
uint32_t ordered(uint32_t bits) {
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

uint32_t unordered(uint32_t image) {
    return image & 0x80000000u ? image & 0x7fffffffu : ~image;
}

const char *describe() {
    static char text[64];
    std::snprintf(text, sizeof text, "Highway %d.%d.%d, packed pairs", HWY_MAJOR, HWY_MINOR,
                  HWY_PATCH);
    return text;
}

void *open(task *t, int) {
    kind is;
    if (!std::strcmp(t->name, "sort") || !std::strcmp(t->name, "sort:narrow"))
        is = !std::strcmp(t->types, "u64")   ? kind::u64
             : !std::strcmp(t->types, "f32") ? kind::f32
                                             : kind::u32;
    else if (std::strcmp(t->name, "sort_by_key"))
        return nullptr;
    else if (!std::strcmp(t->types, "u32/u32"))
        is = kind::pairs_u32;
    else if (!std::strcmp(t->types, "f32/u32"))
        is = kind::pairs_f32;
    else if (!std::strcmp(t->types, "u64/u32"))
        is = kind::pairs_u64;
    else
        return nullptr;
    auto made = std::unique_ptr<state>(new state{t, is, nullptr, {}});
    if (is >= kind::pairs_u32) {
        const std::size_t each = is == kind::pairs_u64 ? sizeof(pair64) : sizeof(uint64_t);
        made->packed = memory_new(static_cast<std::size_t>(t->n) * each);
        if (!made->packed)
            return nullptr;
    }
    return made.release();
}

int reset(void *pointer) {
    const auto s = static_cast<state *>(pointer);
    const auto n = static_cast<std::size_t>(s->t->n);
    const auto keys = static_cast<const uint32_t *>(s->t->in[0].data);
    const auto wide = static_cast<const uint64_t *>(s->t->in[0].data);
    const auto values = static_cast<const uint32_t *>(s->t->in[1].data);
    switch (s->is) {
    case kind::u32:
    case kind::f32:
        std::memcpy(s->t->out[0].data, keys, n * sizeof *keys);
        break;
    case kind::u64:
        std::memcpy(s->t->out[0].data, wide, n * sizeof *wide);
        break;
    case kind::pairs_u32:
    case kind::pairs_f32:
        for (std::size_t i = 0; i < n; ++i)
            static_cast<uint64_t *>(s->packed)[i] =
                static_cast<uint64_t>(s->is == kind::pairs_f32 ? ordered(keys[i]) : keys[i])
                    << 32 |
                values[i];
        break;
    case kind::pairs_u64:
        for (std::size_t i = 0; i < n; ++i) {
            static_cast<pair64 *>(s->packed)[i].value = values[i];
            static_cast<pair64 *>(s->packed)[i].key = wide[i];
        }
        break;
    }
    return 1;
}

int run(void *pointer) {
    const auto s = static_cast<state *>(pointer);
    const auto n = static_cast<std::size_t>(s->t->n);
    if (s->is == kind::u32)
        s->sort(static_cast<uint32_t *>(s->t->out[0].data), n, hwy::SortAscending());
    else if (s->is == kind::u64)
        s->sort(static_cast<uint64_t *>(s->t->out[0].data), n, hwy::SortAscending());
    else if (s->is == kind::f32)
        s->sort(static_cast<float *>(s->t->out[0].data), n, hwy::SortAscending());
    else if (s->is == kind::pairs_u64)
        s->sort(static_cast<pair64 *>(s->packed), n, hwy::SortAscending());
    else
        s->sort(static_cast<uint64_t *>(s->packed), n, hwy::SortAscending());
    return 1;
}

int fetch(void *pointer) {
    const auto s = static_cast<state *>(pointer);
    const auto n = static_cast<std::size_t>(s->t->n);
    if (!s->packed)
        return 1;
    const auto keys = static_cast<uint32_t *>(s->t->out[0].data);
    const auto wide = static_cast<uint64_t *>(s->t->out[0].data);
    const auto values = static_cast<uint32_t *>(s->t->out[1].data);
    for (std::size_t i = 0; i < n; ++i) {
        if (s->is == kind::pairs_u64) {
            wide[i] = static_cast<pair64 *>(s->packed)[i].key;
            values[i] = static_cast<uint32_t>(static_cast<pair64 *>(s->packed)[i].value);
        } else {
            const uint64_t pair = static_cast<uint64_t *>(s->packed)[i];
            const auto key = static_cast<uint32_t>(pair >> 32);
            keys[i] = s->is == kind::pairs_f32 ? unordered(key) : key;
            values[i] = static_cast<uint32_t>(pair);
        }
    }
    return 1;
}

void close(void *pointer) {
    const auto s = static_cast<state *>(pointer);
    std::free(s->packed);
    delete s;
}

} // namespace

extern "C" const peer peer_vqsort = {"vqsort", "highway", 0,   1,     describe,
                                     open,     reset,     run, fetch, close};
