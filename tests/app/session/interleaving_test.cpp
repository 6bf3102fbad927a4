// The order of several CPUs: what opens a file, comes back to a moment or tells of one has the same order.
#include <gtest/gtest.h>

#include "app/commands/moment.h"
#include "app/session/memory_file.h"
#include "app/tours/tour_json.h"
#include "sim/trace/writer.h"
#include "support/folder.h"
#include "support/sessions.h"
#include "support/waiting_trace.h"

namespace whorl::app {
namespace {

using sim::AccessOrder;

class Interleaving : public testing::Test {
  protected:
    Interleaving() {
        sim::Progress progress;
        EXPECT_TRUE(sim::writeTrace(sim::test::waitingTrace(20), path(), progress));
    }
    std::string path() const { return folder_.at("t.whorl"); }
    OpenRequest request(AccessOrder order = AccessOrder::automatic) const {
        OpenRequest request{.input = path(), .machine = "1K/2/32", .settings = {}, .reading = {}};
        request.reading.order = order;
        return request;
    }
    const sim::test::Folder folder_;
};

bool isVirtual(const Session& s) {
    return s.opened.run->trace().isInVirtualTime();
}

TEST_F(Interleaving, IsVirtualUnlessAskedOtherwise) {
    EXPECT_TRUE(isVirtual(sessionFor(request())));
    EXPECT_TRUE(isVirtual(sessionFor(request(AccessOrder::virtualTime))));
    EXPECT_FALSE(isVirtual(sessionFor(request(AccessOrder::recorded))));
    OpenRequest filtered = request();
    ASSERT_TRUE(sim::addCondition(filtered.reading.only, "cpu=1"));
    EXPECT_TRUE(isVirtual(sessionFor(filtered))) << "first the order, then the filter";
    OpenRequest changed = request();
    changed.changes = {*sim::parseLayoutChange("shift:0x1000:64")};
    EXPECT_FALSE(isSameRun(request(), changed));
    EXPECT_FALSE(isSameRun(request(), request(AccessOrder::recorded))) << "another order is another run";
}

TEST_F(Interleaving, ACommandOpensTheFileInAnotherOrder) {
    Session s = sessionFor(request());
    send(s, "interleaving recorded");
    const request::Open* const next = s.requests.next<request::Open>();
    ASSERT_NE(next, nullptr);
    EXPECT_EQ(next->input, path());
    EXPECT_EQ(next->machine, "1K/2/32");
    EXPECT_FALSE(isSameTrace(*next, s.opened.request)) << "so that it is read anew";
    EXPECT_FALSE(isVirtual(sessionFor(*next)));
}

TEST_F(Interleaving, AMomentIsToldInItsOrder) {
    Session s = sessionFor(request());
    s.player.seek(5, 40);
    EXPECT_EQ(momentCommandOf(s, {320, 240}).text.find("--interleaving"), std::string::npos);
    EXPECT_EQ(momentOf(s).order, AccessOrder::automatic);
    Session recorded = sessionFor(request(AccessOrder::recorded));
    EXPECT_NE(momentCommandOf(recorded, {320, 240}).text.find("--interleaving recorded"), std::string::npos);
    // A scene keeps it in its file, for itself and those that continue it.
    TourScene scene = momentOf(recorded);
    scene.id = scene.title = scene.words = "a";
    TourScene more{.id = "b", .title = "b", .words = "b", .continues = true, .input = {}, .at = 9};
    const Tour tour{.title = "t", .scenes = {scene, more}};
    const auto read = parseTour(tourText(tour), folder_.at("t.json"));
    ASSERT_TRUE(read) << read.error().sentence();
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_FALSE(isVirtual(sessionFor(runsOf(resolvedScene(*read, i), {}).first))) << i;
    }
}

TEST_F(Interleaving, BookmarksBelongToTheirOrder) {
    MemoryFile file(folder_.at("session.json"));
    Session s = sessionFor(request());
    ASSERT_TRUE(file.load(s));
    file.enter(s);
    s.bookmarks = {{7, "in turn"}};
    ASSERT_TRUE(file.save(s));
    s.opened = openedFor(request(AccessOrder::recorded));
    file.enter(s);
    EXPECT_TRUE(s.bookmarks.empty()) << "its access 7 is another";
    s.opened = openedFor(request(AccessOrder::virtualTime));
    file.enter(s);
    EXPECT_EQ(s.bookmarks.size(), 1u);
    EXPECT_EQ(s.recentInputs.size(), 1u) << "it is one input";
}

}  // namespace
}  // namespace whorl::app
