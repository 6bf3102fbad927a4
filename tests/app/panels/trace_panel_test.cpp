// What the panel of the trace shows of its order, and offers.
#include "app/panels/panel_frame.h"
#include "app/panels/panels.h"
#include "sim/trace/writer.h"
#include "support/folder.h"
#include "support/sessions.h"
#include "support/waiting_trace.h"

namespace whorl::app {
namespace {

TEST(TracePanel, OffersTheOtherOrderOfSeveralCpus) {
    const sim::test::Folder folder;
    sim::Progress progress;
    ASSERT_TRUE(sim::writeTrace(sim::test::waitingTrace(20), folder.at("t.whorl"), progress));
    Session s = sessionFor({.input = folder.at("t.whorl"), .machine = "1K/2/32", .settings = {}, .reading = {}});
    PanelFrame frame(s, drawTracePanel, {300, 700});
    frame.next();
    const ImVec2 at = frame.place("order").value();
    frame.click(at);
    // The list opens below: as recorded, in virtual time.
    std::vector<std::string> chosen;
    for (float y = at.y + 15; chosen.empty() && y < at.y + 60; y += 5) chosen = textsOf(frame.click(ImVec2{at.x, y}));
    EXPECT_EQ(chosen, std::vector<std::string>{"interleaving recorded"});
}

TEST(TracePanel, OffersNoOrderWhereThereIsOne) {
    for (const char* input : {"matmul:n=4", "vecadd:n=8"}) {
        Session s = sessionFor({.input = input});
        PanelFrame frame(s, drawTracePanel, {300, 700});
        frame.next();
        EXPECT_TRUE(frame.place("programs")) << input;
        EXPECT_FALSE(frame.place("order")) << input;
    }
}

}  // namespace
}  // namespace whorl::app
