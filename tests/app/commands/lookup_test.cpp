// Looking up addresses, variables, objects and source lines, and the error for what does not exist.
#include "app/commands/lookup.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/commands/commands.h"
#include "app/session/session.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

/// Three arrays of 16 × 16 doubles at 0x10000, and the lines of matmul_standard.h.
class LookUps : public testing::Test {
  protected:
    LookUps() { session_.opened = openedFor({.input = "matmul:n=16", .machine = "paper"}); }
    Found found(const std::string& words) {
        auto result = lookUp(session_, words);
        EXPECT_TRUE(result) << words << ": " << (result ? "" : result.error().sentence());
        return result ? *result : Found{};
    }
    std::string error(const std::string& words) {
        auto result = lookUp(session_, words);
        EXPECT_FALSE(result) << words;
        return result ? "" : result.error().sentence();
    }
    std::uint64_t byteOf(const std::string& words) {
        const Found result = found(words);
        return result.selection && result.selection->byte ? result.selection->byte->value : 0;
    }
    const sim::Region& region(std::size_t index) { return session_.opened.run->trace().regions()[index]; }

    Session session_;
};

TEST_F(LookUps, AddressesAreThoseOfTheTrace) {
    const std::uint64_t base = region(1).base.value;
    EXPECT_EQ(byteOf(fmt::format("{:#x}", base + 8)), base + 8);
    EXPECT_EQ(byteOf(fmt::format("  0X{:X} ", base)), base);
    EXPECT_EQ(found(fmt::format("{:#x}", base)).words, fmt::format("address {:#x} is B[0][0]", base));
    EXPECT_NE(error("0x1").find("0x1 is in no region of this trace"), std::string::npos);
    EXPECT_NE(error("0xzz").find("0xzz is not an address"), std::string::npos);
}

TEST_F(LookUps, VariablesHaveIndices) {
    const std::uint64_t base = region(1).base.value;
    EXPECT_EQ(byteOf("B[3][0]"), base + 3 * 16 * 8);
    EXPECT_EQ(byteOf("b[3][ 1 ]"), base + (3 * 16 + 1) * 8) << "in small letters, too";
    EXPECT_EQ(byteOf("B+0x10"), base + 16);
    EXPECT_NE(error("B[16][0]").find("lies outside B, which has 16 × 16 elements"), std::string::npos);
    EXPECT_NE(error("B[3]").find("B has two indices"), std::string::npos);
    EXPECT_NE(error("B[x][0]").find("indices that are no numbers"), std::string::npos);
    EXPECT_NE(error("B+9999999").find("lies outside B"), std::string::npos);
    EXPECT_NE(error("Z").find("is called Z"), std::string::npos);
    EXPECT_FALSE(error("").empty());
    EXPECT_FALSE(error("B[").empty());
    EXPECT_FALSE(error("[").empty());
}

TEST_F(LookUps, ARegionIsChosenInTheListToo) {
    apply(session_, command::Focus{Field::lookUp});
    apply(session_, command::LookUp{"C"});
    EXPECT_EQ(session_.region, 2u);
    ASSERT_TRUE(session_.selected.has_value());
    EXPECT_EQ(session_.selected->target.kind, scene::Target::Kind::region);
    EXPECT_FALSE(session_.marked().has_value());
    EXPECT_TRUE(session_.lookUp.found);
    apply(session_, command::LookUp{"nothing of the kind"});
    EXPECT_FALSE(session_.lookUp.found);
    EXPECT_EQ(session_.region, 2u) << "what is not found changes nothing";
}

TEST_F(LookUps, SourceLinesAreOfAFile) {
    const Found line = found(":6");
    ASSERT_TRUE(line.line.has_value());
    EXPECT_EQ(*line.line, (SourceLine{0, 6}));
    EXPECT_EQ(line.words, "line 6 of matmul_standard.h");
    EXPECT_EQ(found("matmul_standard.h:1").words, "line 1 of matmul_standard.h, which makes no access");
    EXPECT_NE(error(":0").find("has no line 0"), std::string::npos);
    EXPECT_NE(error(":999").find("has no line 999"), std::string::npos);
    EXPECT_NE(error("other.h:6").find("no file of this trace is called other.h"), std::string::npos);
}

TEST_F(LookUps, PartsOfTheMachineHaveNames) {
    EXPECT_EQ(found("L2").selection->target.kind, scene::Target::Kind::level);
    const scene::Target set = found("l2 set 3").selection->target;
    EXPECT_EQ(set.kind, scene::Target::Kind::set);
    EXPECT_EQ(set.level, 1);
    EXPECT_EQ(set.set.value, 3u);
    EXPECT_EQ(found("CPU 0").selection->target.kind, scene::Target::Kind::cpu);
    EXPECT_NE(error("CPU 1").find("there is no CPU 1"), std::string::npos);
    EXPECT_NE(error("L2 set 4").find("L2 has no set 4"), std::string::npos);
    EXPECT_FALSE(error("L2 way 3").empty());
    EXPECT_FALSE(error("cpu").empty());
}

TEST_F(LookUps, WatchingIsByBlock) {
    apply(session_, command::LookUp{"B[3][0]"});
    apply(session_, command::WatchSelected{});
    ASSERT_EQ(session_.watched.size(), 1u);
    EXPECT_EQ(session_.view({800, 600}, 1).watched, session_.watched);
    // Another byte of the same block.
    apply(session_, command::Watch{sim::ByteAddress{byteOf("B[3][1]")}});
    EXPECT_TRUE(session_.watched.empty());
    apply(session_, command::SelectNone{});
    apply(session_, command::WatchSelected{});
    EXPECT_TRUE(session_.watched.empty());
    EXPECT_FALSE(session_.message.empty());
}

/// So that its life, and all views, show the object and not the block where it begins.
TEST(LookUpObjects, PickThem) {
    Session s = sessionFor({.input = "nbody:bodies=8,steps=1", .machine = "paper"});
    const auto& objects = s.opened.run->trace().objects();
    const auto body = std::find_if(objects.begin(), objects.end(), [](const auto& o) { return o.name == "Body 3"; });
    ASSERT_NE(body, objects.end());
    apply(s, command::LookUp{"Body 3"});
    const auto id = static_cast<std::uint32_t>(body - objects.begin());
    EXPECT_EQ(s.viewSettings.object, (ObjectPick{sim::CostNode::Kind::object, id, body->base}));
    EXPECT_EQ(s.selected, blockAt(body->base));
    apply(s, command::LookUp{"Body 3+8"});
    EXPECT_FALSE(s.viewSettings.object) << "a byte of it";
}

}  // namespace
}  // namespace whorl::app
