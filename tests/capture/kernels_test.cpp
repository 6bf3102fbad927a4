// Kernels whose truth is known, by several compilers: bytes per named array are exact.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "capture/compiled.h"

namespace whorl::sim {
namespace {

using test::Bytes;
using test::bytesOf;

class Kernels : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        if (!test::isInstalled(GetParam())) GTEST_SKIP() << "no " << GetParam();
    }
    static Trace of(const std::string& kernel, int n) {
        return test::recorded({test::compiled("kernels.cpp", GetParam()), kernel, std::to_string(n)}).trace;
    }
};

TEST_P(Kernels, MatrixProduct) {
    constexpr std::uint64_t n = 12;
    const Trace trace = of("matmul", n);
    EXPECT_EQ(bytesOf(trace, "A"), (Bytes{8 * n * n * n, 8 * n * n}));
    EXPECT_EQ(bytesOf(trace, "B"), (Bytes{8 * n * n * n, 8 * n * n}));
    // The last element is read once more, for the result.
    EXPECT_EQ(bytesOf(trace, "C").written, 8 * n * n);
    EXPECT_LE(bytesOf(trace, "C").read, 8u);
    const Region* const A = test::regionNamed(trace, "A");
    ASSERT_NE(A, nullptr);
    EXPECT_EQ(A->elementSize, 8u);
    EXPECT_EQ(A->rows, n * n);
    EXPECT_EQ(A->type->name, "double");
}

TEST_P(Kernels, Histogram) {
    constexpr std::uint64_t n = 1000;
    const Trace trace = of("histogram", n);
    EXPECT_EQ(bytesOf(trace, "data"), (Bytes{n, n}));
    // The last counter is read once more, for the result.
    const Bytes counts = bytesOf(trace, "counts");
    EXPECT_EQ(counts.written, 4 * n);
    EXPECT_EQ(counts.read, 4 * n + 4);
}

/// What the program itself prints: its reads and writes of both arrays.
Bytes counted(const std::string& program, int n) {
    FILE* const out = popen((program + " sort " + std::to_string(n)).c_str(), "r");
    unsigned long long reads = 0;
    unsigned long long writes = 0;
    EXPECT_EQ(std::fscanf(out, "%llu %llu", &reads, &writes), 2);
    EXPECT_EQ(pclose(out), 0);
    return {.read = 4 * reads, .written = 4 * writes};
}

TEST_P(Kernels, MergeSortCounted) {
    constexpr int n = 300;
    const Trace trace = of("sort", n);
    const Bytes values = bytesOf(trace, "values");
    const Bytes merged = bytesOf(trace, "merged");
    EXPECT_EQ((Bytes{values.read + merged.read, values.written + merged.written}),
              counted(test::compiled("kernels.cpp", GetParam()), n));
    EXPECT_GT(merged.read, 4u * n);
}

INSTANTIATE_TEST_SUITE_P(Compilers, Kernels,
                         testing::Values("g++ -O0", "g++ -O1", "g++ -O2", "g++ -O3", "clang++ -O0", "clang++ -O1",
                                         "clang++ -O2", "clang++ -O3", "whorl cc g++ -O0", "whorl cc g++ -O1",
                                         "whorl cc g++ -O2", "whorl cc g++ -O3", "whorl cc clang++ -O0",
                                         "whorl cc clang++ -O1", "whorl cc clang++ -O2", "whorl cc clang++ -O3",
                                         "whorl cc g++ -O3 -march=x86-64-v3", "whorl cc clang++ -O3 -march=x86-64-v3"));

}  // namespace
}  // namespace whorl::sim
