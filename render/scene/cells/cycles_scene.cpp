#include "render/scene/cells/cycles_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "render/scene/palette.h"
#include "render/scene/text_width.h"
#include "sim/report/cycle_tables.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

constexpr float kTableLine = 1.5f;  ///< height of a line of the table, in heights of the text
constexpr int kMinRow = 4;          ///< least height of a row with its gap, pixels
constexpr int kDenseLinks = 3;      ///< links closer than this are dense, pixels
constexpr int kPath = 3;            ///< thickness of the path, pixels
constexpr float kCyclesNeed = 60;   ///< least width of a picture with cycles in the table, in heights of the text
constexpr float kTableNeeds = 36;   ///< least width of a picture with a table, in heights of the text

/// The classes that the run has any cycles of, from the foot of a row upwards.
std::vector<std::size_t> classesOf(const sim::RunCosts& run) {
    const std::vector<sim::Cycles> sums = run.all.sumsOfAll(0, run.all.buckets());
    std::vector<std::size_t> out;
    for (std::size_t c = 0; c < sums.size(); ++c) {
        if (sums[c] > 0) out.push_back(c);
    }
    return out;
}

CellKey keyOf(const CyclesSubject& subject, const CyclesLook& look, bool hasTable) {
    const sim::CycleClasses& classes = subject.costs.classes();
    CellKey key;
    key.scaling = CellScaling::category;
    if (!hasTable) {
        for (const std::size_t c : classesOf(subject.run)) {
            key.signs.push_back({classes.words(c), cycleInk(look.ground, classes, c)});
        }
    }
    if (look.path) key.signs.push_back({"critical path", paletteFor(look.ground).criticalPath, true});
    key.note = "height: share of the CPU's cycles; along: cycles";
    if (subject.costs.step() > 1) {
        addNote(key, fmt::format("resolution: {} cycles", sim::grouped(subject.costs.step())));
    }
    return key;
}

int namesWidth(const CyclesSubject& subject, const CyclesLook& look) {
    const std::uint32_t cpus = subject.costs.cpus();
    float most = cpus > 1 ? widthOf("all CPUs", look.text) : 0;
    for (std::uint32_t cpu = 0; cpu < cpus; ++cpu) {
        most = std::max(most, widthOf(sim::cpuWords(subject.trace, cpu), look.text));
    }
    return static_cast<int>(std::ceil(std::min(most, 10 * look.text)));
}

/// In a narrow picture the table has shares only.
bool hasCycles(const CyclesLook& look) {
    return static_cast<float>(look.size.x) >= kCyclesNeed * look.text;
}

int tableWidth(const CyclesSubject& subject, const CyclesLook& look) {
    float names = widthOf("critical path", look.text);
    for (const std::size_t c : classesOf(subject.run)) {
        names = std::max(names, widthOf(subject.costs.classes().words(c), look.text));
    }
    const sim::Cycles most = subject.run.scale.end * subject.costs.cpus();
    const float cycles = hasCycles(look) ? widthOf(sim::grouped(most), look.text) + look.text : 0;
    return static_cast<int>(std::ceil(names + cycles + widthOf("100.0 %", look.text) + 3.5f * look.text));
}

/// The number of rows, and their height, that fit.
void layRows(CyclesFrame& frame, const CyclesLook& look, std::uint32_t cpus) {
    const int height = frame.body.height();
    // The row of all CPUs needs only the height of a text.
    frame.hasAll = cpus > 1 && height / static_cast<int>(cpus + 1) >= static_cast<int>(look.text);
    const std::uint32_t shown = std::min(cpus, static_cast<std::uint32_t>(std::max(1, height / kMinRow)));
    const std::size_t count = shown + (frame.hasAll ? 1 : 0);
    const int each = std::max(1, height / static_cast<int>(count));
    const int own = look.path ? kPath + 2 : 2;
    const int gap = each >= 4 * own ? own : each > 2 * kPath && look.path ? kPath : each > kMinRow ? 1 : 0;
    frame.rows = {.box = frame.body, .height = each, .gap = gap, .count = count};
}

/// Calls f(class, PixelBox) for the classes of a row, from the foot up.
template <class F>
void forEachPart(const std::vector<sim::Cycles>& sums, const PixelBox& box, F&& f) {
    const sim::Cycles all = std::accumulate(sums.begin(), sums.end(), sim::Cycles{0});
    if (all == 0) return;
    sim::Cycles before = 0;
    int bottom = box.high.y;
    for (std::size_t c = 0; c < sums.size(); ++c) {
        before += sums[c];
        const double share = static_cast<double>(before) / static_cast<double>(all);
        const int top = box.high.y - static_cast<int>(std::lround(share * box.height()));
        if (top < bottom) f(c, PixelBox{{box.low.x, top}, {box.high.x, bottom}});
        bottom = top;
    }
}

