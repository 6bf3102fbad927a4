#include "app/panels/tiles/tile_heading.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/widgets.h"
#include "app/session/beside.h"
#include "sim/analysis/comparison.h"
#include "sim/report/comparison_report.h"
#include "sim/report/table.h"

namespace whorl::app {

namespace {

/// What fits into a strip: a font's size, and the room from edge to edge.
struct Line {
    ImFont* font;
    float size;
    ImVec2 at;  ///< the middle of its upper edge
    float room;

    float widthOf(const std::string& words) const {
        return font->CalcTextSizeA(size, FLT_MAX, 0, words.c_str(), words.c_str() + words.size()).x;
    }
    void draw(const std::string& words, const ImVec4& colour) const {
        ImGui::GetWindowDrawList()->AddText(font, size, {std::round(at.x - widthOf(words) / 2), at.y}, packed(colour),
                                            words.c_str(), words.c_str() + words.size());
    }
    /// As many parts, from the first, as have room.
    std::string joined(const std::string& begin, const std::vector<std::string>& parts) const {
        std::string out;
        for (const std::string& part : parts) {
            std::string longer = out.empty() ? begin : out;
            if (!out.empty()) longer += "    ";
            longer += part;
            if (!out.empty() && widthOf(longer) > room) break;
            out = std::move(longer);
        }
        return out;
    }
    /// Shortened at its end.
    std::string cut(std::string words) const {
        if (widthOf(words) <= room) return words;
        while (!words.empty() && widthOf(words + "…") > room) {
            do {
                words.pop_back();
            } while (!words.empty() && (static_cast<unsigned char>(words.back()) & 0xc0) == 0x80);
            if (!words.empty() && static_cast<unsigned char>(words.back()) >= 0xc0) words.pop_back();
        }
        return words + "…";
    }
};

/// The two lines of a strip.
std::array<Line, 2> linesIn(const PanelContext& c, float x, float y, float width) {
    const float room = std::max(1.0f, width - 12 * c.scale);
    const ImVec2 first(x + width / 2, y + 3 * c.scale);
    Line title{c.fonts.heading, c.fonts.heading->FontSize, first, room};
    Line detail{c.fonts.small, c.fonts.small->FontSize, {first.x, first.y + title.size + c.scale}, room};
    return {title, detail};
}

std::optional<sim::Counters> countsOf(const PanelContext& c, std::size_t run) {
    RunView* const view = c.runs.at(run);
    return view == nullptr ? std::nullopt : view->countsOf(sessionOf(c.session, run));
}

/// "L1 misses 4 096 of 8 448 (48.5 %)", of each level.
std::vector<std::string> missesOf(const sim::MachineConfig& machine, const sim::Counters& counters) {
    std::vector<std::string> out;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const sim::CacheCounters level = counters.level(l);
        std::string words = fmt::format("{} misses {} of {}", machine.levels[l].name, sim::grouped(level.misses()),
                                        sim::grouped(level.accesses()));
        if (level.accesses() > 0) words += fmt::format(" ({:.1f} %)", 100 * (1 - level.hitRate()));
        out.push_back(std::move(words));
    }
    return out;
}

std::string against(const sim::ComparedFigure& f) {
    return fmt::format("{}: {} against {}, {}", f.words, sim::grouped(*f.a), sim::grouped(*f.b), sim::differenceOf(f));
}

/// Over which accesses of the runs the misses are counted.
std::string spanOf(const Session& session) {
    if (session.range) return "in the range  ";
    const std::vector<const Opened*> runs = session.openRuns();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const double at = sessionOf(session, i).player.position();
        if (at < static_cast<double>(runs[i]->run->trace().size())) return "so far  ";
    }
    return "in all  ";
}

/// The misses of the levels that both machines have.
std::vector<std::string> differences(const sim::MachineConfig& a, const sim::Counters& countsA,
                                     const sim::MachineConfig& b, const sim::Counters& countsB) {
    std::vector<std::string> out;
    for (std::size_t l = 0; l < std::min(a.levels.size(), b.levels.size()); ++l) {
        if (a.levels[l].name != b.levels[l].name) continue;
        out.push_back(against({.key = {},
                               .words = a.levels[l].name + " misses",
                               .a = countsA.level(l).misses(),
                               .b = countsB.level(l).misses()}));
    }
    return out;
}

