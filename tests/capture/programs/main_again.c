/* Its main calls itself, with a third argument that is not the environment, and it survives an instruction that the
 * processor, or Valgrind, does not have. C, since C++ forbids calling main. */
#include <setjmp.h>
#include <signal.h>

volatile int marks[1000];

static sigjmp_buf probed;

static void on_illegal(int signal) {
    (void)signal;
    siglongjmp(probed, 1);
}

/* As libraries find out what a processor can do. */
static int has_avx512(void) {
    signal(SIGILL, on_illegal);
    if (sigsetjmp(probed, 1) != 0) return 0;
    __asm__ volatile("vpxorq %%zmm0, %%zmm0, %%zmm0" ::: "xmm0");
    return 1;
}

int main(int count, char** words) {
    int (*volatile again)(int, char**, long) = (int (*)(int, char**, long))(void (*)(void))main;
    if (count > 0) {
        const int depth = again(-2, words, 0x10);
        for (int i = 0; i < 1000; ++i) marks[i] = i;
        return has_avx512() == 2 ? 1 : depth;
    }
    if (count < 0) return again(count + 1, words, 0x10) + 1;
    return 4;
}
