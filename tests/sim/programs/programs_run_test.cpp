// The content of the programs' traces: how many accesses, where, from which line, in which order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>

#include "sim/programs/kernels/bubblesort.h"
#include "sim/programs/kernels/matmul_blocked.h"
#include "sim/programs/kernels/matmul_standard.h"
#include "sim/programs/kernels/matmul_transposed.h"
#include "sim/programs/kernels/mergesort.h"
#include "sim/programs/programs_support.h"

namespace whorl::sim {
namespace {

TEST(Programs, KernelsComputeWhatTheySay) {
    using Matrix = Plain<double>;
    Matrix a{.values = {1, 2, 3, 4}, .columns = 2};
    Matrix b{.values = {5, 6, 7, 8}, .columns = 2};
    Matrix bt{.values = {5, 7, 6, 8}, .columns = 2};
    const std::vector<double> product = {19, 22, 43, 50};
    Matrix c{.values = std::vector<double>(4), .columns = 2};
    kernels::multiplyStandard(a, b, c, 2);
    EXPECT_EQ(c.values, product);
    c.values.assign(4, 0);
    kernels::multiplyTransposed(a, bt, c, 2);
    EXPECT_EQ(c.values, product);
    for (const int block : {1, 2, 3}) {
        c.values.assign(4, 0);
        kernels::multiplyBlocked(a, b, c, 2, block);
        EXPECT_EQ(c.values, product) << block;
    }
    Plain<int> s{.values = {3, 1, 2, 1, 0}};
    kernels::bubbleSort(s, 5);
    EXPECT_EQ(s.values, (std::vector<int>{0, 1, 1, 2, 3}));
    Plain<int> m{.values = {3, 1, 2, 1, 0}};
    Plain<int> temp{.values = std::vector<int>(5)};
    kernels::mergeSort(m, temp, 0, 5);
    EXPECT_EQ(m.values, s.values);
}

TEST(Programs, MatmulMakesTheAccessesOfItsFormula) {
    EXPECT_EQ(ran("matmul").size(), 8448u);
    for (const std::uint64_t n : {1u, 2u, 3u, 5u, 7u, 12u, 17u}) {
        for (const std::string variant : {"standard", "transposed"}) {
            const Trace trace = ran(fmt::format("matmul:n={},variant={}", n, variant));
            EXPECT_EQ(trace.size(), n * n * (2 * n + 1)) << n << variant;
            EXPECT_EQ(trace.writes(), n * n);
        }
        for (const std::uint64_t block : {1u, 2u, 3u, 4u, 5u, 17u, 100u}) {
            const Trace trace = ran(fmt::format("matmul:n={},variant=blocked,block={}", n, block));
            const std::uint64_t rounds = (n + block - 1) / block;
            EXPECT_EQ(trace.size(), n * n * (2 * n + 2 * rounds)) << n << ' ' << block;
            EXPECT_EQ(trace.writes(), n * n * rounds);
        }
    }
}

TEST(Programs, SortsMakeTheAccessesOfTheirKernels) {
    for (const int n : {2, 3, 5, 64, 100}) {
        const Trace bubble = ran(fmt::format("bubblesort:n={}", n));
        const auto count = static_cast<std::uint64_t>(n);
        EXPECT_EQ(bubble.writes() % 2, 0u);
        EXPECT_EQ(bubble.size(), count * (count - 1) + 2 * bubble.writes()) << n;

        const Trace merge = ran(fmt::format("mergesort:n={}", n));
        std::uint64_t moves = 0;  // elements merged, over all merges
        const std::function<void(std::uint64_t)> halves = [&](std::uint64_t length) {
            if (length < 2) return;
            moves += length;
            halves(length / 2);
            halves(length - length / 2);
        };
        halves(count);
        EXPECT_EQ(merge.writes(), 2 * moves) << n;
        // Moved and copied back, and compared in pairs unless one half is exhausted.
        EXPECT_GE(merge.size(), 4 * moves + moves / 2) << n;
        EXPECT_LT(merge.size(), 6 * moves) << n;
        EXPECT_EQ((merge.size() - 4 * moves) % 2, 0u);
    }
}

TEST(Programs, ArraysArePassedOnce) {
    const Trace init = ran("arrayinit:n=100");
    EXPECT_EQ(init.size(), 100u);
    EXPECT_EQ(init.writes(), 100u);
    const Trace conflict = ran("conflict:n=9");
    EXPECT_EQ(conflict.size(), 27u);
    EXPECT_EQ(conflict.writes(), 9u);
    std::string order;
    conflict.forEach(Tick{0}, Tick{6}, [&](Tick, const Access& a) { order += regionOf(conflict, a); });
    EXPECT_EQ(order, "abcabc");
}

TEST(Programs, MatricesLieAsACProgramWouldLayThem) {
    const Trace trace = ran("matmul:n=3");
    ASSERT_EQ(trace.regions().size(), 3u);
    std::uint64_t next = 0x10000;
    for (const std::size_t i : {0u, 1u, 2u}) {
        const Region& region = trace.regions()[i];
        EXPECT_EQ(region.name, std::string(1, static_cast<char>('A' + i)));
        EXPECT_EQ(region.base.value, next);
        EXPECT_EQ(region.size, 72u);
        EXPECT_EQ(region.elementSize, 8u);
        EXPECT_EQ(region.rows, 3u);
        EXPECT_EQ(region.columns, 3u);
        EXPECT_EQ(region.origin, RegionOrigin::declared);
        next += 72;
    }
    // The first dot product: row 0 of A, column 0 of B.
    std::vector<std::string> places;
    for (std::uint64_t t = 0; t < 7; ++t)
        places.push_back(trace.placeOf(TraceCursor(trace).at(Tick{t}).address, Tick{t}));
    EXPECT_EQ(places,
              (std::vector<std::string>{"A[0][0]", "B[0][0]", "A[0][1]", "B[1][0]", "A[0][2]", "B[2][0]", "C[0][0]"}));
    EXPECT_TRUE(TraceCursor(trace).at(Tick{6}).isWrite());
    EXPECT_EQ(ran("matmul:n=3,variant=transposed").regions()[1].name, "Bt");
}

TEST(Programs, ConflictingArraysAreAligned) {
    for (const std::uint64_t align : {4u, 32u, 4096u}) {
        const Trace trace = ran(fmt::format("conflict:n=5,align={}", align));
        ASSERT_EQ(trace.regions().size(), 3u);
        std::uint64_t next = 0x10000;
        for (const Region& region : trace.regions()) {
            EXPECT_EQ(region.base.value, next);
            EXPECT_EQ(region.rows, 5u);
            EXPECT_EQ(region.columns, 0u);
            next += (20 + align - 1) / align * align;
        }
    }
}

TEST(Programs, EachAccessComesFromALineThatMakesIt) {
    for (const std::string spec :
         {"matmul:n=5", "matmul:n=5,variant=transposed", "matmul:n=5,variant=blocked,block=2", "bubblesort:n=20",
          "mergesort:n=20", "arrayinit:n=20", "conflict:n=20", "mpm:particles=4,grid=8,steps=2"}) {
        const Trace trace = ran(spec);
        const std::size_t most = spec.starts_with("mpm") ? 110 : 30;
        EXPECT_LE(listingOf(trace).lines.size(), most) << spec;
        for (const std::string_view line : listingOf(trace).lines) EXPECT_LE(line.size(), 85u) << line;
        EXPECT_TRUE(listingOf(trace).path.ends_with(".h"));
        trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& a) {
            const std::string line = lineOf(trace, a);
            const std::string element = regionOf(trace, a) + "(";
            ASSERT_NE(line.find(element), std::string::npos) << spec << " at " << t.value << ": " << line;
            const std::size_t equals = line.find(a.isWrite() ? "= " : element);
            ASSERT_NE(equals, std::string::npos) << spec << " at " << t.value << ": " << line;
        });
    }
    const Trace trace = ran("matmul");
    EXPECT_EQ(listingOf(trace).path, "matmul_standard.h");
    EXPECT_EQ(listingOf(trace).lines[0], "void multiplyStandard(auto& A, auto& B, auto& C, int n) {");
    EXPECT_EQ(listingOf(trace).lines.back(), "}");
    EXPECT_EQ(lineOf(trace, TraceCursor(trace).at(Tick{1})), "                sum += A(i, k) * B(k, j);");
    EXPECT_EQ(trace.site(TraceCursor(trace).at(Tick{1}).site).line, 6u);
}

