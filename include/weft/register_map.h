/* How the macros of register_macros.h go through a list of parameters. */
#ifndef WEFT_REGISTER_MAP_H
#define WEFT_REGISTER_MAP_H

/* M(...) for each parameter, or for each but the first; M(with, parameter) for each. */
#define WEFT_MAP(M, ...) WEFT_PASTE(WEFT_MAP_, WEFT_COUNT(__VA_ARGS__))(M, __VA_ARGS__, ~)
#define WEFT_MAP_REST(M, ...)                                                              \
    WEFT_MAP_REST_OF(WEFT_COUNT_REST(__VA_ARGS__), M, __VA_ARGS__, ~)
#define WEFT_MAP_REST_OF(COUNT, M, first, ...) WEFT_PASTE(WEFT_MAP_, COUNT)(M, __VA_ARGS__)
#define WEFT_MAP_WITH(M, S, ...)                                                           \
    WEFT_PASTE(WEFT_MAP_WITH_, WEFT_COUNT(__VA_ARGS__))(M, S, __VA_ARGS__)
#define WEFT_PASTE(a, b) WEFT_PASTE_EXPANDED(a, b)
#define WEFT_PASTE_EXPANDED(a, b) a##b
#define WEFT_COUNT(...)                                                                    \
    WEFT_COUNT_OF(__VA_ARGS__, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, \
                  17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, ~)
#define WEFT_COUNT_REST(...)                                                               \
    WEFT_COUNT_OF(__VA_ARGS__, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, \
                  16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#define WEFT_COUNT_OF(p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15,    \
                      p16, p17, p18, p19, p20, p21, p22, p23, p24, p25, p26, p27, p28,     \
                      p29, p30, p31, p32, COUNT, ...)                                      \
    COUNT
