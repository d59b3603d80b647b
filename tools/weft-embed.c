/* weft-embed: turns a kernel file into C that carries its text, so that a program can hand
 * it to an OpenCL compiler. For each function of the file whose name begins with the file's
 * (x.kernel.h: x, x_...) it defines weft_source_FUNCTION, which registrations refer to. */
#include "dialect.h"
#include "expand.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
    "usage: weft-embed [-I DIR]... [-M DEPFILE] [--host FILE.kernels.h] [--text]\n"
    "                  FILE.kernel.h -o FILE.c\n"
    "Turns a kernel file into C that carries its text, with what it includes by \"...\"\n"
    "pasted in (looked for beside the including file, then in each DIR).\n"
    "With -M also writes what the result depends on, as a make rule.\n"
    "With --host also writes what C includes of a file with loops over types.\n"
    "With --text any file goes in as it is, as one weft_text_STEM.\n";

enum { MAX_DIRS = 64, MAX_FILES = 256 };

static const char *dirs[MAX_DIRS];
static char *pasted[MAX_FILES];
static int n_dirs, n_pasted;

void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("weft-embed: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static void *need(void *memory) {
    if (!memory)
        die("out of memory");
    return memory;
}

void append(text *t, const char *bytes, size_t length) {
    if (t->length + length + 1 > t->room) {
        t->room = 2 * (t->length + length + 1);
        t->bytes = need(realloc(t->bytes, t->room));
    }
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    t->bytes[t->length] = '\0';
}

void append_line(text *t, int line, const char *file) {
    char mark[32];
    append(t, mark, (size_t)snprintf(mark, sizeof mark, "#line %d \"", line));
    append(t, file, strlen(file));
    append(t, "\"\n", 2);
}

/* The whole file; bytes is NULL where it cannot be read. */
static text read_file(const char *name) {
    text t = {0};
    char block[65536];
    FILE *file = fopen(name, "rb");
    if (!file)
        return t;
    append(&t, "", 0);
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        append(&t, block, got);
    if (ferror(file))
        die("cannot read %s: %s", name, strerror(errno));
    fclose(file);
    if (t.length && t.bytes[t.length - 1] != '\n')
        append(&t, "\n", 1);
    return t;
}

static char *join(const char *dir, size_t dir_length, const char *name) {
    char *path = need(malloc(dir_length + strlen(name) + 2));
    memcpy(path, dir, dir_length);
    strcpy(path + dir_length, name);
    return path;
}

/* Where the file that `from` includes as `name` lies; its text goes to *t. */
static char *find(const char *from, const char *name, text *t) {
    const char *slash = strrchr(from, '/');
    char *path = join(from, slash ? (size_t)(slash - from) + 1 : 0, name);
    *t = read_file(path);
    for (int k = 0; k < n_dirs && !t->bytes; k++) {
        free(path);
        char *dir = join(dirs[k], strlen(dirs[k]), "/");
        path = join(dir, strlen(dir), name);
        free(dir);
        *t = read_file(path);
    }
    return path;
}

/* The name in an #include "name" line, cut out of `line`; NULL where it is none. */
static char *included(char *line) {
    while (isblank((unsigned char)*line))
        line++;
    if (*line++ != '#')
        return NULL;
    while (isblank((unsigned char)*line))
        line++;
    if (strncmp(line, "include", 7) != 0)
        return NULL;
    line += 7 + strspn(line + 7, " \t");
    char *end = *line == '"'   ? strchr(line + 1, '"')
                : *line == '<' ? strchr(line + 1, '>')
                               : NULL;
    if (!end)
        return NULL;
    *end = '\0';
    return line;
}