TEST(Programs, TheTraceIsCalledLikeTheSpec) {
    EXPECT_EQ(ran("matmul").name(), "matmul");
    EXPECT_EQ(ran("matmul: variant=blocked, n=4").name(), "matmul:n=4,variant=blocked");
}

TEST(Programs, ProgressEndsWhereTheTraceDoes) {
    for (const std::string spec : {"matmul:n=40", "bubblesort:n=300", "mergesort:n=9000", "conflict:n=30000", "mpm"}) {
        Progress progress;
        const auto trace = runProgram(*parseProgramSpec(spec), progress);
        ASSERT_TRUE(trace.has_value());
        EXPECT_EQ(progress.done(), trace->size());
        EXPECT_EQ(progress.total(), trace->size());
    }
}

TEST(Programs, CancelledBeforeItStarts) {
    for (const Program& program : programs()) {
        Progress progress;
        progress.cancel();
        const auto trace = runProgram({.program = &program, .options = {}}, progress);
        ASSERT_FALSE(trace.has_value()) << program.name;
        EXPECT_TRUE(trace.error().cancelled);
    }
}

TEST(Programs, CancelledOnTheWay) {
    Progress progress;
    std::thread person([&] {
        while (progress.done() == 0) std::this_thread::yield();
        progress.cancel();
    });
    const auto trace = runProgram(*parseProgramSpec("matmul:n=300"), progress);
    person.join();
    ASSERT_FALSE(trace.has_value());
    EXPECT_TRUE(trace.error().cancelled);
    EXPECT_LT(progress.done(), progress.total());
}

