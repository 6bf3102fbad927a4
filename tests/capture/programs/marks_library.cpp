// A library that is loaded while its program runs.
extern "C" void markFromLibrary(volatile int* marks, int times) {
    for (int i = 0; i < times; ++i) marks[i % 1000] = i;
}
