/* Words of C that OpenCL lacks or reads otherwise, and words of OpenCL that C lacks. */
#ifndef WEFT_TOOLS_DIALECT_WORDS_H
#define WEFT_TOOLS_DIALECT_WORDS_H

typedef struct dialect_words {
    const char *names; /* between spaces */
    const char *advice;
} dialect_words;

/* Anywhere. */
static const dialect_words dialect_refused[] = {
    {" size_t ssize_t ptrdiff_t intptr_t uintptr_t ",
     "is of another size on some devices: write u32, i64 or index_t"},
    {" char ", "has a sign on some machines alone: write i8 or u8"},
    {" bool _Bool ", "has no size that host and device agree on: write u32 or u8"},
    {" long ", "is of another size on some hosts: write i64 or u64"},
    {" int8_t ", "is no type of OpenCL: write i8"},
    {" uint8_t ", "is no type of OpenCL: write u8"},
    {" int16_t ", "is no type of OpenCL: write i16"},
    {" uint16_t ", "is no type of OpenCL: write u16"},
    {" int32_t ", "is no type of OpenCL: write i32"},
    {" uint32_t ", "is no type of OpenCL: write u32"},
    {" int64_t ", "is no type of OpenCL: write i64"},
    {" uint64_t ", "is no type of OpenCL: write u64"},
    {" UINT32_MAX ", "is no name of OpenCL: write 0xffffffffu"},
    {" UINT64_MAX ", "is no name of OpenCL: write (u64)-1"},
    {" INT32_MAX INT32_MIN INT64_MAX INT64_MIN UINT8_MAX INT8_MAX INT8_MIN UINT16_MAX "
     "INT16_MAX"
     " INT16_MIN ",
     "is no name of OpenCL: write the number"},
    {" __global __constant ", "is no word of C: write GLOBAL or CONSTANT"},
    {" kernel global local constant private half read_only write_only read_write"
     " __kernel __local __private __read_only __write_only"
     " image1d_t image1d_array_t image1d_buffer_t image2d_t image2d_array_t image3d_t"
     " sampler_t event_t ",
     "is a reserved word of OpenCL: choose another name"},
};

/* Followed by a number of components they are types of OpenCL. */
static const char dialect_vectors[] =
    " char uchar short ushort int uint long ulong float double half ";

/* Where they are called. */
static const dialect_words dialect_calls[] = {
    {" fminf fminl ", "is no function of OpenCL: write min"},
    {" fmaxf fmaxl ", "is no function of OpenCL: write max"},
    {" memcpy memmove memset memcmp ", "is no function of OpenCL: assign what is meant "
                                       "(f32_bits and bits_f32 give the bits of "
                                       "a float)"},
    {" malloc calloc realloc free abort exit assert rand qsort puts fprintf sprintf ",
     "is no function of OpenCL: leave it to the host"},
};

/* With an f or l behind them they are functions of C alone. */
static const char dialect_functions[] =
    " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2"
    " expm1 fabs fdim floor fma fmod frexp hypot ilogb ldexp lgamma log log10 log1p log2"
    " logb modf nan nextafter pow remainder remquo rint round sin sinh sqrt tan tanh tgamma"
    " trunc ";

/* Functions of OpenCL that take the types of kernels: nobody may define another. */
static const char dialect_builtins[] =
    " abs abs_diff acos acosh acospi add_sat all any as_float as_int as_uint asin asinh"
    " asinpi async_work_group_copy atan atan2 atan2pi atanh atanpi atom_add atom_cmpxchg"
    " atom_max atom_min atomic_add atomic_and atomic_cmpxchg atomic_dec atomic_inc"
    " atomic_max atomic_min atomic_or atomic_sub atomic_xchg atomic_xor barrier bitselect"
    " cbrt ceil clamp clz copysign cos cosh cospi cross degrees distance dot erf erfc exp"
    " exp10 exp2 expm1 fabs fast_distance fast_length fast_normalize fdim floor fma fmax"
    " fmin fmod fract frexp get_global_id get_global_offset get_global_size get_group_id"
    " get_local_id get_local_size get_num_groups get_work_dim hadd hypot ilogb isequal"
    " isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan"
    " isnormal isnotequal isordered isunordered ldexp length lgamma lgamma_r log log10"
    " log1p log2 logb mad mad24 mad_hi mad_sat max maxmag mem_fence min minmag mix modf"
    " mul24 mul_hi nan nextafter normalize popcount pow pown powr prefetch printf radians"
    " read_mem_fence remainder remquo rhadd rint rootn rotate round rsqrt select shuffle"
    " shuffle2 sign signbit sin sincos sinh sinpi smoothstep sqrt step sub_sat tan tanh"
    " tanpi tgamma trunc upsample wait_group_events write_mem_fence ";

#endif
