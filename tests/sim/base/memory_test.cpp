// How much memory there is, and how it is counted.
#include <gtest/gtest.h>

#include <filesystem>

#include "sim/base/memory_budget.h"
#include "sim/base/text.h"
#include "support/folder.h"

namespace whorl::sim::test {
namespace {

constexpr std::uint64_t kMega = std::uint64_t{1} << 20;

class MemoryLimits : public ::testing::Test {
  protected:
    Folder folder_;

    void put(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((folder_.path() / path).parent_path());
        folder_.put(path, text);
    }
    std::uint64_t memory(const std::string& groups) const {
        put("cgroup", groups);
        return memoryOf(
            {.meminfo = folder_.at("meminfo"), .groups = folder_.at("cgroup"), .groupFolder = folder_.at("groups")});
    }
};

TEST_F(MemoryLimits, AreThoseOfTheComputer) {
    EXPECT_EQ(memory(""), kUnlimited) << "nothing can be read";
    put("meminfo", "MemFree: 1 kB\nMemTotal:       8192 kB\nBuffers: 3 kB\n");
    EXPECT_EQ(memory(""), 8 * kMega);
    put("meminfo", "MemTotal: many\n");
    EXPECT_EQ(memory(""), kUnlimited);
}

TEST_F(MemoryLimits, AreThoseOfTheGroupsAroundTheProcess) {
    put("meminfo", "MemTotal: 1048576 kB\n");
    put("groups/a/b/memory.max", "max\n");
    put("groups/a/memory.max", "52428800\n");
    EXPECT_EQ(memory("0::/a/b\n"), 50 * kMega) << "the limit of the group around it";
    EXPECT_EQ(memory("0::/a/b/gone\n"), 50 * kMega) << "a group that is mounted elsewhere";
    EXPECT_EQ(memory("0::/\n"), 1024 * kMega);
    put("groups/memory.max", "2097152\n");
    EXPECT_EQ(memory("0::/\n"), 2 * kMega) << "a container sees its own group as the root";
}

TEST_F(MemoryLimits, AreThoseOfTheFirstVersionToo) {
    put("meminfo", "MemTotal: 1048576 kB\n");
    put("groups/memory/docker/1f/memory.limit_in_bytes", "3145728\n");
    put("groups/memory/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT_EQ(memory("5:cpu,cpuacct:/docker/1f\n4:memory:/docker/1f\n0::/docker\n"), 3 * kMega);
    EXPECT_EQ(memory("4:hugetlb,memory:/docker/1f\n"), 3 * kMega);
    EXPECT_EQ(memory("4:memory:/\nnonsense\n:\n"), 1024 * kMega);
}

TEST(MemoryBudget, CountsWithoutOverflow) {
    MemoryBudget budget(100);
    EXPECT_TRUE(budget.take(60));
    EXPECT_EQ(budget.left(), 40u);
    budget.give(10);
    EXPECT_TRUE(budget.take(10, 5));
    EXPECT_FALSE(budget.take(1));
    EXPECT_EQ(budget.left(), 0u);
    EXPECT_EQ(
        budget.error("a.trace").sentence(),
        "a.trace: reading it takes at least 101 bytes of memory, more than the 100 bytes that it may take; --memory "
        "SIZE allows more; or record less of the program");
    EXPECT_FALSE(budget.take(~std::uint64_t{0}));
    EXPECT_FALSE(budget.take(std::uint64_t{1} << 40, std::uint64_t{1} << 40));
    EXPECT_TRUE(budget.exceeded());
}

TEST(MemoryBudget, IsSomethingByDefault) {
    EXPECT_GT(MemoryBudget().most(), kMega);
    EXPECT_LE(MemoryBudget().most(), memoryOf({}) / 2);
}

TEST(Text, QuantitiesInWords) {
    EXPECT_EQ(bytesInWords(0), "0 bytes");
    EXPECT_EQ(bytesInWords(1), "1 byte");
    EXPECT_EQ(bytesInWords(1u << 20), "1 MB");
    EXPECT_EQ(bytesInWords(1000u << 10), "0.977 MB");
    EXPECT_EQ(bytesInWords(3489660928), "3.25 GB");
    EXPECT_EQ(bytesInWords(~std::uint64_t{0}), "16 EB");
    EXPECT_EQ(countInWords(999), "999");
    EXPECT_EQ(countInWords(12'400'000), "12.4 M");
    EXPECT_EQ(countInWords(999'999), "1.0 M");
}

}  // namespace
}  // namespace whorl::sim::test
