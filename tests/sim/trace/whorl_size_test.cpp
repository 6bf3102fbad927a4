// A .whorl file is never larger than the trace's text in lackey's format under zstd -19 plus 4 KB, and one that is
// written quickly not than one and a half times the smallest. Each test records a program of another kind: what it
// executes is real, and so is the text.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>

#include "sim/base/byte_sink.h"
#include "sim/trace/formats/whorl_writer.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim::test {
namespace {

constexpr std::size_t kAllowance = 4096;
constexpr std::uint64_t kHeap = 0x4a2c040;
constexpr std::uint64_t kStack = 0x1ffeffe740;

/// Writes what a program does as valgrind's lackey would.
class SizeRecorder {
  public:
    /// `instructions`: also the instruction before each access.
    explicit SizeRecorder(bool instructions) : instructions_(instructions) {}

    void load(std::uint32_t instruction, std::uint64_t address, unsigned size) {
        record(" L ", instruction, address, size);
    }
    void store(std::uint32_t instruction, std::uint64_t address, unsigned size) {
        record(" S ", instruction, address, size);
    }
    void modify(std::uint32_t instruction, std::uint64_t address, unsigned size) {
        record(" M ", instruction, address, size);
    }
    std::size_t records() const { return records_; }
    const std::string& text() const { return text_; }

  private:
    bool instructions_;
    std::size_t records_ = 0;
    std::string text_;

    void record(const char* kind, std::uint32_t instruction, std::uint64_t address, unsigned size) {
        auto out = std::back_inserter(text_);
        if (instructions_) fmt::format_to(out, "I  {:08x},{}\n", 0x109000 + instruction * 5, 3 + instruction % 4);
        fmt::format_to(out, "{}{:08x},{}\n", kind, address, size);
        ++records_;
    }
};

std::size_t whorlSize(const Trace& trace, Effort effort) {
    StringSink sink;
    Progress progress;
    EXPECT_TRUE(writeWhorl(trace, sink, progress, {.effort = effort}));
    return sink.bytes().size();
}

std::size_t zstdSize(const std::string& text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    return ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 19);
}

/// Records a program, without and with instructions, and compares.
void expectSmall(const std::function<void(SizeRecorder&)>& program) {
    for (const bool instructions : {false, true}) {
        SizeRecorder recorder(instructions);
        program(recorder);
        const Trace trace = parsed(recorder.text());
        const std::size_t whorl = whorlSize(trace, Effort::moderate);
        const std::size_t small = whorlSize(trace, Effort::thorough);
        const std::size_t zstd = zstdSize(recorder.text());
        EXPECT_LE(small, zstd + kAllowance) << recorder.records() << " records, instructions: " << instructions;
        EXPECT_LE(whorl, small * 3 / 2 + kAllowance);
        EXPECT_LE(whorl, zstd + kAllowance) << recorder.records() << " records, instructions: " << instructions;
        ::testing::Test::RecordProperty(instructions ? "whorl_with_instructions" : "whorl", std::to_string(whorl));
        ::testing::Test::RecordProperty(instructions ? "zstd_with_instructions" : "zstd", std::to_string(zstd));
    }
}

TEST(WhorlSize, OfMatrixProducts) {
    expectSmall([](SizeRecorder& recorder) {
        constexpr std::uint64_t n = 30;
        for (std::uint64_t i = 0; i < n; ++i) {
            for (std::uint64_t j = 0; j < n; ++j) {
                for (std::uint64_t k = 0; k < n; ++k) {
                    recorder.load(1, kHeap + (i * n + k) * 8, 8);
                    recorder.load(2, kHeap + (n * n + k * n + j) * 8, 8);
                }
                recorder.store(3, kHeap + (2 * n * n + i * n + j) * 8, 8);
            }
        }
    });
}

TEST(WhorlSize, OfSorts) {
    expectSmall([](SizeRecorder& recorder) {
        std::mt19937 random(1);
        std::vector<std::uint32_t> values(4000);
        for (auto& v : values) v = static_cast<std::uint32_t>(random());
        const auto at = [&](std::uint32_t instruction, std::size_t i) {
            recorder.load(instruction, kHeap + i * 4, 4);
            return values[i];
        };
        const auto put = [&](std::uint32_t instruction, std::size_t i, std::uint32_t value) {
            recorder.store(instruction, kHeap + i * 4, 4);
            values[i] = value;
        };
        const auto sift = [&](std::size_t parent, std::size_t size) {
            while (2 * parent + 1 < size) {
                std::size_t child = 2 * parent + 1;
                if (child + 1 < size && at(1, child) < at(2, child + 1)) ++child;
                const std::uint32_t above = at(3, parent);
                const std::uint32_t below = at(4, child);
                if (above >= below) return;
                put(5, parent, below);
                put(6, child, above);
                parent = child;
            }
        };
        for (std::size_t i = values.size() / 2; i-- > 0;) sift(i, values.size());
        for (std::size_t end = values.size() - 1; end > 0; --end) {
            const std::uint32_t first = at(7, 0);
            put(9, 0, at(8, end));
            put(10, end, first);
            sift(0, end);
        }
        EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    });
}

