/* Data sets whose numbers lie in other files: virtual ones, external storage, links. */
#ifndef WEFT_IO_HDF5_ELSEWHERE_H
#define WEFT_IO_HDF5_ELSEWHERE_H

#include "file.h"

enum { HDF5_NAME = 4096, HDF5_DEEPEST = 8 };

/* Tells each file but `path` that the numbers of a data set are read from. */
typedef void elsewhere_visit(void *context, const char *file);
void elsewhere_sources(hid_t dataset, const char *path, int depth, elsewhere_visit *visit,
                       void *context);

/* The same of a virtual data set and of external storage, by their creation properties. */
void virtual_sources(hid_t creation, const char *path, int depth, elsewhere_visit *visit,
                     void *context);
void external_sources(hid_t creation, const char *path, elsewhere_visit *visit,
                      void *context);

/* Refuses external storage that is missing, too short, or outside of the file's folder,
 * unless that is allowed. Names are relative to the file's folder. */
bool external_check(hid_t dataset, hid_t creation, const char *name, const char *path,
                    struct io_error *error);

/* Opens a data set so that its external storage is looked for there. */
hid_t external_open(hid_t parent, const char *name);

/* From now on external storage may lie anywhere. */
void external_allow(void);

#endif