static char *stem_of(const char *file) {
    const char *slash = strrchr(file, '/');
    char *stem = need(strdup(slash ? slash + 1 : file));
    stem[strcspn(stem, ".")] = '\0';
    for (char *c = stem; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    return stem;
}

/* Says in one sentence what an OpenCL compiler would, and what to write instead. */
static void refuse_mistakes(const char *file, const char *bytes) {
    char sentence[512];
    char *stem = stem_of(file);
    const int line = dialect_mistake(bytes, stem, sentence, sizeof sentence);
    if (line)
        die("%s:%d: %s", file, line, sentence);
    free(stem);
}

/* On the host the dialect is included, elsewhere it stands before all. */
static void paste(text *out, const char *file, const text *in, int on_host) {
    if (n_pasted == MAX_FILES)
        die("%s: more than %d files are included", file, MAX_FILES);
    pasted[n_pasted++] = need(strdup(file));
    refuse_mistakes(file, in->bytes);
    append_line(out, 1, file);
    const text lines = expand(file, in->bytes);
    int number = 1;
    for (const char *line = lines.bytes; *line; number++) {
        const char *end = strchr(line, '\n') + 1;
        char *copy = need(strndup(line, (size_t)(end - line)));
        char *name = included(copy);
        if (!name) {
            append(out, line, (size_t)(end - line));
            if (sscanf(line, "#line %d", &number) == 1)
                number--;
        } else if (name[0] == '<' && strncmp(name, "<weft/", 6) != 0) {
            die("%s:%d: a kernel file cannot include %s>", file, number, name);
        } else if (name[0] == '"') {
            text inner;
            char *path = find(file, name + 1, &inner);
            if (!inner.bytes)
                die("%s:%d: %s is not found", file, number, name + 1);
            int seen = 0;
            for (int k = 0; k < n_pasted; k++)
                seen |= strcmp(pasted[k], path) == 0;
            if (!seen)
                paste(out, path, &inner, on_host);
            append_line(out, number + 1, file);
            free(inner.bytes);
            free(path);
        } else if (on_host) {
            append(out, line, (size_t)(end - line));
        } else {
            append(out, "\n", 1);
        }
        free(copy);
        line = end;
    }
    free(lines.bytes);
}

/* Writes a definition for each function of the file whose name begins with `stem`. */
static int define_sources(FILE *out, const char *p, const char *stem) {
    const char *name = NULL, *candidate = NULL;
    size_t length = 0, candidate_length = 0;
    int braces = 0, parens = 0, line_begins = 1, count = 0, closed = 0;
    while (*p) {
        const char *next = dialect_skip(p, line_begins);
        if (next != p) {
            p = next;
            continue;
        }
        line_begins = *p == '\n' || (line_begins && isspace((unsigned char)*p));
        if (isalpha((unsigned char)*p) || *p == '_') {
            name = p;
            while (isalnum((unsigned char)*p) || *p == '_')
                p++;
            length = (size_t)(p - name);
            closed = 0;
            continue;
        }
        if (*p == '(' && parens++ == 0 && braces == 0) {
            candidate = name;
            candidate_length = length;
        } else if (*p == ')' && --parens == 0) {
            closed = 1;
        } else if (*p == '{') {
            const size_t s = strlen(stem);
            if (braces++ == 0 && closed && candidate && candidate_length >= s &&
                strncmp(candidate, stem, s) == 0 &&
                (candidate_length == s || candidate[s] == '_')) {
                const int n = (int)candidate_length;
                fprintf(
                    out,
                    "extern const weft_source weft_source_%.*s;\n"
                    "const weft_source weft_source_%.*s = {file, text, sizeof text - 1};\n",
                    n, candidate, n, candidate);
                count++;
            }
        } else if (*p == '}') {
            braces--;
            closed = 0;
        } else if (!isspace((unsigned char)*p)) {
            closed = 0;
        }
        p++;
    }
    return count;
}

static void write_text(FILE *out, const text *t) {
    fputs("static const char text[] = {", out);
    for (size_t k = 0; k < t->length; k++)
        fprintf(out, "%s%d,", k % 20 ? " " : "\n    ", t->bytes[k]);
    fputs(" 0};\n", out);
}

/* Closes a stream of memory, and writes what it holds: all, or no file is left. */
static void write_file(const char *name, FILE *memory, char **bytes, const size_t *length) {
    if (fclose(memory) != 0)
        die("out of memory");
    FILE *out = fopen(name, "w");
    if (!out)
        die("cannot write %s: %s", name, strerror(errno));
    const size_t written = fwrite(*bytes, 1, *length, out);
    free(*bytes);
    if (fclose(out) == 0 && written == *length)
        return;
    const int why = errno;
    struct stat status;
    if (stat(name, &status) == 0 && S_ISREG(status.st_mode))
        remove(name);
    die("cannot write %s: %s", name, strerror(why));
}

static void write_dependencies(const char *name, const char *output) {
    char *bytes;
    size_t length;
    FILE *out = need(open_memstream(&bytes, &length));
    fprintf(out, "%s:", output);
    for (int k = 0; k < n_pasted; k++)
        fprintf(out, " %s", pasted[k]);
    fputc('\n', out);
    for (int k = 1; k < n_pasted; k++) /* one that is gone is no reason to stop */
        fprintf(out, "%s:\n", pasted[k]);
    write_file(name, out, &bytes, &length);
}

/* The file with its loops written out. */
static void write_host(const char *name, const char *input, const text *in) {
    char *bytes;
    size_t length;
    FILE *out = need(open_memstream(&bytes, &length));
    text whole = {0};
    while (n_pasted > 0)
        free(pasted[--n_pasted]);
    paste(&whole, input, in, 1);
    fwrite(whole.bytes, 1, whole.length, out);
    free(whole.bytes);
    write_file(name, out, &bytes, &length);
}

static void define_text(FILE *out, const char *stem) {
    fprintf(out,
            "extern const weft_source weft_text_%s;\n"
            "const weft_source weft_text_%s = {file, text, sizeof text - 1};\n",
            stem, stem);
}

int main(int argc, char **argv) {
    const char *input = NULL, *output = NULL, *dependencies = NULL, *host = NULL;
    int as_it_is = 0;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--help") == 0)
            return fputs(usage, stdout) < 0;
        if (strncmp(argv[k], "-I", 2) == 0 && n_dirs < MAX_DIRS)
            dirs[n_dirs++] = argv[k][2] ? argv[k] + 2 : ++k < argc ? argv[k] : ".";
        else if (strcmp(argv[k], "-o") == 0 && k + 1 < argc)
            output = argv[++k];
        else if (strcmp(argv[k], "--text") == 0)
            as_it_is = 1;
        else if (strcmp(argv[k], "-M") == 0 && k + 1 < argc)
            dependencies = argv[++k];
        else if (strcmp(argv[k], "--host") == 0 && k + 1 < argc)
            host = argv[++k];
        else if (argv[k][0] != '-' && !input)
            input = argv[k];
        else
            return fputs(usage, stderr), 2;
    }
    if (!input || !output)
        return fputs(usage, stderr), 2;
    const text in = read_file(input);
    if (!in.bytes)
        die("cannot read %s: %s", input, strerror(errno));
    text whole = {0};
    const text lines = expand(input, as_it_is ? "" : in.bytes);
    if (as_it_is) {
        append_line(&whole, 1, input);
        append(&whole, in.bytes, in.length);
        pasted[n_pasted++] = need(strdup(input));
    } else {
        paste(&whole, input, &in, 0);
    }
    char *bytes;
    size_t length;
    FILE *out = need(open_memstream(&bytes, &length));
    fprintf(out, "#include <weft/descriptor.h>\nstatic const char file[] = \"%s\";\n",
            input);
    write_text(out, &whole);
    char *stem = stem_of(input);
    const int count = as_it_is ? 1 : define_sources(out, lines.bytes, stem);
    if (as_it_is)
        define_text(out, stem);
    if (count == 0)
        die("%s: no function's name begins with '%s'", input, stem);
    write_file(output, out, &bytes, &length);
    if (dependencies)
        write_dependencies(dependencies, output);
    if (host)
        write_host(host, input, &in);
    free(stem);
    free(lines.bytes);
    free(whole.bytes);
    free(in.bytes);
    return 0;
}
