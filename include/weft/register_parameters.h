/* What the macros of register_macros.h make of one parameter, (role, T, name[, least]). */
#ifndef WEFT_REGISTER_PARAMETERS_H
#define WEFT_REGISTER_PARAMETERS_H

/* What a role is: the weft_role, what the parameter is like, and that it is one. A word
 * that is none passes for a value, after the sentence that says so. */
#define WEFT_ROLE_value ~, WEFT_VALUE, value, 1
#define WEFT_ROLE_bundle ~, WEFT_BUNDLED, bundle, 1
#define WEFT_ROLE_in ~, WEFT_IN, read, 1
#define WEFT_ROLE_optional ~, WEFT_OPTIONAL, read, 1
#define WEFT_ROLE_out ~, WEFT_OUT, written, 1
#define WEFT_ROLE_inout ~, WEFT_INOUT, written, 1
#define WEFT_ROLE_shared ~, WEFT_SHARED, written, 1
#define WEFT_ROLE(ROLE) WEFT_PICK_ROLE(WEFT_ROLE_##ROLE, WEFT_VALUE, ~)
#define WEFT_PICK_ROLE(...) WEFT_SECOND(__VA_ARGS__)
#define WEFT_LIKE(WHAT, ROLE) WEFT_PICK_LIKE(WHAT, WEFT_ROLE_##ROLE, ~, value, ~)
#define WEFT_PICK_LIKE(...) WEFT_PASTE_LIKE(__VA_ARGS__)
#define WEFT_PASTE_LIKE(WHAT, HEAD, ROLE, LIKE, ...) WHAT##LIKE
#define WEFT_IS_ROLE(ROLE) WEFT_PICK_KNOWN(WEFT_ROLE_##ROLE, ~, ~, 0, ~)
#define WEFT_PICK_KNOWN(...) WEFT_FOURTH(__VA_ARGS__)
#define WEFT_FOURTH(a, b, c, d, ...) d

/* A parameter as a member of the argument struct, a variable of the host loop ... */
#define WEFT_MEMBER(...) WEFT_MEMBER_OF(__VA_ARGS__, n, ~)
#define WEFT_MEMBER_OF(ROLE, T, NAME, ...) WEFT_LIKE(WEFT_MEMBER_, ROLE)(T, NAME)
#define WEFT_MEMBER_value(T, NAME) T NAME;
#define WEFT_MEMBER_bundle(T, NAME) T##_arrays NAME;
#define WEFT_MEMBER_read(T, NAME) weft_array NAME;
#define WEFT_MEMBER_written(T, NAME) weft_array NAME;

#define WEFT_LEAST(...) WEFT_LEAST_OF(__VA_ARGS__, n, ~)
#define WEFT_LEAST_OF(ROLE, T, NAME, LEAST, ...) *least++ = (LEAST);

#define WEFT_LOCAL(...) WEFT_LOCAL_OF(__VA_ARGS__, n, ~)
#define WEFT_LOCAL_OF(ROLE, T, NAME, ...) WEFT_LIKE(WEFT_LOCAL_, ROLE)(T, NAME)
#define WEFT_LOCAL_value(T, NAME) const T NAME = *(const T *)*weft_given++;
#define WEFT_LOCAL_bundle(T, NAME) const T NAME = T##_given(&weft_given);
#define WEFT_LOCAL_read(T, NAME) const T *NAME = (const T *)*weft_given++;
#define WEFT_LOCAL_written(T, NAME) T *NAME = (T *)*weft_given++;

#define WEFT_COMMA(...) WEFT_COMMA_OF(__VA_ARGS__, n, ~)
#define WEFT_COMMA_OF(ROLE, T, NAME, ...) , NAME

#define WEFT_COMMA_TYPE(...) WEFT_COMMA_TYPE_OF(__VA_ARGS__, n, ~)
#define WEFT_COMMA_TYPE_OF(ROLE, T, NAME, ...) , WEFT_LIKE(WEFT_TYPE_, ROLE)(T)
#define WEFT_TYPE_value(T) T
#define WEFT_TYPE_bundle(T) T
#define WEFT_TYPE_read(T) const T *
#define WEFT_TYPE_written(T) T *

