/* Data sets whose numbers lie in other files: virtual ones, external storage, links. */
#ifndef WEFT_IO_HDF5_ELSEWHERE_H
#define WEFT_IO_HDF5_ELSEWHERE_H

#include "file.h"

enum { HDF5_NAME = 4096, HDF5_DEEPEST = 8 };

/* Refuses a virtual data set whose sources are not all of it: missing, shorter than what is
 * shown of them, or not right by `check`; `depth` of them so far show another. */
typedef bool virtual_check(hid_t dataset, const char *name, const char *path, int depth,
                           struct io_error *error);
bool virtual_is_whole(hid_t dataset, hid_t creation, const char *name, const char *path,
                      int depth, virtual_check *check, struct io_error *error);

/* Tells the files of its sources that are there, and the data set, -1 where it cannot be
 * opened. */
typedef void virtual_visit(void *context, const char *file, hid_t dataset);
void virtual_sources(hid_t creation, const char *path, virtual_visit *visit, void *context);

/* Tells the files of external storage. */
typedef void external_visit(void *context, const char *file);
void external_sources(hid_t creation, const char *path, external_visit *visit,
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
