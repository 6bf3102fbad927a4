// Values are tried: a value of the machine replaces what was set before, options of a program stay sound, and the
// playhead stays.
#include <gtest/gtest.h>

#include "app/commands/commands.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_session.h"
#include "support/folder.h"

namespace whorl::app {
namespace {

Session playing(const std::string& input, const std::string& machine = "1K/2/32") {
    Session s;
    s.requests.add(request::Open{OpenRequest{.input = input, .machine = machine}});
    openAll(s);
    apply(s, command::Seek{77});
    return s;
}

TEST(Live, AValueReplacesWhatWasSetBefore) {
    Session s = playing("matmul:n=8");
    apply(s, command::Set{"L1.ways=4"});
    apply(s, command::Set{"L1.policy=fifo"});
    openAll(s);
    apply(s, command::Set{"l1.ways=1"});
    openAll(s);
    passTime(s, 0);
    EXPECT_EQ(s.opened.request.settings, (std::vector<std::string>{"L1.policy=fifo", "l1.ways=1"}));
    EXPECT_EQ(s.opened.run->machine().levels[0].ways, 1u);
    EXPECT_EQ(s.opened.run->machine().levels[0].policy, sim::Policy::fifo);
    EXPECT_EQ(s.player.position(), 77);
}

TEST(Live, OptionsStaySoundAndThePlayheadStays) {
    Session s = playing("matmul:n=8,variant=blocked,block=4");
    apply(s, command::Set{"L1.ways=1"});
    openAll(s);
    apply(s, command::Option{"n", "12"});
    openAll(s);
    passTime(s, 0);
    EXPECT_EQ(s.opened.request.input, "matmul:n=12,variant=blocked,block=4");
    EXPECT_EQ(s.opened.run->machine().levels[0].ways, 1u) << "the machine stays";
    EXPECT_EQ(s.player.position(), 77);
    apply(s, command::Option{"variant", "standard"});
    openAll(s);
    EXPECT_EQ(s.opened.request.input, "matmul:n=12,variant=standard") << "block has no effect without blocked";
    apply(s, command::Option{"n", "0"});
    EXPECT_FALSE(s.requests.has<request::Open>()) << "it is out of range";
    EXPECT_NE(s.error.find("out of range"), std::string::npos) << s.error;
    EXPECT_EQ(s.opened.request.input, "matmul:n=12,variant=standard");
}

TEST(Live, WhatIsOpenIsNotBesideItself) {
    Session s = playing("matmul:n=8");
    apply(s, command::Set{"L1.ways=1"});
    openAll(s);
    apply(s, command::CompareMachine{"1K/2/32"});
    openAll(s);
    ASSERT_EQ(s.compared.size(), 1u) << "without the value";
    EXPECT_EQ(s.lock, TimeLock::access) << "the accesses are the same";
    apply(s, command::Machine{"1K/2/32"});
    openAll(s);
    EXPECT_TRUE(s.opened.request.settings.empty());
    EXPECT_TRUE(s.compared.empty());
    apply(s, command::CompareWith{"matmul:n=4"});
    EXPECT_EQ(s.lock, TimeLock::share) << "another input is over sooner";
}

TEST(Live, TextsOfSourcesAreLookedForInAnotherFolder) {
    const sim::test::Folder texts;
    texts.put("mm.c", "int line;\n");
    const sim::test::Folder traces;
    Session s = playing(traces.put("t.trace", "R 0x1000 8 mm.c:1\nR 0x1080 8 mm.c:1\n"));
    EXPECT_TRUE(s.opened.run->trace().files().at(0).lines.empty());
    apply(s, command::SourcesIn{"/no/such"});
    EXPECT_EQ(s.refused, "/no/such: there is no such folder; name one that holds source files.");
    EXPECT_FALSE(s.requests.has<request::Open>());
    apply(s, command::SourcesIn{texts.path()});
    openAll(s);
    passTime(s, 0);
    EXPECT_EQ(s.opened.run->trace().files().at(0).lines.size(), 1u);
    EXPECT_EQ(s.player.position(), 2);
}

TEST(Live, APatternIsTypedAgain) {
    Session s = playing("pattern:for i in 0..100 { read A[i] }");
    apply(s, command::Option{"text", "for i in 0..200 { read A[i], B[i] }"});
    openAll(s);
    passTime(s, 0);
    EXPECT_EQ(s.opened.run->trace().size(), 400u);
    EXPECT_EQ(s.player.position(), 77);
    apply(s, command::Option{"text", "for i in { read A[i] }"});
    EXPECT_FALSE(s.requests.has<request::Open>());
    EXPECT_FALSE(s.error.empty());
    EXPECT_EQ(s.opened.run->trace().size(), 400u);
}

}  // namespace
}  // namespace whorl::app
