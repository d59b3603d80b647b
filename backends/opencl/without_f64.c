/* Kernel files for a device without f64: what uses it is left out, and so is what uses
 * that. C declares before use, so one pass finds all of it. */
#include "opencl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A function, a type or a table. */
typedef struct item {
    const char *end, *name;
    size_t length; /* of the name */
    int uses_f64;
} item;

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether `names`, which stand between spaces, hold this one. */
static int is_among(const opencl_text *names, const char *name, size_t length) {
    for (const char *n = names->bytes; n; n = strchr(n + 1, ' '))
        if (strncmp(n + 1, name, length) == 0 && n[length + 1] == ' ')
            return 1;
    return 0;
}

static const char *line_end(const char *p) {
    const char *end = p + strcspn(p, "\n");
    while (*end && end[-1] == '\\')
        end += 1 + strcspn(end + 1, "\n");
    return *end ? end + 1 : end;
}

/* Past white space, a comment or a line of the preprocessor; p where none of them is. */
static const char *skip_blank(const char *p) {
    if (p[0] == '#' || (p[0] == '/' && p[1] == '/'))
        return line_end(p);
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    return p + (isspace((unsigned char)*p) != 0);
}

/* Past the number at p, and whether it is one of type double. */
static const char *skip_number(const char *p, int *is_double) {
    const int hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    int is_float = 0;
    for (; is_word(*p) || *p == '.'; p++) {
        const int exponent = hex ? *p == 'p' || *p == 'P' : *p == 'e' || *p == 'E';
        is_float |= exponent || *p == '.';
        if (exponent && (p[1] == '+' || p[1] == '-'))
            p++;
    }
    *is_double = is_float && p[-1] != 'f' && p[-1] != 'F';
    return p;
}

/* The item that begins at p, to its last semicolon or, of a function, brace. Its name is
 * the last word outside of brackets, before any value that it is given. */
static item read_item(const char *p, const opencl_text *gone) {
    item it = {.end = p};
    int depth = 0, body = 0, has_value = 0, is_type = 0, is_double = 0;
    char last = ' ';
    while (*p) {
        const char *word = p;
        const char c = *p;
        p = skip_blank(p);
        if (p != word)
            continue;
        if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)p[1]))) {
            p = skip_number(p, &is_double);
            it.uses_f64 |= is_double;
        } else if (is_word(c)) {
            while (is_word(*p))
                p++;
            const size_t length = (size_t)(p - word);
            it.uses_f64 |= is_among(gone, word, length);
            is_type |= length == 7 && strncmp(word, "typedef", 7) == 0;
            if (depth == 0 && !has_value) {
                it.name = word;
                it.length = length;
            }
        } else {
            p++;
            body |= c == '{' && depth == 0 && last == ')' && !is_type;
            has_value |= c == '=' && depth == 0;
            depth +=
                (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
            if (depth == 0 && (c == ';' || (c == '}' && body)))
                break;
        }
        last = c;
    }
    it.end = p;
    return it;
}

int opencl_append_without_f64(opencl_text *text, const char *p, const char *name) {
    opencl_text gone = {0};
    opencl_append(&gone, " f64 double f64_bits bits_f64 ");
    while (*p && !gone.failed) {
        const char *begin = p;
        p = skip_blank(p);
        if (p != begin) {
            opencl_append_bytes(text, begin, (size_t)(p - begin));
            continue;
        }
        const item it = read_item(p, &gone);
        p = it.end;
        if (!it.uses_f64) {
            opencl_append_bytes(text, begin, (size_t)(p - begin));
            continue;
        }
        opencl_append(&gone, "%.*s ", (int)it.length, it.name ? it.name : "");
        for (; begin < p; begin++) /* what follows keeps its place */
            if (*begin == '\n')
                opencl_append_bytes(text, begin, 1);
    }
    const int uses_f64 = is_among(&gone, name, strlen(name));
    text->failed |= gone.failed;
    free(gone.bytes);
    return uses_f64;
}
