/* Succeeds where the processor runs what is compiled for x86-64-v4. */
int main(void) {
    return !(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2") &&
             __builtin_cpu_supports("fma"));
}
