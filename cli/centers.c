#include "centers.h"

#include <string.h>

/* A finder is added here: its function appends its columns (contract: NAME_id,
 * NAME_position and one of its own). */
const struct center centers[] = {
    {"mbp", center_mbp, true},
    {"mcp", NULL, false},
    {"poisson", NULL, true},
    {NULL, NULL, false},
};

bool centers_parse(const char *list, unsigned *set, struct io_error *error) {
    bool none = false;
    for (const char *word = list;; ++word) {
        const int length = (int)strcspn(word, ",");
        int k = 0;
        while (centers[k].name && (strlen(centers[k].name) != (size_t)length ||
                                   strncmp(word, centers[k].name, (size_t)length) != 0))
            ++k;
        if (length == 4 && strncmp(word, "none", 4) == 0)
            none = true;
        else if (centers[k].name == NULL)
            return io_fail(error, "there is no center '%.*s'", length, word);
        else if (centers[k].find == NULL)
            return io_fail(error, "this version has no finder of the center '%.*s'", length,
                           word);
        else
            *set |= 1u << k;
        word += length;
        if (*word == '\0')
            break;
    }
    return !none || *set == 0 ||
           io_fail(error, "'none' and other centers exclude each other");
}

bool centers_softened(unsigned set) {
    bool softened = false;
    for (int k = 0; centers[k].name; ++k)
        softened |= centers[k].softened && (set >> k & 1u);
    return softened;
}