#define WEFT_FIELD(...) WEFT_FIELD_OF(__VA_ARGS__, n, ~)
#define WEFT_FIELD_OF(ROLE, T, NAME, ...) WEFT_LIKE(WEFT_TYPE_, ROLE)(T) NAME;
#define WEFT_FIELD_DECLARED(S, P) WEFT_FIELD_DECLARED_OF(S, WEFT_STRIP P, n, ~)
#define WEFT_FIELD_DECLARED_OF(...) WEFT_FIELD_DECLARED_AS(__VA_ARGS__)
#define WEFT_FIELD_DECLARED_AS(S, ROLE, T, NAME, ...)                                      \
    enum {                                                                                 \
        S##_agrees_##NAME =                                                                \
            !(WEFT_IS_ROLE(ROLE) && WEFT_IS_TYPE(T)) ||                                    \
            _Generic(((S *)0)->NAME, WEFT_LIKE(WEFT_TYPE_, ROLE)(T) : 1, default : 0)      \
    };                                                                                     \
    _Static_assert(S##_agrees_##NAME,                                                      \
                   #S " is declared otherwise than it is registered: " WEFT_LIKE(          \
                       WEFT_WORDS_, ROLE)(#T) #NAME);
#define WEFT_FIELD_VALUE(S, P) WEFT_FIELD_VALUE_OF(S, WEFT_STRIP P, n, ~)
#define WEFT_FIELD_VALUE_OF(...) WEFT_FIELD_VALUE_AS(__VA_ARGS__)
#define WEFT_FIELD_VALUE_AS(S, ROLE, T, NAME, ...)                                         \
    .NAME = _Generic(((S *)0)->NAME, WEFT_LIKE(WEFT_TYPE_, ROLE)(T) : NAME, default : 0),

#define WEFT_COMMA_WORDS(...) WEFT_COMMA_WORDS_OF(__VA_ARGS__, n, ~)
#define WEFT_COMMA_WORDS_OF(ROLE, T, NAME, ...) ", " WEFT_LIKE(WEFT_WORDS_, ROLE)(#T) #NAME
#define WEFT_WORDS_value(T) T " "
#define WEFT_WORDS_bundle(T) T " "
#define WEFT_WORDS_read(T) "GLOBAL const " T " *"
#define WEFT_WORDS_written(T) "GLOBAL " T " *"
#define WEFT_WORD(T) WEFT_WORD_OF(T)
#define WEFT_WORD_OF(T) #T

#define WEFT_FIRST_TYPE(...) WEFT_FIRST_TYPE_OF(__VA_ARGS__, ~)
#define WEFT_FIRST_TYPE_OF(FIRST, ...) WEFT_SECOND FIRST
#define WEFT_SECOND(ROLE, T, ...) T

#define WEFT_TABLE(S, P) WEFT_TABLE_OF(S, WEFT_STRIP P, n, ~)
#define WEFT_STRIP(...) __VA_ARGS__
#define WEFT_TABLE_OF(...) WEFT_TABLE_ENTRY(__VA_ARGS__)
#define WEFT_TABLE_ENTRY(S, ROLE, T, NAME, ...)                                            \
    {#NAME,                                                                                \
     #T,                                                                                   \
     WEFT_TYPE(T),                                                                         \
     WEFT_ROLE(ROLE),                                                                      \
     WEFT_LIKE(WEFT_BUNDLE_, ROLE)(T),                                                     \
     offsetof(S, NAME)},
#define WEFT_BUNDLE_value(T) NULL
#define WEFT_BUNDLE_bundle(T) &T##_bundle
#define WEFT_BUNDLE_read(T) NULL
#define WEFT_BUNDLE_written(T) NULL

/* That the words of a registration are roles and types: of all, and with a sentence for
 * each. Of types, those that are as wide and have a sign on every host and device. */
#define WEFT_SOUND(R, ...) (WEFT_IS_TYPE(R) WEFT_MAP(WEFT_AND_SOUND, __VA_ARGS__))
#define WEFT_AND_SOUND(...) WEFT_AND_SOUND_OF(__VA_ARGS__, n, ~)
#define WEFT_AND_SOUND_OF(ROLE, T, NAME, ...) &&WEFT_IS_ROLE(ROLE) && WEFT_IS_TYPE(T)
#define WEFT_CHECKED(NAME, ...) WEFT_MAP_WITH(WEFT_CHECK, NAME, __VA_ARGS__)
#define WEFT_CHECK(S, P) WEFT_CHECK_OF(S, WEFT_STRIP P, n, ~)
#define WEFT_CHECK_OF(...) WEFT_CHECK_AS(__VA_ARGS__)
#define WEFT_CHECK_AS(S, ROLE, T, NAME, ...)                                               \
    _Static_assert(WEFT_IS_ROLE(ROLE),                                                     \
                   #S ": " #ROLE " is no role of parameter " #NAME                         \
                      ": write value, in, optional, out, inout, shared or bundle");        \
    _Static_assert(WEFT_IS_TYPE(T),                                                        \
                   #S ": parameter " #NAME " is of type " #T WEFT_TYPES_ARE);
/* That a generator or pairs write nothing. */
#define WEFT_READS(S, P) WEFT_READS_OF(S, WEFT_STRIP P, n, ~)
#define WEFT_READS_OF(...) WEFT_READS_AS(__VA_ARGS__)
#define WEFT_READS_AS(S, ROLE, T, NAME, ...)                                               \
    _Static_assert(WEFT_LIKE(WEFT_READS_, ROLE),                                           \
                   #S ": a generator, or pairs, write nothing: parameter " #NAME           \
                      " is value, in, optional or bundle");
#define WEFT_READS_value 1
#define WEFT_READS_bundle 1
#define WEFT_READS_read 1
#define WEFT_READS_written 0
#define WEFT_TYPES_ARE ", which devices know otherwise: write i8, u8, i32, u32, i64 or u64"
#define WEFT_IS_TYPE(T)                                                                    \
    _Generic((T *)0, int64_t * : 1, uint64_t * : 1, char * : 0, _Bool * : 0, default       \
             : _Generic((T *)0, long * : 0, unsigned long * : 0, long long * : 0,          \
                        unsigned long long * : 0, long double * : 0, default : 1))

#endif
