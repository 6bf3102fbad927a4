// The references of traced arrays: what each operation records, and in which order.
#include <gtest/gtest.h>

#include "sim/programs/programs_support.h"
#include "sim/programs/traced_array.h"

namespace whorl::sim {
namespace {

/// Records what `body` does with two arrays a = {10, 11, 12} and b = {20, 21, 22}; returned as "ra0 wb1".
template <class Body>
std::string recordedBy(Body&& body) {
    Progress progress;
    const Listing listing{.file = "here.h", .text = "x\n", .firstLine = 1, .lines = 1};
    AccessRecorder recorder("test", listing, 0, progress);
    TracedArray<int> a(recorder, "a", {10, 11, 12});
    TracedArray<int> b(recorder, "b", {20, 21, 22});
    body(a, b);
    const Trace trace = recorder.finish();
    std::string out;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& access) {
        const Region& region = trace.regions()[trace.regionAt(access.address)];
        if (!out.empty()) out += ' ';
        out += access.isWrite() ? 'w' : 'r';
        out += region.name + std::to_string((access.address.value - region.base.value) / 4);
        EXPECT_EQ(access.size, 4u);
    });
    return out;
}

TEST(TracedArray, TakingAValueReads) {
    EXPECT_EQ(recordedBy([](auto& a, auto&) {
                  const int x = a(1);
                  EXPECT_EQ(x, 11);
              }),
              "ra1");
}

TEST(TracedArray, GivingAValueWrites) {
    EXPECT_EQ(recordedBy([](auto& a, auto&) {
                  a(2) = 5;
                  EXPECT_EQ(a.values()[2], 5);
              }),
              "wa2");
}

TEST(TracedArray, CopyingReadsThenWrites) {
    EXPECT_EQ(recordedBy([](auto& a, auto& b) {
                  a(2) = b(1);
                  EXPECT_EQ(a.values()[2], 21);
              }),
              "rb1 wa2");
}

TEST(TracedArray, AddingToReadsThenWrites) {
    EXPECT_EQ(recordedBy([](auto& a, auto& b) {
                  a(0) += 5;
                  a(1) += b(1) * b(2);
                  EXPECT_EQ(a.values()[0], 15);
                  EXPECT_EQ(a.values()[1], 11 + 21 * 22);
              }),
              "ra0 wa0 rb1 rb2 ra1 wa1");
}

TEST(TracedArray, TwoReferencesAreReadLeftThenRight) {
    EXPECT_EQ(recordedBy([](auto& a, auto& b) {
                  EXPECT_EQ(a(0) + b(0), 30);
                  EXPECT_EQ(b(1) - a(1), 10);
                  EXPECT_EQ(a(2) * b(2), 264);
                  EXPECT_EQ(b(2) / a(2), 1);
                  EXPECT_TRUE(a(0) < b(0));
                  EXPECT_FALSE(a(0) > b(0));
                  EXPECT_TRUE(a(0) <= b(0));
                  EXPECT_FALSE(a(0) >= b(0));
              }),
              "ra0 rb0 rb1 ra1 ra2 rb2 rb2 ra2 ra0 rb0 ra0 rb0 ra0 rb0 ra0 rb0");
}

TEST(TracedArray, AReferenceWithAPlainValueIsReadOnce) {
    EXPECT_EQ(recordedBy([](auto& a, auto&) {
                  EXPECT_TRUE(a(0) < 11);
                  EXPECT_EQ(2 * a(1), 22);
              }),
              "ra0 ra1");
}

TEST(TracedArray, LookingAtTheValuesIsNotRecorded) {
    EXPECT_EQ(recordedBy([](auto& a, auto&) { EXPECT_EQ(a.values().size(), 3u); }), "");
}

}  // namespace
}  // namespace whorl::sim
