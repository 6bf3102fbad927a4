// The frames of a bounded memory against a list, and their patches.
#include "sim/cache/page_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>
#include <vector>

namespace whorl::sim {
namespace {

constexpr MemoryConfig kMemory{.size = std::uint64_t{5} * 64, .page = 64};

/// Touches a page, as an access does. Returns whether it was missing.
bool touch(PageTable& pages, BlockAddress page, bool write = false) {
    const std::uint32_t frame = pages.find(page);
    if (frame == PageTable::kNoFrame) {
        pages.bringIn(page, write);
        return true;
    }
    pages.use(frame, write);
    return false;
}

TEST(PageTable, FillsTheLowestFreeFrameThenTheLeastRecentlyUsed) {
    PageTable pages(kMemory);
    EXPECT_EQ(pages.frames(), 5u);
    EXPECT_EQ(pages.pageOf(ByteAddress{~std::uint64_t{0}}).value, ~std::uint64_t{0} / 64);
    for (std::uint64_t page = 10; page < 15; ++page) {
        EXPECT_EQ(pages.nextFrame(), page - 10);
        EXPECT_TRUE(touch(pages, BlockAddress{page}));
    }
    EXPECT_TRUE(pages.isFull());
    EXPECT_FALSE(touch(pages, BlockAddress{10}));
    EXPECT_EQ(pages.nextFrame(), 1u) << "of page 11";
    EXPECT_TRUE(touch(pages, BlockAddress{20}));
    EXPECT_EQ(pages.pageIn(1).value, 20u);
    EXPECT_FALSE(pages.holds(BlockAddress{11}));
    EXPECT_EQ(pages.nextFrame(), 2u);
}

TEST(PageTable, APageIsDirtyFromItsFirstWriteUntilItLeaves) {
    PageTable pages({.size = 128, .page = 64});
    touch(pages, BlockAddress{1});
    EXPECT_FALSE(pages.isDirty(0));
    touch(pages, BlockAddress{1}, true);
    touch(pages, BlockAddress{1});
    EXPECT_TRUE(pages.isDirty(0));
    touch(pages, BlockAddress{2}, true);
    EXPECT_TRUE(pages.isDirty(1));
    touch(pages, BlockAddress{3});
    EXPECT_FALSE(pages.isDirty(0)) << "another page";
}

TEST(PageTable, HoldsWhatAListWouldHold) {
    std::mt19937_64 random(3);
    for (std::uint32_t frames = 2; frames < 20; ++frames) {
        PageTable pages({.size = std::uint64_t{frames} * 64, .page = 64});
        std::list<std::uint64_t> held;  // the most recently used first
        for (int i = 0; i < 2000; ++i) {
            const std::uint64_t page = random() % (2 * frames);
            const auto found = std::find(held.begin(), held.end(), page);
            ASSERT_EQ(touch(pages, BlockAddress{page}), found == held.end());
            if (found != held.end()) held.erase(found);
            held.push_front(page);
            if (held.size() > frames) held.pop_back();
            ASSERT_EQ(pages.held(), held.size());
            for (const std::uint64_t p : held) ASSERT_EQ(pages.pageIn(pages.find(BlockAddress{p})).value, p);
            if (pages.isFull()) {
                ASSERT_EQ(pages.pageIn(pages.nextFrame()).value, held.back());
            }
        }
    }
}

TEST(PageTablePatch, LeadsFromEachStateToEachLaterOne) {
    std::mt19937_64 random(4);
    for (int round = 0; round < 100; ++round) {
        const std::uint64_t frames = 2 + random() % 12;
        PageTable pages({.size = frames * 64, .page = 64});
        std::vector<PageTable> states{pages};
        for (int i = 0; i < 8; ++i) {
            for (std::uint64_t uses = random() % 12; uses > 0; --uses) {
                touch(pages, BlockAddress{random() % (frames + 4)}, random() % 3 == 0);
            }
            states.push_back(pages);
        }
        for (std::size_t from = 0; from < states.size(); ++from) {
            PageTable at = states[from];
            PageTablePatch joined(states[from], states[from]);
            for (std::size_t to = from + 1; to < states.size(); ++to) {
                const PageTablePatch step(states[to - 1], states[to]);
                step.applyTo(at);
                ASSERT_TRUE(at == states[to]) << "step by step";
                joined = PageTablePatch(joined, step);
                PageTable byOne = states[from];
                joined.applyTo(byOne);
                ASSERT_TRUE(byOne == states[to]) << "joined";
                PageTable direct = states[from];
                PageTablePatch(states[from], states[to]).applyTo(direct);
                ASSERT_TRUE(direct == states[to]) << "at once";
            }
        }
    }
}

TEST(PageTablePatch, HasOnlyTheFramesThatWereUsed) {
    PageTable pages({.size = std::uint64_t{1000} * 64, .page = 64});
    for (std::uint64_t page = 0; page < 1000; ++page) touch(pages, BlockAddress{page});
    const PageTable before = pages;
    for (int i = 0; i < 100; ++i) touch(pages, BlockAddress{static_cast<std::uint64_t>(i % 3)});
    EXPECT_LT(PageTablePatch(before, pages).bytes(), 200u);
}

}  // namespace
}  // namespace whorl::sim
