// Descriptions of nodes and stays, on the hand-worked trace.
#include "app/views/space/describe_node.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/sharing_trace.h"

namespace whorl::app {
namespace {

using Lines = std::vector<std::string>;

class DescribeNode : public testing::Test {
  protected:
    std::string stayLine(std::size_t stay, std::size_t line, std::size_t level = 0) const {
        const NodeDescription description = describeStay(*history_, trace_, level, stay);
        return line < description.lines.size() ? description.lines[line] : "";
    }

    Session session_ = sharingSession();
    const sim::Trace& trace_ = session_.opened.run->trace();
    std::shared_ptr<const sim::History> history_ = historyIn(session_, 0, 7);
};

TEST_F(DescribeNode, Sources) {
    NodeDescription description = describeSource(*history_, trace_, 2);
    EXPECT_EQ(description.title, "b.c:3");
    EXPECT_EQ(description.lines, (Lines{"rank 1 of 4 by cost", "waited 60 cycles for blocks (32.4 %) in 2 accesses",
                                        "2 misses in L1, 1 in L2", "accesses 2 objects"}));
    description = describeSource(*history_, trace_, 1);
    EXPECT_EQ(description.title, "a.c:2");
    EXPECT_EQ(description.lines, (Lines{"rank 4 of 4 by cost", "waited 5 cycles for blocks (2.7 %) in 1 access",
                                        "1 miss in L1", "1 block invalidated in L1", "accesses 1 object"}));
}

TEST_F(DescribeNode, CodeWithoutALineHasTheNameOfItsFunction) {
    sim::TraceParts parts = trace_.parts();
    parts.functions.resize(1);
    parts.functions.emplace_back("__memcpy_avx_unaligned_erms");
    parts.sites[1] = {.pc = sim::ByteAddress{0x4bdda89}, .function = 1};
    const sim::Trace trace(parts);
    const sim::CostNode node{.id = 1, .kind = sim::CostNode::Kind::instruction};
    EXPECT_EQ(nameOf(node, trace), "in __memcpy_avx_unaligned_erms");
}

TEST_F(DescribeNode, ObjectsAndWords) {
    NodeDescription description = describeObject(*history_, trace_, false, 0);
    EXPECT_EQ(description.title, "P");
    EXPECT_EQ(description.lines, (Lines{"class Half", "address 0x1000, 16 bytes", "rank 1 of 4 by cost",
                                        "waited 65 cycles for blocks (35.1 %) in 3 accesses", "3 misses in L1, 1 in L2",
                                        "1 block invalidated in L1", "accessed from 2 source lines"}));
    description = describeObject(*history_, trace_, true, 1);
    EXPECT_EQ(description.title, "P+0x4");
    EXPECT_EQ(description.lines, (Lines{"class Half", "address 0x1004, 4 bytes", "rank 4 of 5 by cost",
                                        "waited 5 cycles for blocks (2.7 %) in 1 access", "1 miss in L1",
                                        "1 block invalidated in L1", "accessed from 1 source line"}));
}

TEST_F(DescribeNode, StaysSayHowTheyBeganAndEnded) {
    const NodeDescription first = describeStay(*history_, trace_, 0, 0);
    EXPECT_EQ(first.title, "32 bytes at 0x1000 in L1 of CPU 0");
    ASSERT_EQ(first.lines.size(), 5u);
    EXPECT_EQ(first.lines[0], "holds P, Q");
    EXPECT_EQ(first.lines[1], "the block: 74 access cycles in all") << "56 + 6 + 6 + 6";
    EXPECT_EQ(first.lines[2], "filled at cycle 56: CPU 0 writes P (a.c:1), 56 access cycles");
    EXPECT_EQ(first.lines[3], "came in modified");
    EXPECT_EQ(first.lines[4], "invalidated at cycle 56: CPU 1 writes Q (a.c:2)");
    EXPECT_EQ(describeStay(*history_, trace_, 0, 3).title, "32 bytes at 0x1000 in L1 of CPU 1");
    EXPECT_EQ(describeStay(*history_, trace_, 1, 0).title, "32 bytes at 0x1000 in L2") << "there is only one";
}

TEST_F(DescribeNode, ReplacedStaysSayByWhat) {
    EXPECT_EQ(stayLine(1, 2).substr(stayLine(1, 2).find(':')), ": CPU 0 writes P+0x4 (a.c:1), 6 access cycles");
    EXPECT_EQ(stayLine(1, 3), "came in modified");
    EXPECT_EQ(stayLine(1, 4), "replaced at cycle 118 by 0x2000 (R): CPU 0 reads R (b.c:3)");
    EXPECT_EQ(stayLine(2, 3), "came in exclusive");
    EXPECT_EQ(stayLine(2, 4).substr(0, 25), "still cached at the end, ");
    EXPECT_EQ(stayLine(2, 5), "");
}

/// From the second access on: CPU 0 has P's block already.
TEST_F(DescribeNode, StaysFromBeforeTheHistory) {
    const auto later = historyIn(session_, 1, 7);
    const NodeDescription description = describeStay(*later, trace_, 0, 0);
    ASSERT_GE(description.lines.size(), 4u);
    EXPECT_EQ(description.lines[0], "holds P, Q");
    EXPECT_EQ(description.lines[2], "cached before the range");
    EXPECT_EQ(description.lines[4], "invalidated at cycle 1: CPU 1 writes Q (a.c:2)");
}

TEST_F(DescribeNode, WhatLiesInABlock) {
    const sim::ByteAddress base{0x1000};
    EXPECT_EQ(insideOf(trace_, base, 32, sim::Tick{0}, 4), "P, Q");
    EXPECT_EQ(insideOf(trace_, base, 32, sim::Tick{0}, 1), "P and 1 more");
    EXPECT_EQ(insideOf(trace_, base, 16, sim::Tick{0}, 4), "P");
    EXPECT_EQ(insideOf(trace_, base, 4, sim::Tick{0}, 4), "P+0x0…0x3");
    EXPECT_EQ(insideOf(trace_, sim::ByteAddress{base.value + 4}, 4, sim::Tick{0}, 4), "P+0x4…0x7");
    EXPECT_EQ(insideOf(trace_, sim::ByteAddress{0x3000}, 64, sim::Tick{0}, 4), "S");
    EXPECT_EQ(insideOf(trace_, sim::ByteAddress{0x9000}, 32, sim::Tick{0}, 4), "0x9000 to 0x901f");
}

TEST(DescribeRegions, ByTheirFields) {
    sim::TraceBuilder b("orders");
    sim::Region orders{.name = "orders", .base = sim::ByteAddress{0x1000}, .size = 256};
    orders.elementSize = 48;
    orders.rows = 5;
    orders.type =
        std::make_shared<const sim::ElementType>(sim::ElementType{"Order", 48, {{"id", 0, 8}, {"note", 8, 40}}});
    b.addRegion(orders);
    const sim::Trace trace = b.finish();
    const auto inside = [&](std::uint64_t from, std::uint64_t size) {
        return insideOf(trace, sim::ByteAddress{from}, size, sim::Tick{0}, 4);
    };
    EXPECT_EQ(inside(0x1000, 32), "orders[0].id…note");
    EXPECT_EQ(inside(0x1030, 64), "orders[1].id to orders[2].note");
}

TEST(DescribeRegions, ByTheirElements) {
    const Session s = sharedSession();
    const auto history = historyIn(s, 0, 8);
    const sim::Trace& trace = s.opened.run->trace();
    ASSERT_EQ(history->objects.size(), 2u);
    EXPECT_EQ(describeObject(*history, trace, false, 0).title, "A");
    EXPECT_EQ(describeObject(*history, trace, false, 1).title, "B");
    EXPECT_EQ(insideOf(trace, sim::ByteAddress{0x1000}, 32, sim::Tick{0}, 4), "A[0…3]");
    ASSERT_EQ(history->sources.size(), 1u);
    EXPECT_EQ(describeSource(*history, trace, 0).title, "(not known)");
    const auto word = std::find_if(history->words.begin(), history->words.end(),
                                   [](const auto& n) { return n.address.value == 0x1008; });
    ASSERT_NE(word, history->words.end());
    EXPECT_EQ(nameOf(*word, trace), "A[1]");
}

}  // namespace
}  // namespace whorl::app
