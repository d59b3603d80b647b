/* The C++ library's stable sort by a comparison, and its selections by rank, on one thread.
 */
#include "peer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

struct body {
    double weight;
    uint64_t id;
};

const char *describe() {
    return "std::stable_sort, nth_element, partial_sort_copy, -march=native";
}

/* A task, and room for a copy of its input, which selections change. */
struct run_of {
    task *t;
    uint32_t *copy;
};

bool sorts(const task *t) {
    return std::strcmp(t->name, "sort_with") == 0 || std::strcmp(t->name, "sort_by") == 0;
}
bool ranks(const task *t) {
    return std::strcmp(t->name, "nth_element") == 0;
}

void *open(task *t, int) {
    if (!sorts(t) && !ranks(t) && std::strncmp(t->name, "top_k", 5) != 0)
        return nullptr;
    const auto bytes = static_cast<std::size_t>(t->n) * sizeof(uint32_t);
    return new (std::nothrow)
        run_of{t, ranks(t) ? static_cast<uint32_t *>(memory_new(bytes)) : nullptr};
}

int reset(void *state) {
    const auto [t, copy] = *static_cast<run_of *>(state);
    const auto bytes =
        static_cast<std::size_t>(t->in[0].length) * (t->in[0].type & 0xffffff);
    if (sorts(t))
        std::memcpy(t->out[0].data, t->in[0].data, bytes);
    else if (copy)
        std::memcpy(copy, t->in[0].data, bytes);
    return !ranks(t) || copy;
}

int run(void *state) {
    const auto [t, copy] = *static_cast<run_of *>(state);
    const auto in = static_cast<const uint32_t *>(t->in[0].data);
    const auto x = static_cast<uint32_t *>(t->out[0].data);
    if (ranks(t)) {
        std::nth_element(copy, copy + t->n / 2, copy + t->n);
        t->value = copy[t->n / 2];
    } else if (!sorts(t)) {
        std::partial_sort_copy(in, in + t->n, x, x + t->out[0].length,
                               [](uint32_t a, uint32_t b) { return a > b; });
    } else if (std::strcmp(t->types, "u32") == 0) {
        std::stable_sort(x, x + t->n, [](uint32_t a, uint32_t b) { return a < b; });
    } else {
        const auto bodies = static_cast<body *>(t->out[0].data);
        std::stable_sort(bodies, bodies + t->n,
                         [](const body &a, const body &b) { return a.weight < b.weight; });
    }
    return 1;
}

int fetch(void *) {
    return 1;
}

void close(void *state) {
    std::free(static_cast<run_of *>(state)->copy);
    delete static_cast<run_of *>(state);
}

} // namespace

extern "C" const peer peer_standard = {"std", "c++", 0,     1,     describe, open,
                                       reset, run,   fetch, close, 0};
