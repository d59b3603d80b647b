/* Thrust and CUB on an NVIDIA GPU. Temporary memory comes from a pool, as ours does, and
 * nothing waits inside but what returns a value. */
#include "thrust_rows.h"

#include <cstdio>
#include <cub/device/device_histogram.cuh>
#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/version.h>

namespace {

/* Keeps what was freed for the next call. */
class pool {
  public:
    using value_type = char;

    char *allocate(std::ptrdiff_t bytes) {
        const auto found = idle.lower_bound(bytes);
        char *memory = nullptr;
        if (found != idle.end() && found->first <= 2 * bytes + 4096) {
            bytes = found->first;
            memory = found->second;
            idle.erase(found);
        } else if (cudaMalloc(&memory, static_cast<std::size_t>(bytes)) != cudaSuccess) {
            throw std::bad_alloc();
        }
        taken[memory] = bytes;
        return memory;
    }

    void deallocate(char *memory, std::size_t) {
        idle.emplace(taken[memory], memory);
        taken.erase(memory);
    }

    ~pool() {
        for (const auto &[bytes, memory] : idle)
            cudaFree(memory);
    }

  private:
    std::multimap<std::ptrdiff_t, char *> idle;
    std::map<char *, std::ptrdiff_t> taken;
};

struct top_byte {
    __host__ __device__ uint32_t operator()(uint32_t x) const {
        return x >> 24;
    }
};

constexpr int bins = 256;

struct state {
    task *host;
    task device;
    row is;
    bool histogram;
    uint32_t *rest;
    pool memory;

    ~state() {
        for (auto &array : device.in)
            cudaFree(array.data);
        for (auto &array : device.out)
            cudaFree(array.data);
        cudaFree(rest);
    }
};

std::size_t bytes(const task_array &array) {
    return static_cast<std::size_t>(array.length) * (array.type & 0xffffff);
}

const char *describe() {
    static char text[128];
    cudaDeviceProp gpu;
    int version = 0;
    if (cudaGetDeviceProperties(&gpu, 0) != cudaSuccess ||
        cudaRuntimeGetVersion(&version) != cudaSuccess)
        return nullptr;
    std::snprintf(text, sizeof text, "Thrust %d.%d, CUDA %d.%d, %.60s",
                  THRUST_MAJOR_VERSION, THRUST_MINOR_VERSION, version / 1000,
                  version % 1000 / 10, gpu.name);
    return text;
}

bool bring(task_array &to, const task_array &from, bool copy) {
    to = from;
    to.data = nullptr;
    if (!from.data)
        return true;
    return cudaMalloc(&to.data, bytes(from) + 1) == cudaSuccess &&
           (!copy || cudaMemcpy(to.data, from.data, bytes(from), cudaMemcpyHostToDevice) ==
                         cudaSuccess);
}

void *open(task *t, int) {
    const row is = thrust_row(t);
    const bool histogram = std::strcmp(t->name, "histogram:256") == 0;
    if (is == row::none && !histogram)
        return nullptr;
    std::unique_ptr<state> made(new state{t, *t, is, histogram, nullptr, {}});
    bool good = true;
    for (int k = 0; k < TASK_INPUTS; ++k)
        good &= bring(made->device.in[k], t->in[k], true);
    for (int k = 0; k < TASK_OUTPUTS; ++k)
        good &= bring(made->device.out[k], t->out[k], false);
    if (good && rest_bytes(is, t))
        good = cudaMalloc(&made->rest, rest_bytes(is, t)) == cudaSuccess;
    if (!good) {
        cudaGetLastError();
        return nullptr;
    }
    return made.release();
}

int reset(void *pointer) {
    const auto s = static_cast<state *>(pointer);
    for (int k = 0; s->device.in_place && k < TASK_OUTPUTS; ++k)
        if (s->device.out[k].data)
            cudaMemcpyAsync(s->device.out[k].data, s->device.in[k].data,
                            bytes(s->device.out[k]), cudaMemcpyDeviceToDevice);
    return cudaDeviceSynchronize() == cudaSuccess;
}

void count_bytes(state *s) {
    const auto samples = thrust::make_transform_iterator(
        static_cast<const uint32_t *>(s->device.in[0].data), top_byte());
    const auto counts = static_cast<uint32_t *>(s->device.out[0].data);
    std::size_t room = 0;
    cub::DeviceHistogram::HistogramEven(nullptr, room, samples, counts, bins + 1, 0u,
                                        static_cast<uint32_t>(bins), s->device.n);
    char *scratch = s->memory.allocate(static_cast<std::ptrdiff_t>(room));
    cub::DeviceHistogram::HistogramEven(scratch, room, samples, counts, bins + 1, 0u,
                                        static_cast<uint32_t>(bins), s->device.n);
    s->memory.deallocate(scratch, room);
}

int run(void *pointer) {
    const auto s = static_cast<state *>(pointer);
    try {
        if (s->histogram)
            count_bytes(s);
        else
            thrust_run(thrust::cuda::par_nosync(s->memory), s->is, &s->device, s->rest);
    } catch (...) {
        cudaGetLastError();
        return 0;
    }
    return cudaDeviceSynchronize() == cudaSuccess;
}

int fetch(void *pointer) {
    const auto s = static_cast<state *>(pointer);
    s->host->count = s->device.count;
    s->host->value = s->device.value;
    if (s->is == row::partition)
        cudaMemcpy(
            static_cast<uint32_t *>(s->device.out[0].data) + s->device.count, s->rest,
            static_cast<std::size_t>(s->device.n - s->device.count) * sizeof(uint32_t),
            cudaMemcpyDeviceToDevice);
    for (int k = 0; k < TASK_OUTPUTS; ++k)
        if (s->host->out[k].data)
            cudaMemcpy(s->host->out[k].data, s->device.out[k].data, bytes(s->host->out[k]),
                       cudaMemcpyDeviceToHost);
    return cudaGetLastError() == cudaSuccess;
}

void close(void *pointer) {
    delete static_cast<state *>(pointer);
}

} // namespace

extern "C" const peer peer_thrust_cuda = {"thrust-cuda", "cuda", 1,   0,     describe,
                                          open,          reset,  run, fetch, close};