/// FNV-1a over every access as it would be read: address, size, kind and displayed line.
std::uint64_t hashOf(const Trace& trace) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto add = [&](std::uint64_t value) {
        for (unsigned byte = 0; byte < 8; ++byte) hash = (hash ^ (value >> (8 * byte) & 255)) * 0x100000001b3u;
    };
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) {
        add(a.address.value);
        add(a.size << 1 | (a.isWrite() ? 1u : 0u));
        add(trace.site(a.site).line);
    });
    return hash;
}

// The same under every compiler and optimization level: this is the purpose of the arrays' own operators.
TEST(Programs, TracesAreTheSameEverywhere) {
    EXPECT_EQ(hashOf(ran("matmul")), 0x4811c3183037a625u);
    EXPECT_EQ(hashOf(ran("matmul:variant=transposed")), 0x386c85803104a525u);
    EXPECT_EQ(hashOf(ran("matmul:variant=blocked")), 0x0e075306484b4b25u);
    EXPECT_EQ(hashOf(ran("bubblesort:n=64")), 0xc54734ce8c827c05u);
    EXPECT_EQ(hashOf(ran("mergesort:n=64")), 0x0bfe301213ce606du);
    EXPECT_EQ(hashOf(ran("arrayinit:n=256")), 0x49534f26c1ea8ca5u);
    EXPECT_EQ(hashOf(ran("conflict")), 0x6ed40c0788877d25u);
    EXPECT_EQ(hashOf(ran("mpm")), 0x1fec952ef9a4e492u);
    EXPECT_EQ(hashOf(ran("vecadd")), 0x06ed17187a7099d5u);
    EXPECT_EQ(hashOf(ran("windtunnel")), 0x5482022e9dc8142bu);
    EXPECT_EQ(hashOf(ran("nbody")), 0x8cf0f3c157745235u);
}

}  // namespace
}  // namespace whorl::sim