/// The region whose misses in the nearest level differ most over the whole of both runs.
std::string mostDifferent(const sim::Run& a, const sim::Run& b) {
    const auto measuresA = a.measures();
    const auto measuresB = b.measures();
    if (!measuresA || !measuresB) return {};
    const sim::Comparison all = sim::comparison({a.trace(), *measuresA}, {b.trace(), *measuresB});
    if (all.levels.empty() || all.levels.front().regions.empty()) return {};
    sim::ComparedFigure most = all.levels.front().regions.front();
    if (!most.difference() || *most.difference() == 0) return {};
    most.words = fmt::format("most in {}, {} misses", most.key, all.levels.front().name);
    return against(most);
}

/// "locked by share: after 4 224 and 5 120 accesses"
std::string lockWords(const PanelContext& c, double a, double b) {
    const TimeLock possible = possibleLock(c.session.lock, lockedTraces(c.session, c.session.beside.front()));
    std::string words = "locked by ";
    words += possible == TimeLock::access ? "access" : possible == TimeLock::share ? "share" : "source line";
    if (possible != c.session.lock) words += ", as no source line is in both";
    const auto whole = [](double t) { return sim::grouped(static_cast<std::uint64_t>(std::ceil(t))); };
    return words + fmt::format(": after {} and {} accesses", whole(a), whole(b));
}

}  // namespace

void drawTileHeading(const PanelContext& c, const Tile& tile) {
    if (tile.heading <= 0) return;
    const auto [title, detail] =
        linesIn(c, static_cast<float>(tile.where.x), static_cast<float>(tile.where.y - tile.heading),
                static_cast<float>(tile.where.width));
    const std::size_t run = tile.view.run;
    const std::vector<std::string> titles = titlesOfRuns(c.session);
    if (run >= titles.size()) return;
    title.draw(title.cut(titles[run]), c.colours().text);
    const auto counts = countsOf(c, run);
    if (!counts) return;
    const sim::MachineConfig& machine = c.session.openRuns()[run]->run->machine();
    // Of two runs the strip below says it.
    const std::string span = titles.size() == 2 ? "" : spanOf(c.session);
    detail.draw(detail.cut(detail.joined(span, missesOf(machine, *counts))), c.colours().muted);
}

void drawDifferences(const PanelContext& c, const gl::Rect& canvas) {
    const gl::Rect rest = underHeadings(c.session, canvas, c.scale);
    if (rest.height == canvas.height) return;
    const std::size_t first = c.session.unchangedRun();
    const std::size_t second = first == 0 ? 1 : 0;
    const auto countsA = countsOf(c, first);
    const auto countsB = countsOf(c, second);
    if (!countsA || !countsB) return;
    const auto [title, detail] = linesIn(c, static_cast<float>(canvas.x), static_cast<float>(rest.y + rest.height),
                                         static_cast<float>(canvas.width));
    const std::vector<const Opened*> runs = c.session.openRuns();
    const sim::Run& a = *runs[first]->run;
    const sim::Run& b = *runs[second]->run;
    const double timeA = sessionOf(c.session, first).player.position();
    const double timeB = sessionOf(c.session, second).player.position();
    const std::string span = spanOf(c.session);
    const auto words = differences(a.machine(), *countsA, b.machine(), *countsB);
    if (!words.empty()) title.draw(title.cut(title.joined(span, words)), c.colours().text);
    const bool isWhole = !c.session.range && timeA >= static_cast<double>(a.trace().size()) &&
                         timeB >= static_cast<double>(b.trace().size());
    std::string more = isWhole ? mostDifferent(a, b) : "";
    more += (more.empty() ? "" : "    ") + lockWords(c, timeA, timeB);
    detail.draw(detail.cut(more), c.colours().muted);
}

}  // namespace whorl::app
