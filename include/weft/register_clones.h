/* Host loops are compiled for several generations of CPUs, chosen among at run time; all
 * that a loop calls is compiled with it. */
#ifndef WEFT_REGISTER_CLONES_H
#define WEFT_REGISTER_CLONES_H

#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) &&         \
    !defined(__SANITIZE_THREAD__) && !defined(__AVX512F__) && defined(__OPTIMIZE__)
#define WEFT_MANY_CPUS
#endif

#if defined(WEFT_MANY_CPUS) && !defined(__clang__) && __GNUC__ >= 12
#define WEFT_CLONES                                                                        \
    __attribute__((flatten, target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#elif defined(__GNUC__)
#define WEFT_CLONES __attribute__((flatten))
#else
#define WEFT_CLONES
#endif

/* A function without a result, whose body follows. The clones of clang 14 choose by what a
 * CPU is not, so there the function itself chooses; AVX-512 was no faster. */
#if defined(WEFT_MANY_CPUS) && defined(__clang__)
#define WEFT_HOST_LOOP(NAME, PARAMETERS, ARGUMENTS)                                        \
    __attribute__((flatten, always_inline)) static inline void NAME##_body PARAMETERS;     \
    __attribute__((flatten, target("arch=x86-64-v3"))) static void NAME##_v3 PARAMETERS {  \
        NAME##_body ARGUMENTS;                                                             \
    }                                                                                      \
    static void NAME PARAMETERS {                                                          \
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&             \
            __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))               \
            NAME##_v3 ARGUMENTS;                                                           \
        else                                                                               \
            NAME##_body ARGUMENTS;                                                         \
    }                                                                                      \
    static inline void NAME##_body PARAMETERS
#else
#define WEFT_HOST_LOOP(NAME, PARAMETERS, ARGUMENTS) WEFT_CLONES static void NAME PARAMETERS
#endif

#endif
