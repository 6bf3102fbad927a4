// Local variables of functions: of one that is called once, one that calls itself, and one left by an exception.
#include <stdexcept>

struct Pair {
    long key;
    long value;
};

volatile long result;

__attribute__((noinline)) long sumOfTable() {
    volatile int table[256];
    for (int i = 0; i < 256; ++i) table[i] = i;
    long sum = 0;
    for (int i = 0; i < 256; ++i) sum += table[i];
    return sum;
}

__attribute__((noinline)) long deeper(int depth) {
    volatile Pair pairs[8];
    for (int i = 0; i < 8; ++i) pairs[i].key = depth;
    long below = depth > 0 ? deeper(depth - 1) : 0;
    return below + pairs[depth % 8].key;
}

__attribute__((noinline)) void thrower() {
    volatile char buffer[100];
    for (int i = 0; i < 100; ++i) buffer[i] = 1;
    throw std::runtime_error("out");
}

int main() {
    result = sumOfTable();
    result = deeper(4);
    for (int i = 0; i < 3; ++i) {
        try {
            thrower();
        } catch (const std::runtime_error&) {
        }
    }
    result = sumOfTable();
}
