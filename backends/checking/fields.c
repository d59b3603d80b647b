/* The numbers that a struct is made of, from its definition in a kernel file's text. */
#include "fields.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    weft_type type;
} numbers[] = {{"i8", WEFT_I8},     {"u8", WEFT_U8},   {"i16", WEFT_I16},
               {"u16", WEFT_U16},   {"i32", WEFT_I32}, {"u32", WEFT_U32},
               {"i64", WEFT_I64},   {"u64", WEFT_U64}, {"f32", WEFT_F32},
               {"f64", WEFT_F64},   {"int", WEFT_I32}, {"float", WEFT_F32},
               {"double", WEFT_F64}};

/* A word, a sign, or nothing at the end; comments and lines of the preprocessor are none.
 */
typedef struct token {
    const char *at;
    size_t length;
} token;

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static token next_token(const char *p) {
    for (;;) {
        const char *begin = p;
        p += strspn(p, " \t\r\n");
        if (p[0] == '#' || (p[0] == '/' && p[1] == '/'))
            p += strcspn(p, "\n");
        else if (p[0] == '/' && p[1] == '*')
            p = strstr(p, "*/") ? strstr(p, "*/") + 2 : p + strlen(p);
        if (p == begin)
            break;
    }
    token t = {p, *p != '\0'};
    while (is_word(*p) && is_word(p[t.length]))
        t.length++;
    return t;
}

static token after(token t) {
    return next_token(t.at + t.length);
}

static int is(token t, const char *word) {
    return t.length == strlen(word) && strncmp(t.at, word, t.length) == 0;
}

/* The token behind the { of `struct ... { ... } name;`, or of `struct name {`. */
static token members_of(const char *text, token name) {
    for (token t = next_token(text); t.length; t = after(t)) {
        token open = after(t);
        const int tagged = !is(open, "{");
        const token tag = open;
        open = tagged ? after(open) : open;
        if (!is(t, "struct") || !is(open, "{"))
            continue;
        if (tagged && tag.length == name.length &&
            strncmp(tag.at, name.at, name.length) == 0)
            return after(open);
        token end = open;
        for (int depth = 0; end.length; end = after(end)) {
            depth += is(end, "{") - is(end, "}");
            if (depth == 0)
                break;
        }
        end = after(end);
        if (end.length == name.length && strncmp(end.at, name.at, name.length) == 0)
            return after(open);
    }
    return (token){"", 0};
}

static int append(checking_fields *f, weft_type type, i64 times) {
    const size_t size = WEFT_SIZE(type);
    f->bytes = (f->bytes + size - 1) / size * size;
    f->alignment = size > f->alignment ? size : f->alignment;
    for (; times > 0; times--, f->bytes += size) {
        if (f->count == CHECKING_FIELDS)
            return 0;
        f->field[f->count++] = (checking_field){type, f->bytes};
    }
    return 1;
}

/* Appends one member of a type; 0: it is none of numbers. */
static int append_member(checking_fields *f, token type, i64 times) {
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (is(type, numbers[k].name))
            return append(f, numbers[k].type, times);
    return 0;
}

int checking_fields_of(const char *text, const char *name, weft_type type,
                       checking_fields *f) {
    *f = (checking_fields){.alignment = 1};
    if (type < WEFT_STRUCTS)
        return append(f, type, 1);
    token t = members_of(text, (token){name, strlen(name)});
    while (t.length && !is(t, "}")) {
        const token member_type = t;
        do {
            const token member = after(is(t, ",") ? t : member_type);
            i64 times = 1;
            for (t = after(member); is(t, "["); t = after(t)) {
                t = after(t);
                times *= strtol(t.at, NULL, 10);
                t = after(t);
                if (!is(t, "]"))
                    return 0;
            }
            if (times < 1 || !append_member(f, member_type, times))
                return 0;
        } while (is(t, ","));
        if (!is(t, ";"))
            return 0;
        t = after(t);
    }
    f->bytes = (f->bytes + f->alignment - 1) / f->alignment * f->alignment;
    return f->count > 0 && f->bytes == WEFT_SIZE(type);
}
