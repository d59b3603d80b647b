/* One line registers a plain C function, beside the code that uses it:
 *
 *   WEFT_KERNEL(saxpy, (value, f32, a), (in, f32, x), (inout, f32, y))
 *       static inline void saxpy(index_t i, f32 a, GLOBAL const f32 *x, GLOBAL f32 *y)
 *   WEFT_GENERATOR(square, f32, (in, f32, x))
 *       static inline f32 square(index_t i, GLOBAL const f32 *x)
 *   WEFT_OPERATOR(add, f32, 0.0f)                    the identity comes last
 *       static inline f32 add(f32 a, f32 b)
 *   WEFT_PAIRS(potential, f32, 0.0f, (in, body, p), (value, f32, eps2))
 *       static inline f32 potential(f32 sum, body pi, body pj, f32 eps2)
 *
 * Each parameter is (role, type, name) or (role, type, name, least). Roles are value, in,
 * optional, out, inout and shared (enum weft_role), and bundle, below. `least` is the least
 * length of the array, an expression of the launch's n alone: (in, u32, offset, n + 1), or
 * 0 for a table of any length; without it, n. The type is one word. There are 1 to 32
 * parameters. A function that is declared otherwise than it is registered, in the types,
 * the order or the number of its parameters or in its result, is an error of the compiler.
 * A generator may have no parameters but i, WEFT_GENERATOR(triangle, f32); then
 * weft_lazy(n, triangle, 0).
 *
 * Arrays that belong together are registered once and are one parameter after that:
 *
 *   typedef struct cells {                                     in the kernel file
 *       GLOBAL const u32 *start;
 *       f32 side;
 *       GLOBAL const f32 *weight;
 *   } cells;
 *   WEFT_BUNDLE(cells, (in, u32, start, n + 1), (value, f32, side),
 *               (optional, f32, weight))
 *   WEFT_KERNEL(visit, (bundle, cells, cells), (out, f32, y))
 *       static inline void visit(index_t i, cells cells, GLOBAL f32 *y)
 *
 * A launch gives it a struct cells_arrays of the same members, in which each array is a
 * weft_array; an error names the field (cells.start). A call takes at most 48 values and
 * arrays, those of its bundles counted, whether the function uses them or not. There are no
 * bundles in bundles.
 *
 * The function is in a kernel file that weft-embed turns into an object. Its name begins
 * with the file's. If the linker reports weft_source_NAME as undefined, the file was not
 * embedded or the name begins otherwise. */
#ifndef WEFT_REGISTER_H
#define WEFT_REGISTER_H

#include "descriptor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs a kernel for i = 0 .. n-1, in any order and in parallel:
 *   weft_for_each(device, n, saxpy, .a = 2.0f, .x = x, .y = y);
 * An array that is not named is missing, which is an error; a value that is not named is 0.
 * One array may be given to several parameters if each i touches only its own element.
 * Some backends return before the work is done.
 * Errors: WEFT_E_ARGUMENT (missing, read-only or lazy array, n < 0), WEFT_E_TYPE,
 * WEFT_E_SHAPE, each naming the parameter; WEFT_E_BUILD, WEFT_E_DEVICE. */
#define weft_for_each(device, n, name, ...)                                                \
    weft_launch((device), (n), &name##_kernel, &(struct name##_arguments){__VA_ARGS__})
WEFT_API weft_status weft_launch(weft_device *device, int64_t n, const weft_kernel *kernel,
                                 const void *arguments);

/* An array of n elements that a generator computes as they are read. Primitives accept it
 * as an input. It takes no memory, and lives until the end of the block in which it is
 * made; after that, calls that are given it mostly refuse it (WEFT_E_ARGUMENT). Without
 * generator or arguments (NULL) weft_lazy_array returns no array at all:
 *   weft_reduce(device, weft_lazy(n, square, .x = x), weft_plus(WEFT_F32), &sum); */
#define weft_lazy(n, name, ...)                                                            \
    weft_lazy_array((n), &name##_generator, &(struct name##_arguments){__VA_ARGS__})
WEFT_API weft_array weft_lazy_array(int64_t n, const weft_generator *generator,
                                    const void *arguments);

/* For every i of every segment, out[i] = the fold of f(acc, x[i], x[j]) over all j of the
 * same segment, including j = i, in ascending order, starting with the initial value.
 * For pair counts, densities and forces of your own; the finders here sum in parts, to
 * bound what rounding does, and have kernels of their own for that.
 *   offsets   [s + 1] i64   the start of each segment in x, ascending, and the end of x
 *   out       [n] A         must not overlap one of the arguments
 * Cost: sum of the squared lengths. Repeats: on one backend; bit for bit everywhere if the
 * function does not round.
 * Errors: as weft_for_each. */
#define weft_pairs(device, offsets, out, name, ...)                                        \
    weft_fold_pairs((device), (offsets), (out), &name##_pairs,                             \
                    &(struct name##_arguments){__VA_ARGS__})
WEFT_API weft_status weft_fold_pairs(weft_device *device, weft_array offsets,
                                     weft_array out, const weft_pairs_function *pairs,
                                     const void *arguments);

/* A registered operator, for primitives that take one. Its identity changes nothing that it
 * meets on either side, to the bit; a op (b op c) is (a op b) op c, and for reductions
 * a op b is b op a, floats up to rounding. `checking` tries that on the first elements of
 * each call (WEFT_E_CHECK), of numbers and of structs of up to 512 bytes whose definition
 * in the kernel file has numbers and arrays of them alone, member by member: integers by
 * their bits, floats up to 1e-4 (f32) or 1e-10 (f64) of the largest that was met. Elements
 * with a NaN, and other structs, are not tried. */
#define weft_op(name) (&name##_operator)

#ifdef __cplusplus
}
#endif

#include "register_macros.h"
#include "register_many.h"

#endif
