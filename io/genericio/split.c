/* Split files: which particles are in which. */
#include "io/particles.h"

static int64_t rows_before(int64_t n, int files, int file) {
    return n / files * file + n % files * file / files;
}

static int64_t ranks_of(int64_t n, int files, int file) {
    const int64_t rows = rows_before(n, files, file + 1) - rows_before(n, files, file);
    const int64_t ranks = (rows + PARTICLES_PIECE - 1) / PARTICLES_PIECE;
    return ranks > 0 ? ranks : 1;
}

struct genericio_share genericio_share(int64_t n, int files, int file) {
    struct genericio_share share = {.first = rows_before(n, files, file)};
    share.n = rows_before(n, files, file + 1) - share.first;
    for (int f = 0; f < files; ++f)
        *(f < file   ? &share.before
          : f > file ? &share.beyond
                     : &share.ranks) += ranks_of(n, files, f);
    return share;
}
