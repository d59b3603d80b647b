/* Whether ranks read the same snapshot: what its headers say, the length of each part, and
 * some blocks of its first and last. */
#include "io/files/fingerprint.h"
#include "format.h"

static uint64_t of_header(uint64_t hash, const struct snapshot_info *info) {
    const double told[] = {info->mass,           info->box[0],      info->box[1],
                           info->box[2],         info->periodic[0], info->periodic[1],
                           info->periodic[2],    info->redshift,    info->scale_factor,
                           (double)info->n_parts};
    hash = fingerprint_bytes(hash, told, sizeof told);
    hash = fingerprint_bytes(hash, info->count, sizeof info->count);
    hash = fingerprint_bytes(hash, info->bytes, sizeof info->bytes);
    hash = fingerprint_bytes(hash, &info->cosmology, sizeof info->cosmology);
    hash = fingerprint_bytes(hash, info->length_unit, SNAPSHOT_UNIT_LENGTH);
    return fingerprint_bytes(hash, info->mass_unit, SNAPSHOT_UNIT_LENGTH);
}

uint64_t snapshot_fingerprint(const struct snapshot *snapshot) {
    const int last = snapshot->info.n_parts - 1;
    uint64_t hash = of_header(0xcbf29ce484222325u, &snapshot->info);
    for (int k = 0; k <= last; ++k)
        hash = fingerprint_file(hash, snapshot->parts[k].path,
                                k == 0 || k == last ? FINGERPRINT_BLOCKS : 1);
    return hash;
}
