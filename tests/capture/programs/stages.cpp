// Passes two points, which it tells by a file each, and goes on when it finds another file: what lies between is known.
#include <unistd.h>

#include <cstdio>
#include <string>

volatile int first[100];
volatile int second[100];
volatile int third[100];

namespace {

/// Works all the time, so that whoever looks at the program finds it at work.
__attribute__((noinline)) void fillUntil(volatile int* array, const std::string& file) {
    do {
        for (int i = 0; i < 100; ++i) array[i] = i;
    } while (access(file.c_str(), F_OK) != 0);
}

void tell(const std::string& file) {
    std::fclose(std::fopen(file.c_str(), "w"));
}

}  // namespace

int main(int, char** argv) {
    const std::string folder = argv[1];
    tell(folder + "/in-first");
    fillUntil(first, folder + "/go-to-second");
    tell(folder + "/in-second");
    fillUntil(second, folder + "/go-to-third");
    tell(folder + "/in-third");
    fillUntil(third, folder + "/go-to-end");
    return 3;
}
