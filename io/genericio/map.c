/* Split files: the one that tells which ranks are in which. */
#include "write.h"

#include <stdlib.h>

bool genericio_put_map(struct io_output *output, const struct particles *particles,
                       int files, struct io_error *error) {
    const struct genericio_share first = genericio_share(particles->n, files, 0);
    const int64_t n = first.ranks + first.beyond;
    const struct genericio_column columns[] = {{"$rank", GENERICIO_SIGNED, 4, 1},
                                               {"$partition", GENERICIO_SIGNED, 4, 1}};
    const struct genericio_table table = {
        .n = n, .piece = n, .n_ranks = 1, .n_columns = 2, .columns = columns};
    int32_t *rank = io_allocate(n, sizeof *rank, "the ranks", error);
    int32_t *partition = io_allocate(n, sizeof *partition, "the partitions", error);
    bool done = rank && partition;
    for (int file = 0; done && file < files; ++file) {
        const struct genericio_share share = genericio_share(particles->n, files, file);
        for (int64_t r = share.before; r < share.before + share.ranks; ++r) {
            rank[r] = (int32_t)r;
            partition[r] = file;
        }
    }
    done = done && genericio_put_header(output, &table, error) &&
           genericio_put_block(output, rank, 4, n, error) &&
           genericio_put_block(output, partition, 4, n, error);
    free(rank), free(partition);
    return done;
}
