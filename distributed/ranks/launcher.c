#include "launcher.h"

#include <stdlib.h>

struct launcher launcher_find(void) {
    static const char *const sizes[] = {
        "OMPI_COMM_WORLD_SIZE", /* Open MPI */
        "PMI_SIZE",             /* MPICH, Intel MPI, srun --mpi=pmi2 */
        "MV2_COMM_WORLD_SIZE",  /* MVAPICH */
        "SLURM_STEP_NUM_TASKS", /* srun; a batch script itself has no such variable */
        "JSM_NAMESPACE_SIZE",   /* jsrun */
        "FLUX_JOB_SIZE",        /* flux run */
        "PALS_NRANKS",          /* aprun's successor */
    };
    for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); ++k) {
        const char *text = getenv(sizes[k]);
        const int size = text ? atoi(text) : 1;
        if (size > 1)
            return (struct launcher){sizes[k], size};
    }
    return (struct launcher){0};
}