/// The buckets of a column of pixels: at least one, and those of neighbours follow each other.
Buckets bucketsAt(const CyclesSubject& subject, const CyclesFrame& frame, int x) {
    const sim::CycleCosts& costs = subject.costs;
    const auto at = [&](int column) {
        const double cycle = frame.axis.at(static_cast<float>(column)) - static_cast<double>(costs.range().from);
        const double buckets = std::max(0.0, cycle) / static_cast<double>(costs.step());
        // The last column has all of its last bucket, which may reach beyond what is seen.
        const double bucket = column < frame.body.high.x ? std::floor(buckets) : std::ceil(buckets);
        return std::min(static_cast<std::size_t>(bucket), costs.buckets());
    };
    std::size_t first = at(x);
    const std::size_t last = std::min(std::max(first + 1, at(x + 1)), costs.buckets());
    // Where this one begins in a bucket of its neighbour, as the last one may, the neighbour has all of that.
    if (last > first + 1 && x > frame.body.low.x && at(x - 1) == first) ++first;
    return {first, last};
}

/// Whether the run has ended at a column of pixels.
bool isBeyond(const CyclesSubject& subject, const CyclesFrame& frame, int x) {
    return frame.axis.at(static_cast<float>(x)) >= static_cast<double>(subject.run.scale.end);
}

void paintRow(FlatScene& scene, const CyclesSubject& subject, const CyclesLook& look, const CyclesFrame& frame,
              std::size_t row) {
    const PixelBox box = frame.rows.boxOf(row);
    const auto cpu = frame.cpuOf(row);
    const sim::CycleClasses& classes = subject.costs.classes();
    std::vector<Ink> inks;
    for (std::size_t c = 0; c < classes.size(); ++c) inks.push_back(cycleInk(look.ground, classes, c));
    for (int x = box.low.x; x < box.high.x && !isBeyond(subject, frame, x);) {
        const Buckets buckets = bucketsAt(subject, frame, x);
        int until = x + 1;
        while (until < box.high.x && !isBeyond(subject, frame, until) &&
               bucketsAt(subject, frame, until).first == buckets.first)
            ++until;
        forEachPart(sumsOf(subject.costs, cpu, buckets), {{x, box.low.y}, {until, box.high.y}},
                    [&](std::size_t c, const PixelBox& part) { scene.raster.fill(part, inks[c]); });
        x = until;
    }
}

void paintNames(FlatScene& scene, const CyclesSubject& subject, const CyclesLook& look, const CyclesFrame& frame) {
    const Palette& palette = paletteFor(look.ground);
    const auto name = [&](std::size_t row) {
        const auto cpu = frame.cpuOf(row);
        return cpu ? sim::cpuWords(subject.trace, *cpu) : std::string("all CPUs");
    };
    const auto colour = [&](std::size_t row) { return frame.cpuOf(row) == look.cpu ? palette.text : palette.muted; };
    addRowNames(scene, look, frame.rows, {.name = name, .colour = colour});
}

/// The strip in which the path runs along a row.
PixelBox pathStrip(const CyclesFrame& frame, std::uint32_t cpu, int from, int to) {
    const PixelBox row = frame.rows.boxOf(frame.rowOf(cpu));
    return {{from, row.high.y}, {std::max(to, from + 1), row.high.y + kPath}};
}

void paintPath(FlatScene& scene, const CyclesSubject& subject, const CyclesLook& look, const CyclesFrame& frame) {
    const std::vector<sim::PathSegment>& segments = subject.run.path.segments;
    const Rgba colour = paletteFor(look.ground).criticalPath;
    const TimeSpan& seen = frame.axis.span();
    auto at = std::upper_bound(segments.begin(), segments.end(), seen.from,
                               [](double t, const sim::PathSegment& s) { return t < static_cast<double>(s.to); });
    const auto xOf = [&](sim::Cycles cycle) {
        return std::clamp(static_cast<int>(std::floor(frame.axis.x(static_cast<double>(cycle)))), frame.body.low.x,
                          frame.body.high.x - 1);
    };
    int lastLink = -kDenseLinks;
    for (; at != segments.end() && static_cast<double>(at->from) < seen.to; ++at) {
        if (at->cpu >= frame.cpus()) continue;
        const PixelBox strip = pathStrip(frame, at->cpu, xOf(at->from), xOf(at->to));
        scene.raster.fill(strip, colour);
        const bool jumps = at != segments.begin() && static_cast<double>(at->from) >= seen.from;
        if (!jumps || (at - 1)->cpu >= frame.cpus()) continue;
        const PixelBox before = pathStrip(frame, (at - 1)->cpu, strip.low.x, strip.low.x + 1);
        // Where there are many, what lies under them is still seen.
        Rgba link = colour;
        link.a = strip.low.x - lastLink < kDenseLinks ? 60 : 200;
        lastLink = strip.low.x;
        scene.raster.blend({{strip.low.x, std::min(before.low.y, strip.low.y)},
                            {strip.low.x + 1, std::max(before.high.y, strip.high.y)}},
                           link);
    }
}

