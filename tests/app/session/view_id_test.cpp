// View names, written and read back.
#include "app/session/view_id.h"

#include <gtest/gtest.h>

#include <set>

#include "support/shared_trace.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;

TEST(ViewIds, WordsAndTitles) {
    const sim::MachineConfig m = sharedMachine();
    EXPECT_EQ(wordOf({Kind::rings}, m), "rings");
    EXPECT_EQ(wordOf({Kind::sources}, m), "source");
    EXPECT_EQ(wordOf({Kind::objects}, m), "object");
    EXPECT_EQ(wordOf({Kind::blocks, 1}, m), "block:L2");
    EXPECT_EQ(wordOf({Kind::collisions}, m), "collisions");
    EXPECT_EQ(titleOf({Kind::rings}, m), "Rings");
    EXPECT_EQ(titleOf({Kind::sources}, m), "SourceView");
    EXPECT_EQ(titleOf({Kind::blocks, 0}, m), "L1 BlockView");
    EXPECT_EQ(titleOf({Kind::blocks, 7}, m), "BlockView") << "of a level that the machine does not have";
}

TEST(ViewIds, OfAWord) {
    const sim::MachineConfig m = sharedMachine();
    for (const ViewId view : {ViewId{Kind::rings}, ViewId{Kind::sources}, ViewId{Kind::objects},
                              ViewId{Kind::blocks, 0}, ViewId{Kind::blocks, 1}, ViewId{Kind::collisions}}) {
        EXPECT_EQ(viewNamed(wordOf(view, m), m), view) << wordOf(view, m);
    }
    EXPECT_EQ(viewNamed("block", m), (ViewId{Kind::blocks, 0}));
    EXPECT_EQ(viewNamed("BLOCK:l2", m), (ViewId{Kind::blocks, 1}));
    for (const char* word : {"", "ring", "sources", "block:", "block:L3", "rings:L1", "L1", "block:L1:L2", " rings"}) {
        EXPECT_EQ(viewNamed(word, m), std::nullopt) << word;
    }
}

TEST(ViewIds, AsWordsThereAndBackWhateverTheMachine) {
    EXPECT_EQ(wordOf(ViewId{Kind::sources, 0, 1}), "source@1");
    EXPECT_EQ(wordOf(ViewId{Kind::blocks, 2}), "block:2");
    std::set<std::string> words;
    for (const ViewKind& kind : kViewKinds) {
        for (std::size_t level = 0; level < (kind.ofLevel ? sim::kMaxLevels : 1); ++level) {
            for (const std::uint8_t run : {0, 1, 2, 255}) {
                const ViewId view{kind.kind, static_cast<std::uint8_t>(level), run};
                EXPECT_EQ(viewOf(wordOf(view)), view) << wordOf(view);
                EXPECT_TRUE(words.insert(wordOf(view)).second);
            }
        }
    }
    for (const char* word : {"", "ring", "block", "block:", "block:99", "block:-1", "rings:0", "@1", "rings@",
                             "rings@0", "rings@256", "rings ", "block@1:0"}) {
        EXPECT_EQ(viewOf(word), std::nullopt) << word;
    }
}

TEST(ViewIds, InSpaceAreTheFoldedGraphsAndTheBlockViews) {
    EXPECT_FALSE((ViewId{Kind::rings}.isSpace()));
    EXPECT_TRUE((ViewId{Kind::sources}.isSpace()));
    EXPECT_TRUE((ViewId{Kind::objects}.isSpace()));
    EXPECT_TRUE((ViewId{Kind::blocks, 3}.isSpace()));
    EXPECT_FALSE((ViewId{Kind::collisions}.isSpace()));
}

}  // namespace
}  // namespace whorl::app
