// Executes an AVX-512 instruction, which Valgrind cannot run.
volatile int marks[1000];

int main() {
    for (int i = 0; i < 1000; ++i) marks[i] = i;
    asm volatile("vpxorq %%zmm0, %%zmm0, %%zmm0" ::: "xmm0");
    return 0;
}
