/* The machinery behind register.h: from a list of parameters it makes an argument struct, a
 * table and a host loop. */
#ifndef WEFT_REGISTER_MACROS_H
#define WEFT_REGISTER_MACROS_H

#include "register_clones.h"
#include "register_loops.h"
#include "register_map.h"
#include "register_parameters.h"

#define WEFT_KERNEL(NAME, ...)                                                             \
    WEFT_CHECKED(NAME, __VA_ARGS__)                                                        \
    WEFT_DECLARED(NAME, void, WEFT_SOUND(void, __VA_ARGS__),                               \
                  (int64_t WEFT_MAP(WEFT_COMMA_TYPE, __VA_ARGS__)),                        \
                  "index_t" WEFT_MAP(WEFT_COMMA_WORDS, __VA_ARGS__))                       \
    WEFT_ARGUMENTS(NAME, __VA_ARGS__)                                                      \
    WEFT_HOST_LOOP(NAME##_loop,                                                            \
                   (void *const *weft_given, int64_t weft_begin, int64_t weft_end),        \
                   (weft_given, weft_begin, weft_end)) {                                   \
        WEFT_MAP(WEFT_LOCAL, __VA_ARGS__)                                                  \
        WEFT_INDEPENDENT                                                                   \
        for (int64_t weft_i = weft_begin; weft_i < weft_end; weft_i++)                     \
            WEFT_CALL(NAME)(weft_i WEFT_MAP(WEFT_COMMA, __VA_ARGS__));                     \
    }                                                                                      \
    static const weft_kernel NAME##_kernel = {WEFT_FUNCTION(NAME), NAME##_loop};

/* With parameters, or without any. */
#define WEFT_GENERATOR(NAME, ...)                                                          \
    WEFT_GENERATOR_THAT(WEFT_TAKES(__VA_ARGS__, ~, ~), NAME, __VA_ARGS__)
#define WEFT_GENERATOR_THAT(TAKES, NAME, ...)                                              \
    WEFT_PASTE(WEFT_GENERATOR_TAKES_, TAKES)(NAME, __VA_ARGS__)
#define WEFT_TAKES(T, FIRST, ...) WEFT_TAKES_OF(WEFT_TAKES_IS FIRST, NOTHING, ~)
#define WEFT_TAKES_IS(...) ~, SOME
#define WEFT_TAKES_OF(...) WEFT_SECOND(__VA_ARGS__)

