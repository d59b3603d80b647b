/* The text of a kernel file, item by item. */
#include "program.h"

#include <ctype.h>
#include <string.h>

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

int opencl_is_among(const opencl_text *names, const char *name, size_t length) {
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

const char *opencl_skip_blank(const char *p) {
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

opencl_item opencl_read_item(const char *p, const opencl_text *gone) {
    opencl_item it = {.end = p};
    int depth = 0, body = 0, has_value = 0, is_type = 0, is_double = 0;
    char last = ' ';
    while (*p) {
        const char *word = p;
        const char c = *p;
        p = opencl_skip_blank(p);
        if (p != word)
            continue;
        if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)p[1]))) {
            p = skip_number(p, &is_double);
            it.uses_f64 |= is_double;
        } else if (is_word(c)) {
            while (is_word(*p))
                p++;
            const size_t length = (size_t)(p - word);
            it.uses_f64 |= opencl_is_among(gone, word, length);
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
