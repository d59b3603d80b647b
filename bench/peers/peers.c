#include "peers.h"
#include "../baselines/baselines.h"
#include "naive.h"

#include <string.h>

extern const struct peer peer_thrust_omp, peer_thrust_tbb, peer_vqsort, peer_thrust_cuda,
    peer_standard, peer_r3d;

static const struct peer *const built_in[] = {&peer_naive,
                                              &baseline_paper,
                                              &baseline_pairs,
                                              &baseline_chunks,
                                              &baseline_astar,
#ifdef WEFT_PEER_THRUST_OMP
                                              &peer_thrust_omp,
#endif
#ifdef WEFT_PEER_THRUST_TBB
                                              &peer_thrust_tbb,
#endif
#ifdef WEFT_PEER_STANDARD
                                              &peer_standard,
#endif
#ifdef WEFT_PEER_VQSORT
                                              &peer_vqsort,
#endif
#ifdef WEFT_PEER_THRUST_CUDA
                                              &peer_thrust_cuda,
#endif
#ifdef WEFT_PEER_R3D
                                              &peer_r3d,
#endif
                                              NULL};

int peers_find(const struct bench *bench, const struct peer **peers) {
    const bool opencl = strcmp(weft_backend_name(bench->device), "opencl") == 0;
    const bool nvidia = opencl && strstr(weft_device_name(bench->device), "NVIDIA");
    int count = 0;
    if (bench->options.no_peers)
        return 0;
    for (int k = 0; built_in[k] && count < PEERS_MOST; ++k) {
        const struct peer *peer = built_in[k];
        const bool here = peer->on_weft || (peer->on_gpu ? nvidia : !opencl);
        const char *list = bench->options.peers;
        if (here && (!list || bench_lists(list, peer->name)) && peer->describe())
            peers[count++] = peer;
    }
    return count;
}
