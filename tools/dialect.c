/* Finds what kernel files may not say: a walk over the words of a text. */
#include "dialect.h"
#include "dialect_circles.h"
#include "dialect_words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const char *dialect_skip(const char *p, int line_begins) {
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if ((p[0] == '/' && p[1] == '/') || (*p == '#' && line_begins)) {
        while (*p && *p != '\n')
            p += p[0] == '\\' && p[1] ? 2 : 1;
        return p;
    }
    if (*p == '"' || *p == '\'') {
        const char quote = *p++;
        while (*p && *p != quote)
            p += p[0] == '\\' && p[1] ? 2 : 1;
        return *p ? p + 1 : p;
    }
    return p;
}

static int is_among(const char *names, const char *name, size_t length) {
    for (const char *p = names; (p = strstr(p, " ")) != NULL; p++)
        if (strncmp(p + 1, name, length) == 0 && p[1 + length] == ' ')
            return 1;
    return 0;
}

static int is(const char *word, const char *name, size_t length) {
    return strlen(word) == length && strncmp(word, name, length) == 0;
}

/* Where the walk is. A declaration is what stands at file scope up to its ; or body. */
typedef struct walk {
    const char *text, *stem;
    int line, braces, parens;
    int conditions, excepted; /* depth of #if, and of one on __OPENCL_VERSION__, or 0 */
    int stored, is_function, is_other; /* static or const; has parameters; typedef, ... */
    int words, is_tag;                 /* of a declaration; struct, union or enum */
    const char *name;                  /* the last word */
    size_t length;
    const char *called; /* the function that a declaration names */
    size_t called_length;
    circles *circles;
    char *sentence;
    int size;
} walk;

static int say(walk *w, const char *name, size_t length, const char *advice) {
    snprintf(w->sentence, (size_t)w->size, "'%.*s' %s", (int)length, name, advice);
    return 1;
}

static int begins_with(const char *p, const char *word) {
    return strncmp(p, word, strlen(word)) == 0;
}

static void read_condition(walk *w, const char *p, const char *end) {
    p++;
    while (isblank((unsigned char)*p))
        p++;
    if (begins_with(p, "if")) {
        w->conditions++;
        for (const char *q = p; q < end && !w->excepted; q++)
            if (begins_with(q, "__OPENCL_VERSION__"))
                w->excepted = w->conditions;
    } else if (begins_with(p, "endif")) {
        if (w->excepted == w->conditions)
            w->excepted = 0;
        w->conditions--;
    }
}

static int is_vector(const char *name, size_t length) {
    size_t digits = length;
    while (digits > 0 && isdigit((unsigned char)name[digits - 1]))
        digits--;
    return is_among(" 2 3 4 8 16 ", name + digits, length - digits) &&
           is_among(dialect_vectors, name, digits);
}

static int is_called(const char *after) {
    while (isspace((unsigned char)*after))
        after++;
    return *after == '(';
}

static int refused_word(walk *w, const char *name, size_t length) {
    char advice[96];
    for (size_t k = 0; k < sizeof dialect_refused / sizeof *dialect_refused; k++)
        if (is_among(dialect_refused[k].names, name, length))
            return say(w, name, length, dialect_refused[k].advice);
    if (is_vector(name, length))
        return say(w, name, length, "is a type of OpenCL: choose another name");
    if (w->braces > 0 && is("static", name, length))
        return say(w, name, length,
                   "inside a function is not OpenCL's: a table at file scope is CONSTANT");
    if (!is_called(name + length))
        return 0;
    for (size_t k = 0; k < sizeof dialect_calls / sizeof *dialect_calls; k++)
        if (is_among(dialect_calls[k].names, name, length))
            return say(w, name, length, dialect_calls[k].advice);
    if ((name[length - 1] == 'f' || name[length - 1] == 'l') &&
        is_among(dialect_functions, name, length - 1)) {
        snprintf(advice, sizeof advice, "is no function of OpenCL: write %.*s, of f32 too",
                 (int)length - 1, name);
        return say(w, name, length, advice);
    }
    return 0;
}

