// Functions that each write an array of their own, and requests of whorl.h.
#include <cstring>

#include "sim/capture/include/whorl.h"

volatile int first[100];
volatile int second[100];
volatile int third[100];

// In C, structures often have no name but that.
typedef struct {
    double x;
    double y;
} Point;
volatile Point points[10];

__attribute__((noinline)) static void writeFirst() {
    for (int i = 0; i < 100; ++i) first[i] = i;
}
__attribute__((noinline)) static void writeSecond() {
    for (int i = 0; i < 100; ++i) second[i] = i;
}
__attribute__((noinline)) static void writeThird() {
    for (int i = 0; i < 100; ++i) third[i] = i;
}

int main(int argc, char** argv) {
    static volatile char memory[4096];
    writeFirst();
    if (argc > 1 && std::strcmp(argv[1], "requests") == 0) {
        WHORL_ON();
        WHORL_REGION("grid", (void*)(memory + 64), 400, 4, 10, 10);
        for (int i = 0; i < 400; ++i) memory[64 + i] = 1;
        WHORL_MARK("half");
        writeSecond();
        WHORL_OFF();
    } else {
        writeSecond();
    }
    writeThird();
    points[3].y = 1;
    return 7;
}
