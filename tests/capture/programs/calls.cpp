// Functions that call each other in all ways.
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <stdexcept>

#define APART __attribute__((noinline))

volatile int sink;
volatile unsigned long block_bytes = 4000;
static jmp_buf back;
static char* block;
APART void leaf(int n) {
    sink = sink + n;
}

APART void fill(char* to) {
    memset(to, sink, block_bytes);  // the library's
}

APART void grow(int times) {
    for (int i = 0; i < times; ++i) fill(block);
}

APART void other() {
    leaf(1);
    fill(block);
}

APART int depth(int n) {
    leaf(n);
    return n == 0 ? 0 : 1 + depth(n - 1) + sink % 2;
}

APART int odd(int n);
APART int even(int n) {
    leaf(n);
    return n == 0 ? 1 : odd(n - 1) + sink % 2;
}
APART int odd(int n) {
    leaf(n);
    return n == 0 ? 0 : even(n - 1) + sink % 2;
}

APART void jumper() {
    leaf(2);
    longjmp(back, 1);
}
APART void deep_jumper() {
    jumper();
    leaf(3);
}
APART void jumps() {
    if (setjmp(back) == 0) deep_jumper();
    leaf(4);
}

APART void thrower() {
    leaf(5);
    throw std::runtime_error("on purpose");
}
APART void catcher() {
    try {
        thrower();
    } catch (const std::runtime_error&) {
        leaf(6);
    }
    leaf(7);
}

APART int compare(const void* a, const void* b) {
    leaf(8);
    return *(const int*)a - *(const int*)b;
}
APART void sorts() {
    int values[16];
    for (int i = 0; i < 16; ++i) values[i] = i * 7 % 16;
    qsort(values, 16, sizeof values[0], compare);
    sink = values[3];
}

APART void by_pointer(void (*f)(int)) {
    f(9);
}

static inline __attribute__((always_inline)) void within(char* to) {
    leaf(11);
    to[0] = (char)sink;
}
APART void around() {
    within(block);
}

int main() {
    block = (char*)malloc(4096);
    grow(10);
    other();
    depth(5);
    even(6);
    jumps();
    catcher();
    sorts();
    by_pointer(leaf);
    around();
    free(block);
    leaf(10);
    return 0;
}
