/* How many processors this process has the use of. */
#ifndef WEFT_BACKENDS_PTHREADS_PROCESSORS_H
#define WEFT_BACKENDS_PTHREADS_PROCESSORS_H

#include "weft/short_names.h"

/* Those that the affinity mask allows, and no more than the quotas of the control groups
 * that the process is in amount to, rounded up; at least 1. */
i64 team_processors(void);

/* The quota of the control groups in processors, 0 where there is none. The text of
 * /proc/self/cgroup says which groups, that of /proc/self/mountinfo where they lie; `root`
 * comes before that path. Lines that make no sense count as absent. */
i64 processors_quota(const char *groups, const char *mounts, const char *root);

#endif
