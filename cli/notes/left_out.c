#include "left_out.h"
#include "cli/progress.h"

#include <inttypes.h>

void left_out_tell(const char *path, const int64_t count[SNAPSHOT_TYPES]) {
    for (int type = 0; type < SNAPSHOT_TYPES; ++type) {
        if (type != 1 && count[type] > 0)
            progress_note("%s: the %" PRId64 " particles of PartType%d are left out", path,
                          count[type], type);
    }
}