/// Walks through a list of nodes in random order.
void chasePointers(SizeRecorder& recorder, std::uint64_t nodes, std::size_t accesses) {
    std::mt19937_64 random(2);
    std::vector<std::uint64_t> order(nodes);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    for (std::size_t i = 0; i < accesses; ++i) recorder.load(1, kHeap + order[i % nodes] * 48, 8);
}

TEST(WhorlSize, OfPointersChasedFartherThanAChunk) {
    expectSmall([](SizeRecorder& recorder) { chasePointers(recorder, 80000, 200000); });
}

TEST(WhorlSize, OfPointersChasedOverAndOver) {
    expectSmall([](SizeRecorder& recorder) { chasePointers(recorder, 5000, 100000); });
}

TEST(WhorlSize, OfRandomAccess) {
    for (const std::uint64_t cells : {1u << 12, 1u << 17, 1u << 24}) {
        expectSmall([cells](SizeRecorder& recorder) {
            std::mt19937_64 random(3);
            for (int i = 0; i < 30000; ++i) {
                const std::uint64_t address = kHeap + random() % cells * 8;
                recorder.load(1, address, 8);
                if (random() % 3 == 0) recorder.store(2, address, 8);
            }
        });
    }
}

TEST(WhorlSize, OfHashTables) {
    expectSmall([](SizeRecorder& recorder) {
        std::mt19937_64 random(4);
        constexpr std::uint64_t kBuckets = 20000;
        std::vector<std::vector<std::uint64_t>> chains(kBuckets);
        for (std::uint64_t node = 0; node < kBuckets; ++node) chains[random() % kBuckets].push_back(node);
        while (recorder.records() < 120000) {
            const std::uint64_t bucket = random() % kBuckets;
            recorder.load(1, kHeap + bucket * 8, 8);
            for (const std::uint64_t node : chains[bucket]) {
                recorder.load(2, kHeap + 0x100000 + node * 32, 8);
                recorder.load(3, kHeap + 0x100000 + node * 32 + 16, 4);
            }
            recorder.modify(4, kStack, 8);
        }
    });
}

TEST(WhorlSize, OfTreeWalks) {
    expectSmall([](SizeRecorder& recorder) {
        std::mt19937_64 random(5);
        constexpr std::uint64_t kNodes = 30000;
        std::vector<std::uint64_t> places(kNodes);
        std::iota(places.begin(), places.end(), 0);
        std::shuffle(places.begin(), places.end(), random);
        while (recorder.records() < 120000) {
            const std::uint64_t key = random() % kNodes;
            std::uint64_t low = 0;
            std::uint64_t high = kNodes;
            while (low < high) {
                const std::uint64_t middle = (low + high) / 2;
                const std::uint64_t node = kHeap + places[middle] * 40;
                recorder.load(1, node + 16, 8);
                if (middle == key) break;
                recorder.load(key < middle ? 2 : 3, key < middle ? node : node + 8, 8);
                (key < middle ? high : low) = key < middle ? middle : middle + 1;
            }
        }
    });
}

TEST(WhorlSize, OfCallsWithObjectsOfManySizes) {
    expectSmall([](SizeRecorder& recorder) {
        std::mt19937_64 random(6);
        const std::function<void(int, std::uint64_t)> call = [&](int depth, std::uint64_t frame) {
            const auto function = static_cast<std::uint32_t>(random() % 40);
            const std::uint32_t locals = 2 + function % 7;
            for (std::uint32_t i = 0; i < locals; ++i) recorder.store(function * 32 + i, frame - i * 8, 8);
            recorder.load(function * 32 + 16, kHeap + random() % 500 * 24, 1u << function % 5);
            for (std::uint64_t calls = depth < 8 ? random() % 3 + 1 : 0; calls > 0; --calls)
                call(depth + 1, frame - 96);
            for (std::uint32_t i = 0; i < locals; ++i) recorder.load(function * 32 + 24 + i, frame - i * 8, 8);
        };
        while (recorder.records() < 80000) call(0, kStack);
    });
}

TEST(WhorlSize, OfAddressesAllOverMemory) {
    expectSmall([](SizeRecorder& recorder) {
        std::mt19937_64 random(7);
        std::vector<std::uint64_t> places(3000);
        for (auto& p : places) p = random() % (std::uint64_t{1} << 43) * 8;
        for (int i = 0; i < 50000; ++i) recorder.load(1, places[random() % places.size()], 8);
    });
}

TEST(WhorlSize, OfAFewAccesses) {
    for (const std::size_t accesses : {1u, 10u, 300u}) {
        expectSmall([accesses](SizeRecorder& recorder) { chasePointers(recorder, 100, accesses); });
    }
}

}  // namespace
}  // namespace whorl::sim::test
