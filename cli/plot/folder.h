/* The temporary folder of a picture: its data, its script, and what gnuplot makes of them.
 */
#ifndef WEFT_CLI_PLOT_FOLDER_H
#define WEFT_CLI_PLOT_FOLDER_H

#include "io/files/error.h"

#include <stdio.h>

enum folder_file {
    FOLDER_DENSITY,
    FOLDER_HALOS,
    FOLDER_MASSES,
    FOLDER_SPHERES,
    FOLDER_MEMBERS,
    FOLDER_RADII,
    FOLDER_SHELLS,
    FOLDER_HISTORIES,
    FOLDER_MERGERS,
    FOLDER_SCRIPT,
    FOLDER_LOG,
    FOLDER_PICTURE,
    FOLDER_FILES
};

/* A file of the folder; NULL, false, and a sentence where that fails. */
FILE *folder_open(const char *folder, enum folder_file file, const char *mode,
                  struct io_error *error);
bool folder_close(FILE *stream, const char *folder, enum folder_file file,
                  struct io_error *error);

/* Writes the data of a picture, and its script, which draws into picture.png. */
typedef bool folder_fill(const char *folder, const void *of, struct io_error *error);

/* The picture that `fill` tells of, into its place, whole or not at all. */
bool folder_draw(const char *path, folder_fill *fill, const void *of,
                 struct io_error *error);

#endif
