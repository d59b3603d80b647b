/* That a struct is laid out in the same way on the host and on the device.
 *
 * Both compilers lay the members in their order, each at the next multiple of its
 * alignment, which in OpenCL C is the size of its type, and here, too. The device's
 * compiler checks the size of the whole. So offsets can differ only where the compilers do
 * not read the same members, which is what is looked for here. */
#include "program.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct alignments {
    i8 a;
    i16 b;
    i8 c;
    i32 d;
    i8 e[5];
    i64 f;
    i8 g;
    f32 h;
    i8 i[5];
    f64 j;
};
_Static_assert(offsetof(struct alignments, b) == 2 && offsetof(struct alignments, d) == 8 &&
                   offsetof(struct alignments, f) == 24 &&
                   offsetof(struct alignments, h) == 36 &&
                   offsetof(struct alignments, j) == 48,
               "structs are laid out in another way than OpenCL does");

/* The conditions that a place in a text is under: a bit each, of include guards 0. */
typedef struct conditions {
    u64 open;
    int depth;
} conditions;

static void read_line(conditions *c, const char *line) {
    char macro[128], guard[128];
    const char *p = line + 1 + strspn(line + 1, " \t");
    if (strncmp(p, "endif", 5) == 0 && c->depth > 0) {
        c->open &= ~((u64)1 << --c->depth);
    } else if (strncmp(p, "if", 2) == 0 && c->depth < 63) {
        const int is_guard =
            sscanf(line, "# ifndef %127s # define %127s", macro, guard) == 2 &&
            strcmp(macro, guard) == 0;
        c->open |= (u64)!is_guard << c->depth++;
    }
}

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static int is_same(const char *word, size_t length, const char *other) {
    return strlen(other) == length && strncmp(word, other, length) == 0;
}

static int is_clear(const char *text, const char *name, size_t length, int least);

/* Whether each type that a definition names is clear itself. */
static int members_are_clear(const char *text, const char *p, const opencl_item *it) {
    while (p < it->end) {
        const char *word = p;
        if (*p == '#')
            return 0;
        p = opencl_skip_blank(p);
        if (p != word)
            continue;
        while (is_word(*p))
            p++;
        const size_t length = (size_t)(p - word);
        p += length == 0;
        if (length < 4 || !is_word(p[strspn(p, " \n")]) ||
            is_same(word, length, "typedef") || is_same(word, length, "struct") ||
            (length == it->length && strncmp(word, it->name, length) == 0))
            continue;
        if (!is_clear(text, word, length, 0))
            return 0;
    }
    return 1;
}

/* Whether a type is defined at least so often, at most once, and under no condition. */
static int is_clear(const char *text, const char *name, size_t length, int least) {
    const opencl_text nothing = {0};
    conditions c = {0};
    int found = 0, clear = 1;
    for (const char *p = text; *p;) {
        const char *begin = p;
        if (*p == '#')
            read_line(&c, p);
        p = opencl_skip_blank(p);
        if (p != begin)
            continue;
        const opencl_item it = opencl_read_item(p, &nothing);
        if (it.length == length && strncmp(it.name, name, length) == 0) {
            found++;
            clear &= c.open == 0 && members_are_clear(text, p, &it);
        }
        p = it.end;
    }
    return found >= least && found <= 1 && clear;
}

struct opencl_struct {
    const weft_source *source;
    const char *name;
};

void opencl_add_struct(opencl_text *text, const weft_source *source, const char *name) {
    const size_t size = (text->struct_count + 1) * sizeof *text->structs;
    struct opencl_struct *structs = text->failed ? NULL : realloc(text->structs, size);
    if (!structs) {
        text->failed = 1;
        return;
    }
    structs[text->struct_count++] = (struct opencl_struct){source, name};
    text->structs = structs;
}

const char *opencl_doubtful_struct(const opencl_text *text) {
    for (size_t k = 0; k < text->struct_count; k++) {
        const struct opencl_struct *s = &text->structs[k];
        if (!is_clear(s->source->text, s->name, strlen(s->name), 1))
            return s->name;
    }
    return NULL;
}