#define WEFT_MAP_0(M, ...)
#define WEFT_MAP_1(M, p, ...) M p
#define WEFT_MAP_2(M, p, ...) M p WEFT_MAP_1(M, __VA_ARGS__)
#define WEFT_MAP_3(M, p, ...) M p WEFT_MAP_2(M, __VA_ARGS__)
#define WEFT_MAP_4(M, p, ...) M p WEFT_MAP_3(M, __VA_ARGS__)
#define WEFT_MAP_5(M, p, ...) M p WEFT_MAP_4(M, __VA_ARGS__)
#define WEFT_MAP_6(M, p, ...) M p WEFT_MAP_5(M, __VA_ARGS__)
#define WEFT_MAP_7(M, p, ...) M p WEFT_MAP_6(M, __VA_ARGS__)
#define WEFT_MAP_8(M, p, ...) M p WEFT_MAP_7(M, __VA_ARGS__)
#define WEFT_MAP_9(M, p, ...) M p WEFT_MAP_8(M, __VA_ARGS__)
#define WEFT_MAP_10(M, p, ...) M p WEFT_MAP_9(M, __VA_ARGS__)
#define WEFT_MAP_11(M, p, ...) M p WEFT_MAP_10(M, __VA_ARGS__)
#define WEFT_MAP_12(M, p, ...) M p WEFT_MAP_11(M, __VA_ARGS__)
#define WEFT_MAP_13(M, p, ...) M p WEFT_MAP_12(M, __VA_ARGS__)
#define WEFT_MAP_14(M, p, ...) M p WEFT_MAP_13(M, __VA_ARGS__)
#define WEFT_MAP_15(M, p, ...) M p WEFT_MAP_14(M, __VA_ARGS__)
#define WEFT_MAP_16(M, p, ...) M p WEFT_MAP_15(M, __VA_ARGS__)
#define WEFT_MAP_17(M, p, ...) M p WEFT_MAP_16(M, __VA_ARGS__)
#define WEFT_MAP_18(M, p, ...) M p WEFT_MAP_17(M, __VA_ARGS__)
#define WEFT_MAP_19(M, p, ...) M p WEFT_MAP_18(M, __VA_ARGS__)
#define WEFT_MAP_20(M, p, ...) M p WEFT_MAP_19(M, __VA_ARGS__)
#define WEFT_MAP_21(M, p, ...) M p WEFT_MAP_20(M, __VA_ARGS__)
#define WEFT_MAP_22(M, p, ...) M p WEFT_MAP_21(M, __VA_ARGS__)
#define WEFT_MAP_23(M, p, ...) M p WEFT_MAP_22(M, __VA_ARGS__)
#define WEFT_MAP_24(M, p, ...) M p WEFT_MAP_23(M, __VA_ARGS__)
#define WEFT_MAP_25(M, p, ...) M p WEFT_MAP_24(M, __VA_ARGS__)
#define WEFT_MAP_26(M, p, ...) M p WEFT_MAP_25(M, __VA_ARGS__)
#define WEFT_MAP_27(M, p, ...) M p WEFT_MAP_26(M, __VA_ARGS__)
#define WEFT_MAP_28(M, p, ...) M p WEFT_MAP_27(M, __VA_ARGS__)
#define WEFT_MAP_29(M, p, ...) M p WEFT_MAP_28(M, __VA_ARGS__)
#define WEFT_MAP_30(M, p, ...) M p WEFT_MAP_29(M, __VA_ARGS__)
#define WEFT_MAP_31(M, p, ...) M p WEFT_MAP_30(M, __VA_ARGS__)
#define WEFT_MAP_32(M, p, ...) M p WEFT_MAP_31(M, __VA_ARGS__)
#define WEFT_MAP_WITH_1(M, S, p) M(S, p)
#define WEFT_MAP_WITH_2(M, S, p, ...) M(S, p) WEFT_MAP_WITH_1(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_3(M, S, p, ...) M(S, p) WEFT_MAP_WITH_2(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_4(M, S, p, ...) M(S, p) WEFT_MAP_WITH_3(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_5(M, S, p, ...) M(S, p) WEFT_MAP_WITH_4(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_6(M, S, p, ...) M(S, p) WEFT_MAP_WITH_5(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_7(M, S, p, ...) M(S, p) WEFT_MAP_WITH_6(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_8(M, S, p, ...) M(S, p) WEFT_MAP_WITH_7(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_9(M, S, p, ...) M(S, p) WEFT_MAP_WITH_8(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_10(M, S, p, ...) M(S, p) WEFT_MAP_WITH_9(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_11(M, S, p, ...) M(S, p) WEFT_MAP_WITH_10(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_12(M, S, p, ...) M(S, p) WEFT_MAP_WITH_11(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_13(M, S, p, ...) M(S, p) WEFT_MAP_WITH_12(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_14(M, S, p, ...) M(S, p) WEFT_MAP_WITH_13(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_15(M, S, p, ...) M(S, p) WEFT_MAP_WITH_14(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_16(M, S, p, ...) M(S, p) WEFT_MAP_WITH_15(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_17(M, S, p, ...) M(S, p) WEFT_MAP_WITH_16(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_18(M, S, p, ...) M(S, p) WEFT_MAP_WITH_17(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_19(M, S, p, ...) M(S, p) WEFT_MAP_WITH_18(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_20(M, S, p, ...) M(S, p) WEFT_MAP_WITH_19(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_21(M, S, p, ...) M(S, p) WEFT_MAP_WITH_20(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_22(M, S, p, ...) M(S, p) WEFT_MAP_WITH_21(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_23(M, S, p, ...) M(S, p) WEFT_MAP_WITH_22(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_24(M, S, p, ...) M(S, p) WEFT_MAP_WITH_23(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_25(M, S, p, ...) M(S, p) WEFT_MAP_WITH_24(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_26(M, S, p, ...) M(S, p) WEFT_MAP_WITH_25(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_27(M, S, p, ...) M(S, p) WEFT_MAP_WITH_26(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_28(M, S, p, ...) M(S, p) WEFT_MAP_WITH_27(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_29(M, S, p, ...) M(S, p) WEFT_MAP_WITH_28(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_30(M, S, p, ...) M(S, p) WEFT_MAP_WITH_29(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_31(M, S, p, ...) M(S, p) WEFT_MAP_WITH_30(M, S, __VA_ARGS__)
#define WEFT_MAP_WITH_32(M, S, p, ...) M(S, p) WEFT_MAP_WITH_31(M, S, __VA_ARGS__)

#endif
