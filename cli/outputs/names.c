#include "names.h"
#include "io/convert/convert.h"
#include "io/files/output.h"
#include "io/files/standard.h"

#include <stdlib.h>
#include <string.h>

char *names_stem(const char *path, bool of_several) {
    const char *whole = standard_is(path) ? "stdin" : path;
    size_t length = strlen(whole);
    while (length > 1 && whole[length - 1] == '/')
        --length;
    size_t begin = length;
    while (begin > 0 && whole[begin - 1] != '/')
        --begin;
    char *stem = strndup(whole + begin, length - begin);
    if (stem == NULL)
        return NULL;
    const char *ending = convert_ending(stem);
    if (ending && strlen(stem) > strlen(ending))
        stem[strlen(stem) - strlen(ending)] = '\0';
    char *point = strrchr(stem, '.');
    if (of_several && point && point > stem && point[1] &&
        point[1 + strspn(point + 1, "0123456789")] == '\0')
        *point = '\0';
    return stem;
}

bool names_folder(const char *name) {
    const size_t length = strlen(name);
    return length > 0 && name[length - 1] == '/';
}

char *names_output(const char *asked, const char *stem, const char *ending) {
    if (asked && !names_folder(asked))
        return strdup(asked);
    char *name = malloc((asked ? strlen(asked) : 0) + strlen(stem) + strlen(ending) + 1);
    if (name)
        strcat(strcat(strcpy(name, asked ? asked : ""), stem), ending);
    return name;
}

char *names_xdmf(const char *hdf5) {
    char *name = malloc(strlen(hdf5) + sizeof ".xdmf");
    if (name == NULL)
        return NULL;
    strcpy(name, hdf5);
    if (io_ends_in(name, ".hdf5") || io_ends_in(name, ".h5"))
        *strrchr(name, '.') = '\0';
    return strcat(name, ".xdmf");
}
