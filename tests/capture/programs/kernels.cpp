// Kernels whose accesses are known: how many bytes of each array they read and write follows from their arguments.
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

/// C = A * B: reads 8 n^3 bytes of A and of B, and writes 8 n^2 of C; before that it writes 8 n^2 of A and of B.
int matmul(int n) {
    double* A = new double[n * n];
    double* B = new double[n * n];
    double* C = new double[n * n];
    for (int i = 0; i < n * n; ++i) {
        A[i] = i;
        B[i] = -i;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k) sum += A[i * n + k] * B[k * n + j];
            C[i * n + j] = sum;
        }
    }
    const int last = static_cast<int>(C[n * n - 1]);
    delete[] A;
    delete[] B;
    delete[] C;
    return last;
}

int counts[256];

/// Counts n bytes: reads them once, and reads and writes a counter for each.
int histogram(int n) {
    unsigned char* data = static_cast<unsigned char*>(malloc(n * sizeof(unsigned char)));
    for (int i = 0; i < n; ++i) data[i] = static_cast<unsigned char>(i * 7 + i / 13);
    for (int i = 0; i < n; ++i) ++counts[data[i]];
    free(data);
    return counts[3];
}

long long sortReads = 0;
long long sortWrites = 0;

/// A merge sort that counts its own reads and writes of both arrays together. What is volatile is read whenever the
/// source says so.
void mergeSort(volatile int* values, volatile int* merged, int from, int to) {
    if (to - from < 2) return;
    const int middle = from + (to - from) / 2;
    mergeSort(values, merged, from, middle);
    mergeSort(values, merged, middle, to);
    int left = from;
    int right = middle;
    for (int i = from; i < to; ++i) {
        bool takeLeft = right >= to;
        if (!takeLeft && left < middle) {
            const int a = values[left];
            const int b = values[right];
            sortReads += 2;
            takeLeft = a <= b;
        }
        merged[i] = values[takeLeft ? left++ : right++];
        ++sortReads;
        ++sortWrites;
    }
    for (int i = from; i < to; ++i) {
        values[i] = merged[i];
        ++sortReads;
        ++sortWrites;
    }
}

int sorted(int n) {
    int* values = new int[n];
    int* merged = new int[n];
    unsigned random = 1;
    volatile int* const filled = values;
    for (int i = 0; i < n; ++i) {
        random = random * 1664525u + 1013904223u;
        filled[i] = static_cast<int>(random >> 8);
        ++sortWrites;
    }
    mergeSort(values, merged, 0, n);
    std::printf("%lld %lld\n", sortReads, sortWrites);
    delete[] values;
    delete[] merged;
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const int n = argc > 2 ? std::atoi(argv[2]) : 16;
    if (argc > 1 && std::strcmp(argv[1], "matmul") == 0) return matmul(n) == 1 ? 1 : 0;
    if (argc > 1 && std::strcmp(argv[1], "histogram") == 0) return histogram(n) == -1 ? 1 : 0;
    if (argc > 1 && std::strcmp(argv[1], "sort") == 0) return sorted(n);
    return 2;
}
