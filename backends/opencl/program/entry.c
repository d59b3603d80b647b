/* The parts of a program that come from tables of parameters. Names that are made here
 * begin with weft_, so that they meet no name of a kernel file, and types get names of our
 * own before any parameter could hide theirs. */
#include "program.h"

#include <stdio.h>
#include <string.h>

extern const weft_source weft_text_kernel, weft_text_philox, weft_text_index,
    weft_text_order;

const char *opencl_unsigned(size_t size) {
    return size == 1 ? "u8" : size == 2 ? "u16" : size == 4 ? "u32" : "u64";
}

opencl_called opencl_calls(const weft_function *function) {
    const char *name = function->comparison ? function->comparison : function->name;
    return (opencl_called){function->source, name, function->compared};
}

/* A part of the dialect that kernel files ask for. */
static void append_if_used(opencl_text *text, const opencl_called *called, int count,
                           const char *word, const weft_source *part) {
    int used = 0;
    for (int k = 0; k < count; k++)
        used |= strstr(called[k].source->text, word) != NULL;
    if (used)
        opencl_append_bytes(text, part->text, part->length);
}

void opencl_begin_text(const opencl_state *state, opencl_text *text,
                       const opencl_called *called, int count) {
    if (!state->has_f64)
        opencl_append(text, "#undef cl_khr_fp64\n");
    if (state->path == OPENCL_WARPS)
        opencl_append(text, "#define WEFT_PTX\n");
    if (state->is_cpu)
        opencl_append(text, "#define SELDOM __attribute__((noinline))\n");
    opencl_append_bytes(text, weft_text_kernel.text, weft_text_kernel.length);
    append_if_used(text, called, count, "philox", &weft_text_philox);
    append_if_used(text, called, count, "weft_index", &weft_text_index);
    for (int k = 0; k < count; k++) {
        const weft_source *source = called[k].source;
        int seen = 0;
        for (int j = 0; j < k; j++)
            seen |= called[j].source->text == source->text;
        const size_t before = text->length;
        if (state->has_f64)
            opencl_append_bytes(text, source->text, source->length);
        else
            text->needs_f64 |=
                opencl_append_without_f64(text, source->text, called[k].name);
        text->length = seen ? before : text->length;
    }
    for (int k = 0; k < count; k++)
        if (called[k].compared && !text->needs_f64) {
            opencl_append(text, "#define ORDER_T %s\n#define ORDER_BEFORE %s\n",
                          called[k].compared, called[k].name);
            opencl_append_bytes(text, weft_text_order.text, weft_text_order.length);
        }
    opencl_append(text, "#line 1 \"weft\"\n");
}

void opencl_append_type(opencl_text *text, const char *name, const char *type_name,
                        weft_type type, const weft_source *source) {
    /* of numbers the dialect's word, whatever the program calls them (uint32_t) */
    static const char *const numbers[] = {"",    "i8",  "u8",  "i16", "u16", "i32",
                                          "u32", "i64", "u64", "f32", "f64"};
    type_name = type < WEFT_STRUCTS ? numbers[type >> 24] : type_name;
    if (type >= WEFT_STRUCTS)
        opencl_add_struct(text, source, type_name);
    opencl_append(
        text,
        "typedef %s %s;\n"
        "typedef char %s_has_another_size_on_the_host[sizeof(%s) == %zu ? 1 : -1];\n",
        type_name, name, name, name, WEFT_SIZE(type));
}

/* What an entry takes: the function's parameters, and of bundles the fields. */
static i32 fields_of(const weft_function *f,
                     const weft_parameter *fields[WEFT_MAX_PARAMETERS]) {
    i32 count = 0;
    for (const weft_parameter *p = f->parameters; p < f->parameters + f->count; p++) {
        for (i32 m = 0; p->bundle && m < p->bundle->count; m++)
            fields[count++] = &p->bundle->fields[m];
        if (!p->bundle)
            fields[count++] = p;
    }
    return count;
}

