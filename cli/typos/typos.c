#include "typos.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int typos_distance(const char *a, const char *b) {
    enum { LONGEST = 32 };
    const size_t n = strlen(a), m = strlen(b);
    int d[LONGEST + 1][LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t i = 0; i <= n; ++i) {
        for (size_t j = 0; j <= m; ++j) {
            int least = i == 0   ? (int)j
                        : j == 0 ? (int)i
                                 : d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (i > 0 && d[i - 1][j] + 1 < least)
                least = d[i - 1][j] + 1;
            if (j > 0 && d[i][j - 1] + 1 < least)
                least = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                d[i - 2][j - 2] + 1 < least)
                least = d[i - 2][j - 2] + 1;
            d[i][j] = least;
        }
    }
    return d[n][m];
}

/* What is looked for among the options, and the best so far. */
struct search {
    const char *name; /* NULL: one letter is looked for */
    int letter;
    const struct argp_option *found;   /* exactly that, or the letter */
    const struct argp_option *begins;  /* with it */
    const struct argp_option *nearest; /* at `far` */
    int far;
};

static void search(const struct argp *argp, struct search *s) {
    for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc);
         ++o) {
        if (s->name == NULL && o->key == s->letter)
            s->found = o;
        if (s->name == NULL || o->name == NULL)
            continue;
        if (strcmp(o->name, s->name) == 0)
            s->found = o;
        if (strncmp(o->name, s->name, strlen(s->name)) == 0)
            s->begins = o;
        const int far = typos_distance(s->name, o->name);
        if (far < s->far && !(o->flags & OPTION_HIDDEN)) {
            s->far = far;
            s->nearest = o;
        }
    }
    for (const struct argp_child *child = argp->children; child && child->argp; ++child)
        search(child->argp, s);
}

static bool takes_next(const struct argp_option *option) {
    return option && option->arg && !(option->flags & OPTION_ARG_OPTIONAL);
}

/* Of a word "-abc": whether the next word belongs to it. */
static bool letters_take_next(const struct argp *argp, const char *letters) {
    for (; *letters; ++letters) {
        struct search s = {.letter = *letters};
        search(argp, &s);
        if (s.found && s.found->arg)
            return takes_next(s.found) && letters[1] == '\0';
    }
    return false;
}

struct typo typos_look(const struct argp *argp, int argc, char **argv) {
    struct typo typo = {{0}, NULL};
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; ++k) {
        const char *word = argv[k];
        if (word[0] == '-' && word[1] != '-' && letters_take_next(argp, word + 1))
            ++k;
        if (word[0] != '-' || word[1] != '-')
            continue;
        const size_t length = strcspn(word + 2, "=");
        snprintf(typo.name, sizeof typo.name, "%.*s", (int)length, word + 2);
        const int most = (int)length / 2 + 1; /* of short words all are near */
        struct search s = {.name = typo.name, .far = most < TYPOS_FAR ? most : TYPOS_FAR};
        search(argp, &s);
        const struct argp_option *option = s.found ? s.found : s.begins;
        if (option == NULL && s.nearest) {
            typo.meant = s.nearest->name;
            return typo;
        }
        if (word[2 + length] == '\0' && takes_next(option))
            ++k;
    }
    return typo;
}