#define WEFT_GENERATOR_TAKES_NOTHING(NAME, T)                                              \
    WEFT_DECLARED(NAME, T, WEFT_IS_TYPE(T), (int64_t), "index_t")                          \
    extern const weft_source weft_source_##NAME;                                           \
    struct NAME##_arguments {                                                              \
        char none;                                                                         \
    };                                                                                     \
    static void NAME##_least(int64_t n, int64_t *least) {                                  \
        (void)n, (void)least;                                                              \
    }                                                                                      \
    WEFT_HOST_LOOP(                                                                        \
        NAME##_fill,                                                                       \
        (void *const *weft_given, int64_t weft_begin, int64_t weft_end, void *weft_out),   \
        (weft_given, weft_begin, weft_end, weft_out)) {                                    \
        (void)weft_given;                                                                  \
        WEFT_INDEPENDENT                                                                   \
        for (int64_t weft_i = weft_begin; weft_i < weft_end; weft_i++)                     \
            ((T *)weft_out)[weft_i - weft_begin] = WEFT_CALL(NAME)(weft_i);                \
    }                                                                                      \
    static const weft_generator NAME##_generator = {                                       \
        {#NAME, &weft_source_##NAME, NULL, 0, NAME##_least, NULL, NULL},                   \
        #T,                                                                                \
        WEFT_TYPE(T),                                                                      \
        NAME##_fill};

#define WEFT_GENERATOR_TAKES_SOME(NAME, T, ...)                                            \
    WEFT_CHECKED(NAME, __VA_ARGS__)                                                        \
    WEFT_MAP_WITH(WEFT_READS, NAME, __VA_ARGS__)                                           \
    WEFT_DECLARED(NAME, T, WEFT_SOUND(T, __VA_ARGS__),                                     \
                  (int64_t WEFT_MAP(WEFT_COMMA_TYPE, __VA_ARGS__)),                        \
                  "index_t" WEFT_MAP(WEFT_COMMA_WORDS, __VA_ARGS__))                       \
    WEFT_ARGUMENTS(NAME, __VA_ARGS__)                                                      \
    WEFT_HOST_LOOP(                                                                        \
        NAME##_fill,                                                                       \
        (void *const *weft_given, int64_t weft_begin, int64_t weft_end, void *weft_out),   \
        (weft_given, weft_begin, weft_end, weft_out)) {                                    \
        WEFT_MAP(WEFT_LOCAL, __VA_ARGS__)                                                  \
        WEFT_INDEPENDENT                                                                   \
        for (int64_t weft_i = weft_begin; weft_i < weft_end; weft_i++)                     \
            ((T *)weft_out)[weft_i - weft_begin] =                                         \
                WEFT_CALL(NAME)(weft_i WEFT_MAP(WEFT_COMMA, __VA_ARGS__));                 \
    }                                                                                      \
    static const weft_generator NAME##_generator = {WEFT_FUNCTION(NAME), #T, WEFT_TYPE(T), \
                                                    NAME##_fill};

#define WEFT_OPERATOR(NAME, T, ...)                                                        \
    _Static_assert(sizeof(#__VA_ARGS__) > 1, #NAME ": the identity is missing");           \
    WEFT_DECLARED(NAME, T, WEFT_IS_TYPE(T), (T, T), #T ", " #T)                            \
    extern const weft_source weft_source_##NAME;                                           \
    static const T NAME##_identity = __VA_ARGS__;                                          \
    static inline void NAME##_combine_step(const void *a, const void *b, void *out) {      \
        *(T *)out = NAME(*(const T *)a, *(const T *)b);                                    \
    }                                                                                      \
    static inline void NAME##_scan_step(const void *in, const uint32_t *head,              \
                                        int exclusive, void *out, void *sum) {             \
        const T before = head && *head ? NAME##_identity : *(const T *)sum;                \
        const T after = NAME(before, *(const T *)in);                                      \
        *(T *)sum = after;                                                                 \
        *(T *)out = exclusive ? before : after;                                            \
    }                                                                                      \
    WEFT_CLONES static void NAME##_combine(const void *a, const void *b, void *out,        \
                                           int64_t n) {                                    \
        weft_combine_loop(NAME##_combine_step, sizeof(T), a, sizeof(T), b, out, n);        \
    }                                                                                      \
    WEFT_CLONES static void NAME##_scan(const void *in, const uint32_t *heads,             \
                                        int exclusive, void *out, int64_t n, void *sums) { \
        T sum[WEFT_ROWS + 1];                                                              \
        for (int64_t r = 0; r <= WEFT_ROWS; r++)                                           \
            sum[r] = NAME##_identity;                                                      \
        weft_scan_loop(NAME##_scan_step, sizeof(T), in, heads, exclusive, out, n, sum);    \
        memcpy(sums, sum, sizeof sum);                                                     \
    }                                                                                      \
    WEFT_CLONES static void NAME##_lead(const void *prefix, const void *in, void *out,     \
                                        int64_t n) {                                       \
        const T first = *(const T *)prefix;                                                \
        weft_combine_loop(NAME##_combine_step, sizeof(T), &first, 0, in, out, n);          \
    }                                                                                      \
    static const weft_operator NAME##_operator = {                                         \
        #NAME,          #T,          &weft_source_##NAME, WEFT_TYPE(T), &NAME##_identity,  \
        NAME##_combine, NAME##_scan, NAME##_lead};

#define WEFT_PAIRS(NAME, A, INITIAL, ...)                                                  \
    WEFT_CHECKED(NAME, __VA_ARGS__)                                                        \
    WEFT_MAP_WITH(WEFT_READS, NAME, __VA_ARGS__)                                           \
    WEFT_DECLARED(                                                                         \
        NAME, A, WEFT_SOUND(A, __VA_ARGS__),                                               \
        (A, WEFT_FIRST_TYPE(__VA_ARGS__),                                                  \
         WEFT_FIRST_TYPE(__VA_ARGS__) WEFT_MAP_REST(WEFT_COMMA_TYPE, __VA_ARGS__)),        \
        #A ", " WEFT_WORD(WEFT_FIRST_TYPE(__VA_ARGS__)) ", " WEFT_WORD(                    \
            WEFT_FIRST_TYPE(__VA_ARGS__)) WEFT_MAP_REST(WEFT_COMMA_WORDS, __VA_ARGS__))    \
    WEFT_ARGUMENTS(NAME, __VA_ARGS__)                                                      \
    static const A NAME##_initial = INITIAL;                                               \
    WEFT_HOST_LOOP(NAME##_fold,                                                            \
                   (void *const *weft_given, int64_t weft_begin, int64_t weft_end,         \
                    int64_t weft_first, int64_t weft_last, void *weft_out),                \
                   (weft_given, weft_begin, weft_end, weft_first, weft_last, weft_out)) {  \
        const WEFT_FIRST_TYPE(__VA_ARGS__) *weft_elements =                                \
            (const WEFT_FIRST_TYPE(__VA_ARGS__) *)*weft_given++;                           \
        WEFT_MAP_REST(WEFT_LOCAL, __VA_ARGS__)                                             \
        for (int64_t weft_i = weft_begin; weft_i < weft_end; weft_i++)                     \
            ((A *)weft_out)[weft_i - weft_begin] = NAME##_initial;                         \
        for (int64_t weft_j = weft_first; weft_j < weft_last; weft_j++) {                  \
            WEFT_INDEPENDENT                                                               \
            for (int64_t weft_i = weft_begin; weft_i < weft_end; weft_i++)                 \
                ((A *)weft_out)[weft_i - weft_begin] = WEFT_CALL(NAME)(                    \
                    ((A *)weft_out)[weft_i - weft_begin], weft_elements[weft_i],           \
                    weft_elements[weft_j] WEFT_MAP_REST(WEFT_COMMA, __VA_ARGS__));         \
        }                                                                                  \
    }                                                                                      \
    static const weft_pairs_function NAME##_pairs = {                                      \
        WEFT_FUNCTION(NAME), #A, WEFT_TYPE(A), &NAME##_initial, NAME##_fold};

/* That the function is declared as it is registered: TYPES are those of its parameters, and
 * what follows says them in words. Each mistake is one error: what is not SOUND has its
 * own. (A constant has the condition, which clang would show before the sentence.) */
#define WEFT_DECLARED(NAME, R, SOUND, TYPES, ...)                                          \
    typedef R NAME##_registered TYPES;                                                     \
    _Static_assert(WEFT_IS_TYPE(R), #NAME ": its result is of type " #R WEFT_TYPES_ARE);   \
    enum {                                                                                 \
        NAME##_agrees = !SOUND || _Generic(&NAME, NAME##_registered * : 1, default : 0)    \
    };                                                                                     \
    _Static_assert(NAME##_agrees,                                                          \
                   #NAME " is declared otherwise than it is registered: " #R " " #NAME     \
                         "(" __VA_ARGS__ ")");
#define WEFT_CALL(NAME)                                                                    \
    _Generic(&NAME, NAME##_registered * : NAME, default : (NAME##_registered *)0)

/* What kernels, generators and pairs have in common. */
#define WEFT_ARGUMENTS(NAME, ...)                                                          \
    extern const weft_source weft_source_##NAME;                                           \
    struct NAME##_arguments {                                                              \
        WEFT_MAP(WEFT_MEMBER, __VA_ARGS__)                                                 \
    };                                                                                     \
    static void NAME##_least(int64_t n, int64_t *least) {                                  \
        (void)n;                                                                           \
        WEFT_MAP(WEFT_LEAST, __VA_ARGS__)                                                  \
    }                                                                                      \
    typedef struct NAME##_arguments NAME##_arguments_type;                                 \
    static const weft_parameter NAME##_parameters[] = {                                    \
        WEFT_MAP_WITH(WEFT_TABLE, NAME##_arguments_type, __VA_ARGS__)};

/* T is the struct of a kernel file, T_arrays that of its arrays; T_given makes the first
 * from what a host loop is given. */
#define WEFT_BUNDLE(T, ...)                                                                \
    typedef struct T##_arrays {                                                            \
        WEFT_MAP(WEFT_MEMBER, __VA_ARGS__)                                                 \
    } T##_arrays;                                                                          \
    struct T##_registered {                                                                \
        WEFT_MAP(WEFT_FIELD, __VA_ARGS__)                                                  \
    };                                                                                     \
    WEFT_CHECKED(T, __VA_ARGS__)                                                           \
    WEFT_MAP_WITH(WEFT_FIELD_DECLARED, T, __VA_ARGS__)                                     \
    enum {                                                                                 \
        T##_agrees =                                                                       \
            !WEFT_SOUND(T, __VA_ARGS__) || sizeof(T) == sizeof(struct T##_registered)      \
    };                                                                                     \
    _Static_assert(T##_agrees, #T                                                          \
                   " is declared otherwise than it is registered: it has other members");  \
    static inline T T##_given(void *const **weft_rest) {                                   \
        void *const *weft_given = *weft_rest;                                              \
        WEFT_MAP(WEFT_LOCAL, __VA_ARGS__)                                                  \
        *weft_rest = weft_given;                                                           \
        return (T){WEFT_MAP_WITH(WEFT_FIELD_VALUE, T, __VA_ARGS__)};                       \
    }                                                                                      \
    static inline void T##_least(int64_t n, int64_t *least) {                              \
        (void)n;                                                                           \
        WEFT_MAP(WEFT_LEAST, __VA_ARGS__)                                                  \
    }                                                                                      \
    static const weft_parameter T##_fields[] = {                                           \
        WEFT_MAP_WITH(WEFT_TABLE, T##_arrays, __VA_ARGS__)};                               \
    static const weft_bundle T##_bundle = {                                                \
        T##_fields, (int32_t)(sizeof T##_fields / sizeof *T##_fields), T##_least};

#define WEFT_FUNCTION(NAME)                                                                \
    {                                                                                      \
#NAME, &weft_source_##NAME, NAME##_parameters,                                     \
            (int32_t)(sizeof NAME##_parameters / sizeof *NAME##_parameters), NAME##_least, \
            NULL, NULL                                                                     \
    }

#endif