static void end_declaration(walk *w) {
    w->stored = w->is_function = w->is_other = w->words = w->is_tag = 0;
}

static int word(walk *w, const char *name, size_t length) {
    w->name = name;
    w->length = length;
    if (w->braces == 0 && w->parens == 0) {
        w->stored |= is("static", name, length) || is("const", name, length);
        w->is_other |= is_among(" typedef inline CONSTANT extern ", name, length);
        w->is_tag |= is_among(" struct union enum ", name, length);
        w->words++;
    }
    if (w->braces > 0 && w->is_function && !w->excepted && w->called_length == length &&
        strncmp(w->called, name, length) == 0 && is_called(name + length))
        return say(w, name, length, "calls itself, which OpenCL has not: write a loop");
    if (w->braces > 0 && w->is_function && !w->excepted && w->called &&
        is_called(name + length))
        circles_note(w->circles, (circles_call){.caller = w->called,
                                                .caller_length = w->called_length,
                                                .callee = name,
                                                .callee_length = length,
                                                .line = w->line});
    return !w->excepted && refused_word(w, name, length);
}

static int sign(walk *w, char c) {
    const int outside = w->braces == 0 && w->parens == 0;
    if (outside && (c == '=' || c == '[' || c == ';') && w->stored && !w->is_function &&
        !w->is_other && !w->excepted && w->name)
        return say(w, w->name, w->length,
                   "lies at file scope: write CONSTANT in place of static const");
    if (outside && (c == '=' || c == '[' || c == ';') && w->words > 1 && !w->is_tag &&
        !w->is_function && !w->is_other && !w->excepted)
        return say(w, w->name, w->length,
                   "lies at file scope: write CONSTANT before a table; OpenCL has nothing "
                   "there that can change");
    if (outside && c == '(' && !w->is_function) {
        w->is_function = 1;
        w->called = w->name;
        w->called_length = w->length;
    }
    if (outside && c == '{' && w->is_function && w->called && !w->excepted &&
        is_among(dialect_builtins, w->called, w->called_length)) {
        snprintf(w->sentence, (size_t)w->size,
                 "'%.*s' is a function of OpenCL itself: name yours %s_%.*s%s",
                 (int)w->called_length, w->called, w->stem, (int)w->called_length,
                 w->called,
                 is(w->stem, w->called, w->called_length) ? ", or it and its file otherwise"
                                                          : "");
        return 1;
    }
    w->parens += (c == '(') - (c == ')');
    w->braces += (c == '{') - (c == '}');
    if (w->braces == 0 && w->parens == 0 && (c == ';' || (c == '}' && w->is_function)))
        end_declaration(w);
    return 0;
}

int dialect_mistake(const char *text, const char *stem, char *sentence, int size) {
    circles all = {.calls = 0};
    walk w = {.text = text,
              .stem = stem,
              .line = 1,
              .circles = &all,
              .sentence = sentence,
              .size = size};
    int line_begins = 1, found = 0;
    for (const char *p = text; *p && !found;) {
        const char *next = dialect_skip(p, line_begins);
        if (next != p) {
            if (*p == '#')
                read_condition(&w, p, next);
        } else if (isalpha((unsigned char)*p) || *p == '_') {
            while (isalnum((unsigned char)*next) || *next == '_')
                next++;
            found = word(&w, p, (size_t)(next - p));
        } else if (isdigit((unsigned char)*p)) {
            while (isalnum((unsigned char)*next) || *next == '.' || *next == '_')
                next++;
        } else {
            found = sign(&w, *next++);
        }
        line_begins = *p == '\n' || (line_begins && isspace((unsigned char)*p));
        for (; p < next && !found; p++)
            w.line += *p == '\n';
    }
    return found ? w.line : circles_find(&all, sentence, size);
}