/// Writes the table, line by line.
class TableWriter {
  public:
    TableWriter(FlatScene& scene, const CyclesLook& look, const PixelBox& where)
        : scene_(scene), look_(look), where_(where), y_(where.low.y) {}

    bool hasRoom() const { return y_ + look_.em(kTableLine) <= where_.high.y; }
    void line(const std::optional<Ink>& sign, const std::string& name, sim::Cycles cycles, sim::Cycles all,
              Rgba colour) {
        if (!hasRoom()) return;
        const int side = static_cast<int>(look_.text);
        if (sign) scene_.raster.fill({{where_.low.x, y_ + 2}, {where_.low.x + side, y_ + 2 + side}}, *sign);
        put(name, where_.low.x + (sign ? side + side / 2 : 0), colour);
        const double percent = all == 0 ? 0 : 100.0 * static_cast<double>(cycles) / static_cast<double>(all);
        right(fmt::format("{:.1f} %", percent), where_.high.x, colour);
        if (!hasCycles(look_)) return nextLine();
        right(sim::grouped(cycles), where_.high.x - static_cast<int>(widthOf("100.0 %", look_.text) + look_.text),
              colour);
        nextLine();
    }
    void words(const std::string& words, Rgba colour) {
        if (!hasRoom()) return;
        put(shortened(words, static_cast<float>(where_.width()), look_.text), where_.low.x, colour);
        nextLine();
    }
    void space() { y_ += look_.em(kTableLine) / 2; }

  private:
    void nextLine() { y_ += look_.em(kTableLine); }
    void put(const std::string& words, int x, Rgba colour) {
        scene_.labels.push_back(cornerLabel(words, {x, y_}, look_.text, colour));
    }
    void right(const std::string& words, int x, Rgba colour) {
        put(words, x - static_cast<int>(std::ceil(widthOf(words, look_.text))), colour);
    }

    FlatScene& scene_;
    const CyclesLook& look_;
    PixelBox where_;
    int y_;
};

/// The cycles of the path in a range, and how often it goes over to another CPU there.
struct PathPart {
    sim::Cycles cycles = 0;
    std::uint64_t changes = 0;
};
PathPart partOf(const sim::CriticalPath& path, const sim::CycleRange& range) {
    PathPart out;
    for (const sim::PathSegment& s : path.segments) {
        if (s.to <= range.from || s.from >= range.to) continue;
        out.cycles += std::min(s.to, range.to) - std::max(s.from, range.from);
        if (s.waited && s.from >= range.from) ++out.changes;
    }
    return out;
}

void paintTable(FlatScene& scene, const CyclesSubject& subject, const CyclesLook& look, const CyclesFrame& frame) {
    const Palette& palette = paletteFor(look.ground);
    const sim::CycleClasses& classes = subject.costs.classes();
    const Buckets buckets = seenBuckets(subject, frame);
    const auto cpu = look.cpu && *look.cpu < subject.costs.cpus() ? look.cpu : std::nullopt;
    const std::vector<sim::Cycles> sums = sumsOf(subject.costs, cpu, buckets);
    const sim::Cycles all = std::accumulate(sums.begin(), sums.end(), sim::Cycles{0});
    const sim::CycleRange range = subject.costs.cyclesOf(buckets.first, buckets.last);
    TableWriter writer(scene, look, *frame.table);
    writer.words(fmt::format("cycles {} – {}{}", sim::grouped(range.from), sim::grouped(range.to),
                             subject.costs.cpus() == 1 ? ""
                             : cpu                     ? ", " + sim::cpuWords(subject.trace, *cpu)
                                                       : ", all CPUs"),
                 palette.muted);
    std::vector<std::size_t> fromTop = classesOf(subject.run);
    std::reverse(fromTop.begin(), fromTop.end());
    for (const std::size_t c : fromTop) {
        writer.line(cycleInk(look.ground, classes, c), classes.words(c), sums[c], all, palette.text);
    }
    writer.line({}, "together", all, all, palette.muted);
    if (!look.path) return;
    const PathPart part = partOf(subject.run.path, range);
    writer.space();
    writer.words(fmt::format("critical path: {} cycles,", sim::grouped(part.cycles)), palette.text);
    writer.words(sim::counted(part.changes, "change of CPU", "changes of CPU"), palette.text);
}

}  // namespace

