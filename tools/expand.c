/* Loops over types in kernel files. */
#include "expand.h"

#include <ctype.h>
#include <string.h>

enum { MAX_NAMES = 4 };

typedef struct span {
    const char *begin;
    size_t length;
} span;

/* What the names of a loop, and of those around it, stand for this time. */
typedef struct turn {
    const struct turn *outer;
    int count;
    span names[MAX_NAMES], values[MAX_NAMES];
} turn;

typedef struct place {
    const char *file, *line;
    int number;
} place;

static void next_line(place *at) {
    const char *end = strchr(at->line, '\n');
    at->line = end ? end + 1 : at->line + strlen(at->line);
    at->number++;
}

/* The word that begins at p or after blanks; empty at a colon and at the end of a line. */
static span word_at(const char *p) {
    p += strspn(p, " \t\r");
    return (span){p, strcspn(p, ": \t\r\n")};
}

static span word_after(span word) {
    return word_at(word.begin + word.length);
}

static int is(span word, const char *wanted) {
    return word.length == strlen(wanted) && strncmp(word.begin, wanted, word.length) == 0;
}

/* The first word after "#pragma weft" in a line; empty where it does not begin so. */
static span directive(const char *line) {
    const span none = {"", 0};
    line += strspn(line, " \t");
    if (*line != '#')
        return none;
    const span pragma = word_at(line + 1), weft = word_after(pragma);
    return is(pragma, "pragma") && is(weft, "weft") ? word_after(weft) : none;
}

/* Words with colons between them, from p on; *end is where they end. Returns how many; 0
 * where there is none, -1 where there are too many or one is missing. */
static int group_at(const char *p, span words[MAX_NAMES], const char **end) {
    for (int count = 0; count < MAX_NAMES; p = *end + 1) {
        words[count] = word_at(p);
        *end = words[count].begin + words[count].length;
        if (words[count].length == 0)
            return count ? -1 : 0;
        count++;
        *end += strspn(*end, " \t\r");
        if (**end != ':')
            return count;
    }
    return -1;
}

static span value_of(span name, const turn *t) {
    for (; t; t = t->outer)
        for (int k = 0; k < t->count; k++)
            if (name.length == t->names[k].length &&
                memcmp(name.begin, t->names[k].begin, name.length) == 0)
                return t->values[k];
    return name;
}

/* The line, with each name that stands alone or between underscores replaced. */
static void append_replaced(text *out, const char *p, const turn *t) {
    while (*p && *p != '\n') {
        span name = {p, 0};
        while (isalnum((unsigned char)p[name.length]))
            name.length++;
        p += name.length ? name.length : 1;
        const span value = name.length ? value_of(name, t) : (span){p - 1, 1};
        append(out, value.begin, value.length);
    }
    append(out, "\n", 1);
}

static void expand_loop(text *out, place *at, span word, const turn *outer);

/* Lines up to the end of the text, or of the loop that t is of. */
static void expand_lines(text *out, place *at, const turn *t) {
    for (; *at->line; next_line(at)) {
        const span word = directive(at->line);
        if (is(word, "end") && t)
            return;
        if (is(word, "for"))
            expand_loop(out, at, word, t);
        else if (word.length)
            die("%s:%d: '#pragma weft %.*s' ends or begins no loop", at->file, at->number,
                (int)word.length, word.begin);
        else
            append_replaced(out, at->line, t);
    }
    if (t)
        die("%s: a loop has no '#pragma weft end'", at->file);
}

/* The lines after "#pragma weft for NAMES in VALUES...", once for each; *at becomes the
 * line that ends them. */
static void expand_loop(text *out, place *at, span word, const turn *outer) {
    turn t = {.outer = outer};
    const char *end = word.begin + word.length;
    t.count = group_at(end, t.names, &end);
    const span in = word_at(end);
    place begin = *at;
    int turns = 0, right = t.count > 0 && is(in, "in");
    next_line(&begin);
    for (end = in.begin + in.length; right && *end && *end != '\n'; turns++) {
        right = group_at(end, t.values, &end) == t.count;
        *at = begin;
        append_line(out, at->number, at->file);
        if (right)
            expand_lines(out, at, &t);
    }
    if (!right || turns == 0)
        die("%s:%d: a loop is '#pragma weft for T in u32 u64', or with several names "
            "'for T:U in i32:u32 i64:u64'",
            at->file, begin.number - 1);
    append_line(out, at->number + 1, at->file);
}

text expand(const char *file, const char *lines) {
    text out = {0};
    place at = {file, lines, 1};
    append(&out, "", 0);
    expand_lines(&out, &at, NULL);
    return out;
}