static void append_types(opencl_text *text, const char *prefix, const weft_function *f) {
    const weft_parameter *fields[WEFT_MAX_PARAMETERS];
    const i32 count = fields_of(f, fields);
    for (i32 k = 0; k < count; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s_type%d", prefix, (int)k);
        opencl_append_type(text, name, fields[k]->type_name, fields[k]->type, f->source);
    }
}

/* ", const PREFIX_type0 PREFIX0, __global PREFIX_type1 *PREFIX1, const long PREFIX_first1",
 * from field `from` on. */
static void append_parameters(opencl_text *text, const char *prefix, const weft_function *f,
                              i32 from) {
    const weft_parameter *fields[WEFT_MAX_PARAMETERS];
    const i32 count = fields_of(f, fields);
    for (i32 k = from; k < count; k++) {
        const weft_role role = fields[k]->role;
        const int n = (int)k;
        if (role == WEFT_VALUE)
            opencl_append(text, ", const %s_type%d %s%d", prefix, n, prefix, n);
        else
            opencl_append(text, ", __global %s%s_type%d *%s%d, const long %s_first%d",
                          weft_is_written(role) ? "" : "const ", prefix, n, prefix, n,
                          prefix, n);
    }
}

/* ", PREFIX0, PREFIX1, PREFIX_first1": the same again, to be handed on. */
static void append_names(opencl_text *text, const char *prefix, const weft_function *f,
                         i32 from) {
    const weft_parameter *fields[WEFT_MAX_PARAMETERS];
    const i32 count = fields_of(f, fields);
    for (i32 k = from; k < count; k++) {
        opencl_append(text, ", %s%d", prefix, (int)k);
        if (fields[k]->role != WEFT_VALUE)
            opencl_append(text, ", %s_first%d", prefix, (int)k);
    }
}

/* One argument, on a line that compilers call by its name: where a pointer lacks GLOBAL
 * they tell the line of the call, and not that of the function. */
static void append_value(opencl_text *text, const char *prefix, const weft_function *f,
                         const weft_parameter *bundle, const weft_parameter *field, i32 k) {
    opencl_append(text, "\n#line 1 \"%s%s%s of %s\"\n", bundle ? bundle->name : "",
                  bundle ? "." : "", field->name, f->name);
    if (bundle)
        opencl_append(text, ".%s = ", field->name);
    opencl_append(text, "%s%d", prefix, (int)k);
    if (field->role != WEFT_VALUE)
        opencl_append(text, " + %s_first%d", prefix, (int)k);
}

/* ", PREFIX0, PREFIX1 + PREFIX_first1, (T){.x = PREFIX2 + PREFIX_first2});": what the
 * function itself is called with. */
static void append_values(opencl_text *text, const char *prefix, const weft_function *f,
                          i32 from) {
    i32 field = from;
    for (const weft_parameter *p = f->parameters + from; p < f->parameters + f->count;
         p++) {
        opencl_append(text, ", ");
        if (p->bundle)
            opencl_append(text, "(%s){", p->type_name);
        for (i32 m = 0; p->bundle && m < p->bundle->count; m++) {
            if (m > 0)
                opencl_append(text, ", ");
            append_value(text, prefix, f, p, &p->bundle->fields[m], field++);
        }
        if (p->bundle)
            opencl_append(text, "}");
        else
            append_value(text, prefix, f, NULL, p, field++);
    }
    opencl_append(text, ");\n#line 1 \"weft\"\n");
}

void opencl_append_entry(opencl_text *text, const weft_function *f, i64 group) {
    append_types(text, "weft_p", f);
    opencl_append(text,
                  "__kernel __attribute__((reqd_work_group_size(%d, 1, 1)))\n"
                  "void weft_entry(const long weft_begin, const long weft_end",
                  (int)group);
    append_parameters(text, "weft_p", f, 0);
    opencl_append(text,
                  ")\n{\n"
                  "    const long weft_i = weft_begin + (long)get_global_id(0);\n"
                  "    if (weft_i < weft_end)\n"
                  "        %s((index_t)weft_i",
                  f->name);
    append_values(text, "weft_p", f, 0);
    opencl_append(text, "}\n");
}