std::optional<std::uint32_t> CyclesFrame::cpuOf(std::size_t row) const {
    if (hasAll && row == 0) return std::nullopt;
    return static_cast<std::uint32_t>(row - (hasAll ? 1 : 0));
}

CyclesFrame cyclesFrame(const CyclesSubject& subject, const CyclesLook& look) {
    const int margin = look.margin();
    const bool hasTable = static_cast<float>(look.size.x) >= kTableNeeds * look.text;
    const int table = hasTable ? tableWidth(subject, look) + margin : 0;
    const ChartFrame whole = chartFrame(look, keyOf(subject, look, hasTable));
    CyclesFrame frame{timeFrame(whole, look, namesWidth(subject, look) + margin, table, look.seen,
                                std::max(look.seen.to, static_cast<double>(subject.run.scale.end)))};
    layRows(frame, look, subject.costs.cpus());
    const int left = frame.body.high.x + margin;
    if (hasTable) frame.table = PixelBox{{left, frame.body.low.y}, {look.size.x - margin, frame.ruler.high.y}};
    return frame;
}

Buckets seenBuckets(const CyclesSubject& subject, const CyclesFrame& frame) {
    return {bucketsAt(subject, frame, frame.body.low.x).first, bucketsAt(subject, frame, frame.body.high.x - 1).last};
}

std::vector<sim::Cycles> sumsOf(const sim::CycleCosts& costs, std::optional<std::uint32_t> cpu,
                                const Buckets& buckets) {
    return cpu ? costs.sums(*cpu, buckets.first, buckets.last) : costs.sumsOfAll(buckets.first, buckets.last);
}

FlatScene cyclesScene(const CyclesSubject& subject, const CyclesLook& look) {
    const CyclesFrame frame = cyclesFrame(subject, look);
    FlatScene scene = chartScene(look, frame.all);
    for (std::size_t row = 0; row < frame.rows.count; ++row) paintRow(scene, subject, look, frame, row);
    if (look.chosen) paintChosen(scene, frame.axis, frame.body, *look.chosen);
    if (look.path) paintPath(scene, subject, look, frame);
    paintRuler(scene, frame, look.text);
    paintNames(scene, subject, look, frame);
    if (frame.table) paintTable(scene, subject, look, frame);
    std::string title = "Costs over time";
    if (frame.cpus() < subject.costs.cpus()) {
        title += fmt::format(", the first {} of {} CPUs", frame.cpus(), subject.costs.cpus());
    }
    addTitle(scene, look, title);
    paintKey(scene, keyOf(subject, look, frame.table.has_value()), frame.key, look.text);
    return scene;
}

std::optional<CyclesHit> cyclesAt(const CyclesSubject& subject, const CyclesLook& look, glm::ivec2 at) {
    const CyclesFrame frame = cyclesFrame(subject, look);
    const auto row = frame.rows.rowAt(at);
    if (!row || isBeyond(subject, frame, at.x)) return std::nullopt;
    const PixelBox box = frame.rows.boxOf(*row);
    CyclesHit hit;
    hit.cpu = frame.cpuOf(*row);
    hit.buckets = bucketsAt(subject, frame, at.x);
    int left = at.x;
    int right = at.x + 1;
    while (left > box.low.x && bucketsAt(subject, frame, left - 1).first == hit.buckets.first) --left;
    while (right < box.high.x && bucketsAt(subject, frame, right).first == hit.buckets.first) ++right;
    const PixelBox column{{left, box.low.y}, {right, box.high.y}};
    const int y = std::min(at.y, box.high.y - 1);
    std::optional<std::size_t> what;
    forEachPart(sumsOf(subject.costs, hit.cpu, hit.buckets), column, [&](std::size_t c, const PixelBox& part) {
        if (y < part.low.y || y >= part.high.y) return;
        what = c;
        hit.box = part;
    });
    if (!what) return std::nullopt;
    hit.what = *what;
    return hit;
}

}  // namespace whorl::scene
