// The legend over the rings: it covers no name of a region beside them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <sstream>
#include <string>
#include <vector>

#include "app/panels/panel_frame.h"
#include "app/panels/panels.h"
#include "support/shared_trace.h"

namespace whorl::app {
namespace {

constexpr int kWidth = 650;
constexpr int kHeight = 570;

/// Regions of a block each, with names that are too long to stand along their arcs.
Session namedRegions(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += fmt::format("region the_{}th_of_them {:#x} 32 8 rows=4\n", i, 0x1000 * (i + 1));
    return sessionOn(text + "R 0x1000 8 cpu=0\n", sharedMachine());
}

/// The rows of the legend, each as far as its sign and some of its words.
std::vector<ImRect> rowsOf(const PanelFrame& frame) {
    std::vector<ImRect> out;
    std::istringstream lines(frame.places());
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        ImVec2 at;
        std::string thing;
        if (words >> at.x >> at.y >> thing && thing == "legend")
            out.emplace_back(ImVec2(at.x - 5, at.y - 5), ImVec2(at.x + 60, at.y + 5));
    }
    return out;
}

TEST(Legend, CoversNoNameBesideTheRings) {
    std::size_t names = 0;
    std::size_t rows = 0;
    for (int count = 2; count <= 16; ++count) {
        SCOPED_TRACE(count);
        Session session = namedRegions(count);
        PanelFrame frame(session,
                         [](const PanelContext& c) {
                             drawLegend(c, {0, 0, kWidth, kHeight});
                         },
                         {kWidth, kHeight});
        frame.next();
        const std::vector<ImRect> legend = rowsOf(frame);
        rows += legend.size();
        const scene::Scene& scene = frame.parts().runs.open()->composer().picture()->scene();
        for (std::size_t i = 0; i < scene.labels.size(); ++i) {
            const scene::Label& label = scene.labels[i];
            if (label.kind == scene::Label::Kind::curved || scene.labelTargets[i].kind != scene::Target::Kind::region)
                continue;
            ++names;
            const ImVec2 size = frame.parts().fonts.body->CalcTextSizeA(label.size, 1e9f, 0, label.text.c_str());
            ASSERT_EQ(label.kind, scene::Label::Kind::corner);
            const ImRect name(label.at.x, label.at.y, label.at.x + size.x, label.at.y + size.y);
            for (const ImRect& row : legend) EXPECT_FALSE(row.Overlaps(name)) << label.text;
        }
    }
    EXPECT_GT(names, 20u);
    EXPECT_GT(rows, 20u);
}

}  // namespace
}  // namespace whorl::app