void opencl_append_input(opencl_text *text, const char *name, const weft_input *in) {
    if (!in->generator) {
        opencl_append(text,
                      "#define %s_PARAMETERS , __global const %s_element *%s_array, "
                      "const long %s_first\n"
                      "#define %s_ARGUMENTS , %s_array, %s_first\n"
                      "static inline %s_element %s(const index_t weft_i %s_PARAMETERS)\n{\n"
                      "    return (%s_array + %s_first)[weft_i];\n}\n"
                      "#define %s_PREFETCH(i) weft_prefetch(%s_array + %s_first + (i))\n",
                      name, name, name, name, name, name, name, name, name, name, name,
                      name, name, name, name);
        return;
    }
    const weft_function *f = &in->generator->function;
    append_types(text, name, f);
    opencl_append(text, "#define %s_PARAMETERS , const long %s_first", name, name);
    append_parameters(text, name, f, 0);
    opencl_append(text, "\n#define %s_PREFETCH(i)\n#define %s_ARGUMENTS , %s_first", name,
                  name, name);
    append_names(text, name, f, 0);
    opencl_append(text,
                  "\nstatic inline %s_element %s(const index_t weft_i %s_PARAMETERS)\n{\n"
                  "    return %s((index_t)(%s_first + weft_i)",
                  name, name, name, f->name, name);
    append_values(text, name, f, 0);
    opencl_append(text, "}\n");
}

/* weft_element, the type, and weft_combine. */
static void append_operator(opencl_text *text, const weft_operator *op) {
    opencl_append_type(text, "weft_element", op->type_name, op->type, op->source);
    opencl_append(text,
                  "static inline weft_element weft_combine(const weft_element weft_a, "
                  "const weft_element weft_b)\n{\n    return %s(weft_a, weft_b);\n}\n",
                  op->name);
}

void opencl_begin_fold(const opencl_state *state, opencl_text *text, const weft_input *in,
                       const weft_input *heads, const weft_operator *op, i64 group) {
    opencl_called called[3] = {{op->source, op->name, NULL}};
    int count = 1;
    if (in->generator)
        called[count++] = opencl_calls(&in->generator->function);
    if (heads && heads->generator)
        called[count++] = opencl_calls(&heads->generator->function);
    opencl_begin_text(state, text, called, count);
    append_operator(text, op);
    opencl_append(text, "typedef weft_element weft_in_element;\n");
    opencl_append_input(text, "weft_in", in);
    if (heads) {
        opencl_append(text, "typedef u32 weft_heads_element;\n");
        opencl_append_input(text, "weft_heads", heads);
    }
    opencl_append(text, "#define GROUP %d\n", (int)group);
}

void opencl_append_pairs(opencl_text *text, const weft_pairs_function *pairs) {
    const weft_function *f = &pairs->function;
    append_types(text, "weft_p", f);
    opencl_append_type(text, "weft_element", pairs->type_name, pairs->type, f->source);
    opencl_append(text, "#define weft_p_PARAMETERS");
    append_parameters(text, "weft_p", f, 0);
    opencl_append(text, "\n#define weft_p_VALUES");
    append_names(text, "weft_p", f, 1);
    opencl_append(text,
                  "\nstatic inline weft_element weft_meet(const weft_element weft_sum, "
                  "const weft_p_type0 weft_i, const weft_p_type0 weft_j");
    append_parameters(text, "weft_p", f, 1);
    opencl_append(text, ")\n{\n    return %s(weft_sum, weft_i, weft_j", f->name);
    append_values(text, "weft_p", f, 1);
    opencl_append(text, "}\n");
}
