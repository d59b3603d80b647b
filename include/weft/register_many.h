/* One registration for functions of several types, NAME_u32, NAME_u64 ..., that a loop in
 * the kernel file makes (see docs/guide.md):
 *
 *   #pragma weft for T in f32 f64
 *   static inline void scale_T(index_t i, T a, GLOBAL T *x) { x[i] *= a; }
 *   #pragma weft end
 *
 *   WEFT_KERNELS(scale, (f32, f64), (value, T, a), (inout, T, x))
 *
 * registers scale_f32 and scale_f64, and makes scale_kernels[], the addresses of both, for
 * weft_launch. WEFT_GENERATORS(NAME, (types), R, ...) and WEFT_OPERATORS(NAME, (types),
 * identity) do the same; R may be T. There are 1 to 10 types. */
#ifndef WEFT_REGISTER_MANY_H
#define WEFT_REGISTER_MANY_H

#if defined(__GNUC__)
#define WEFT_TABLE_OF_TYPES static const __attribute__((unused))
#else
#define WEFT_TABLE_OF_TYPES static const
#endif

#define WEFT_KERNELS(NAME, TYPES, ...)                                                     \
    WEFT_EACH(WEFT_KERNEL_FOR, TYPES, NAME, __VA_ARGS__)                                   \
    WEFT_TABLE_OF_TYPES weft_kernel *const NAME##_kernels[] = {                            \
        WEFT_EACH(WEFT_KERNEL_OF, TYPES, NAME)};

#define WEFT_GENERATORS(NAME, TYPES, R, ...)                                               \
    WEFT_EACH(WEFT_GENERATOR_FOR, TYPES, NAME, R, __VA_ARGS__)                             \
    WEFT_TABLE_OF_TYPES weft_generator *const NAME##_generators[] = {                      \
        WEFT_EACH(WEFT_GENERATOR_OF, TYPES, NAME)};

#define WEFT_OPERATORS(NAME, TYPES, ...)                                                   \
    WEFT_EACH(WEFT_OPERATOR_FOR, TYPES, NAME, __VA_ARGS__)                                 \
    WEFT_TABLE_OF_TYPES weft_operator *const NAME##_operators[] = {                        \
        WEFT_EACH(WEFT_OPERATOR_OF, TYPES, NAME)};

/* What each type X makes of (NAME, ...). */
#define WEFT_KERNEL_FOR(X, NAME, ...)                                                      \
    WEFT_CALLED(WEFT_KERNEL, NAME##_##X WEFT_MAP_WITH(WEFT_FOR_TYPE, X, __VA_ARGS__))
#define WEFT_GENERATOR_FOR(X, NAME, R, ...)                                                \
    WEFT_CALLED(WEFT_GENERATOR, NAME##_##X,                                                \
                WEFT_T_IS(X, R) WEFT_MAP_WITH(WEFT_FOR_TYPE, X, __VA_ARGS__))
#define WEFT_OPERATOR_FOR(X, NAME, ...) WEFT_OPERATOR(NAME##_##X, X, __VA_ARGS__)
#define WEFT_KERNEL_OF(X, NAME) &NAME##_##X##_kernel,
#define WEFT_GENERATOR_OF(X, NAME) &NAME##_##X##_generator,
#define WEFT_OPERATOR_OF(X, NAME) &NAME##_##X##_operator,
#define WEFT_CALLED(M, ...) M(__VA_ARGS__)

/* A parameter, in which X stands for the type T. */
#define WEFT_FOR_TYPE(X, P) , (WEFT_FOR_TYPE_OF(X, WEFT_STRIP P))
#define WEFT_FOR_TYPE_OF(...) WEFT_FOR_TYPE_AS(__VA_ARGS__)
#define WEFT_FOR_TYPE_AS(X, ROLE, TYPE, ...) ROLE, WEFT_T_IS(X, TYPE), __VA_ARGS__
#define WEFT_T_IS(X, TYPE) WEFT_T_OR(WEFT_T_IS_##TYPE(X), TYPE, ~)
#define WEFT_T_IS_T(X) ~, X
#define WEFT_T_OR(...) WEFT_SECOND(__VA_ARGS__)

/* M(type, ...) for each type of a list in parentheses. */
#define WEFT_EACH(M, TYPES, ...)                                                           \
    WEFT_EACH_TYPE(WEFT_EACH_PASTE(WEFT_EACH_, WEFT_COUNT TYPES), M, (__VA_ARGS__),        \
                   WEFT_STRIP TYPES)
#define WEFT_EACH_TYPE(EACH, ...) EACH(__VA_ARGS__)
#define WEFT_EACH_PASTE(a, b) WEFT_EACH_PASTED(a, b)
#define WEFT_EACH_PASTED(a, b) a##b
#define WEFT_EACH_CALL(M, X, REST) WEFT_EACH_CALLED(M, X, WEFT_STRIP REST)
#define WEFT_EACH_CALLED(M, ...) M(__VA_ARGS__)
#define WEFT_EACH_1(M, R, X) WEFT_EACH_CALL(M, X, R)
#define WEFT_EACH_2(M, R, X, ...) WEFT_EACH_CALL(M, X, R) WEFT_EACH_1(M, R, __VA_ARGS__)
#define WEFT_EACH_3(M, R, X, ...) WEFT_EACH_CALL(M, X, R) WEFT_EACH_2(M, R, __VA_ARGS__)
#define WEFT_EACH_4(M, R, X, ...) WEFT_EACH_CALL(M, X, R) WEFT_EACH_3(M, R, __VA_ARGS__)
#define WEFT_EACH_5(M, R, X, ...) WEFT_EACH_CALL(M, X, R) WEFT_EACH_4(M, R, __VA_ARGS__)
#define WEFT_EACH_6(M, R, X, ...) WEFT_EACH_CALL(M, X, R) WEFT_EACH_5(M, R, __VA_ARGS__)
#define WEFT_EACH_7(M, R, X, ...) WEFT_EACH_CALL(M, X, R) WEFT_EACH_6(M, R, __VA_ARGS__)
#define WEFT_EACH_8(M, R, X, ...) WEFT_EACH_CALL(M, X, R) WEFT_EACH_7(M, R, __VA_ARGS__)
#define WEFT_EACH_9(M, R, X, ...) WEFT_EACH_CALL(M, X, R) WEFT_EACH_8(M, R, __VA_ARGS__)
#define WEFT_EACH_10(M, R, X, ...) WEFT_EACH_CALL(M, X, R) WEFT_EACH_9(M, R, __VA_ARGS__)

#endif
