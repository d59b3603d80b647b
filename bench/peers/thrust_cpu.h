/* Thrust on a CPU: the same for OpenMP and TBB but the policy. */
#ifndef WEFT_BENCH_THRUST_CPU_H
#define WEFT_BENCH_THRUST_CPU_H

/* Policies say where it runs; nothing is left to Thrust's default, which is CUDA. */
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP

#include "thrust_rows.h"

#include <cstdlib>
#include <memory>
#include <thrust/version.h>

namespace {

struct thrust_state {
    task *t;
    row is;
    uint32_t *rest;
};

inline std::size_t thrust_bytes(const task_array &array) {
    return static_cast<std::size_t>(array.length) * (array.type & 0xffffff);
}

inline void *thrust_open(task *t) {
    const row is = thrust_row(t);
    if (is == row::none)
        return nullptr;
    auto state = std::unique_ptr<thrust_state>(new thrust_state{t, is, nullptr});
    if (rest_bytes(is, t)) {
        state->rest = static_cast<uint32_t *>(memory_new(rest_bytes(is, t)));
        if (!state->rest)
            return nullptr;
    }
    return state.release();
}

inline int thrust_reset(void *pointer) {
    const auto state = static_cast<thrust_state *>(pointer);
    for (int k = 0; state->t->in_place && k < TASK_OUTPUTS; ++k)
        if (state->t->out[k].data)
            std::memcpy(state->t->out[k].data, state->t->in[k].data,
                        thrust_bytes(state->t->out[k]));
    return 1;
}

template <class Policy> int thrust_run_on(const Policy &policy, void *pointer) {
    const auto state = static_cast<thrust_state *>(pointer);
    try {
        thrust_run(policy, state->is, state->t, state->rest);
    } catch (...) {
        return 0;
    }
    return 1;
}

inline int thrust_fetch(void *pointer) {
    const auto state = static_cast<thrust_state *>(pointer);
    const task *t = state->t;
    if (state->is == row::partition)
        std::memcpy(static_cast<uint32_t *>(t->out[0].data) + t->count, state->rest,
                    static_cast<std::size_t>(t->n - t->count) * sizeof(uint32_t));
    return 1;
}

inline void thrust_close(void *pointer) {
    const auto state = static_cast<thrust_state *>(pointer);
    std::free(state->rest);
    delete state;
}

} // namespace

#endif
