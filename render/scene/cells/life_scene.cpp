#include "render/scene/cells/life_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <tuple>
#include <utility>

#include "render/scene/cells/chart.h"
#include "render/scene/palette.h"
#include "render/scene/text_width.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

using sim::LifeEdge;
using sim::LifeNode;

// Lengths in heights of the text, unless noted.
constexpr float kBroadest = 0.55f;  ///< greatest breadth of a move
constexpr float kReach = 0.4f;      ///< LifeFrame::reach, as a share of the size of the text
constexpr float kMinName = 0.6f;    ///< least size of a CPU's name

constexpr float kHeadGap = 0.5f;    ///< gap between the names of columns
constexpr float kMaxHeads = 0.25f;  ///< share of the picture's height for the names of columns

constexpr std::size_t kMaxPaths = 64;
constexpr int kSteps = 24;  ///< straight pieces of a path

/// The colour of expensive moves, out of another CPU's cache; not red, which is for misses.
Rgba takenColour(Ground ground) {
    return paletteFor(ground).temperatureRim.high;
}
Rgba moveColour(Ground ground) {
    return paletteFor(ground).muted;
}

CellKey keyOf(const LifeLook& look, const LifeFrame& frame) {
    CellKey key;
    key.scaling = CellScaling::category;
    key.signs = {{"taken from another CPU", takenColour(look.ground), true},
                 {"other moves of blocks", moveColour(look.ground), true}};
    key.note = "box: accesses (height) over time; line width: number of moves; left to right: by mean time";
    if (frame.hidden > 0) {
        addNote(key, fmt::format("not drawn: {} of {}", sim::counted(frame.hiddenMoves, "move", "moves"),
                                 sim::counted(frame.hidden, "rare kind", "rare kinds")));
    }
    return key;
}

/// The moves to draw, in painting order: the most expensive ones last, moves of equal cost by frequency. Counts the
/// others in `frame`.
std::vector<std::size_t> drawnEdges(const sim::ObjectLife& life, LifeFrame& frame) {
    std::vector<std::size_t> order(life.edges.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const LifeEdge& x = life.edges[a];
        const LifeEdge& y = life.edges[b];
        return std::tuple(x.taken.cycles, x.count) > std::tuple(y.taken.cycles, y.count);
    });
    for (std::size_t i = kMaxPaths; i < order.size(); ++i) {
        ++frame.hidden;
        frame.hiddenMoves += life.edges[order[i]].count;
    }
    order.resize(std::min(order.size(), kMaxPaths));
    std::reverse(order.begin(), order.end());
    return order;
}

std::vector<glm::vec2> curve(glm::vec2 a, glm::vec2 out, glm::vec2 in, glm::vec2 b) {
    std::vector<glm::vec2> points;
    points.reserve(kSteps + 1);
    for (int i = 0; i <= kSteps; ++i) {
        const float t = static_cast<float>(i) / kSteps;
        const float u = 1 - t;
        points.push_back(u * u * u * a + 3 * u * u * t * out + 3 * u * t * t * in + t * t * t * b);
    }
    return points;
}

/// The path from one box to another: to a later column out of the right side, to an earlier one out of the left side.
/// Within a column, down on the right side and up on the left one, so that blocks that go to and fro make a braid.
std::vector<glm::vec2> pathOf(const LifeFrame& frame, const LifeNode& from, const LifeNode& to, const PixelBox& a,
                              const PixelBox& b) {
    const auto side = [](const PixelBox& box, bool right, float share) {
        const auto height = static_cast<float>(box.height());
        return glm::vec2(static_cast<float>(right ? box.high.x : box.low.x),
                         static_cast<float>(box.low.y) + share * height);
    };
    constexpr float kOut = 0.68f;  // where moves leave a box, and where they reach one
    constexpr float kIn = 0.32f;
    if (from.code == to.code) {
        const bool right = to.cpu > from.cpu;
        const glm::vec2 start = side(a, right, right ? kOut : kIn);
        const glm::vec2 stop = side(b, right, right ? kIn : kOut);
        const float lanes = std::abs(stop.y - start.y) / static_cast<float>(std::max(1, frame.rows.height));
        const float room = frame.columnWidth - static_cast<float>(a.width());
        const float bulge = std::min(0.45f * room, room * (0.1f + 0.09f * lanes)) * (right ? 1.0f : -1.0f) * 1.33f;
        return curve(start, start + glm::vec2(bulge, 0), stop + glm::vec2(bulge, 0), stop);
    }
    const bool later = to.code > from.code;
    const glm::vec2 start = side(a, later, later ? kOut : kIn);
    const glm::vec2 stop = side(b, !later, later ? kIn : kOut);
    const float reach = 0.5f * (stop.x - start.x);
    // The path bends around the boxes in between: below them to a later column, above them to an earlier one.
    const auto columns = static_cast<float>(later ? to.code - from.code : from.code - to.code);
    const float rise =
        columns > 1 ? std::min(0.4f, 0.22f + 0.03f * columns) * static_cast<float>(frame.rows.height) * (later ? 1 : -1)
                    : 0;
    return curve(start, start + glm::vec2(reach, rise), stop + glm::vec2(-reach, rise), stop);
}

void placeBoxes(LifeFrame& frame, const sim::ObjectLife& life, const LifeLook& look) {
    std::uint64_t most = 1;
    for (const LifeNode& n : life.nodes) most = std::max(most, n.accesses);
    const int numbers = look.line();
    const bool hasNumbers = frame.rows.height >= 3 * numbers;
    const int room = frame.rows.height - (hasNumbers ? numbers : 0);
    const int least = std::max(1, room / 5);
    const int highest = std::max(least, room * 4 / 5);
    const int width = std::max(1, static_cast<int>(0.42f * frame.columnWidth));
    for (const LifeNode& n : life.nodes) {
        const auto lane = std::find(frame.lanes.begin(), frame.lanes.end(), n.cpu) - frame.lanes.begin();
        const float share = std::sqrt(static_cast<float>(n.accesses) / static_cast<float>(most));
        const int height = least + static_cast<int>(share * static_cast<float>(highest - least));
        const int x = frame.rows.box.low.x + static_cast<int>((static_cast<float>(n.code) + 0.5f) * frame.columnWidth) -
                      width / 2;
        const int y = frame.rows.box.low.y + static_cast<int>(lane) * frame.rows.height + (room - height) / 2;
        frame.boxes.push_back({{x, y}, {x + width, y + height}});
    }
}

std::string laneName(const sim::LifeWords& words, std::uint32_t cpu) {
    return words.machine.cpus > 1 ? words.cpu(cpu) : std::string();
}

/// When a node had its accesses: the highest bar is as high as the box.
void paintWhen(FlatScene& scene, const LifeNode& node, const PixelBox& box, Rgba colour) {
    const std::uint64_t most = *std::max_element(node.when.begin(), node.when.end());
    if (most == 0 || box.width() < 8) return;
    const auto bins = static_cast<int>(LifeNode::kBins);
    for (int b = 0; b < bins; ++b) {
        const std::uint64_t count = node.when[static_cast<std::size_t>(b)];
        if (count == 0) continue;
        const int left = box.low.x + b * box.width() / bins;
        const int right = std::max(left + 1, box.low.x + (b + 1) * box.width() / bins);
        const auto height = std::max(1, static_cast<int>(static_cast<double>(count) / static_cast<double>(most) *
                                                         static_cast<double>(box.height())));
        scene.raster.fill({{left, box.high.y - height}, {right, box.high.y}}, colour);
    }
}

void paintLanes(FlatScene& scene, const sim::LifeWords& words, const LifeLook& look, const LifeFrame& frame) {
    for (std::size_t l = 0; l < frame.rows.count; ++l) {
        scene.raster.fill(frame.rows.boxOf(l), paletteFor(look.ground).untouched);
    }
    addRowNames(
        scene, look, frame.rows,
        {.name = [&](std::size_t l) { return laneName(words, frame.lanes[l]); },
         .colour = [&](std::size_t l) { return nameColour(cpuColour(look.ground, frame.lanes[l]), look.ground); },
         .smallest = kMinName});
}

/// The number of lines over which the names of columns alternate: enough for each name, but at most a share of the
/// picture's height.
int headTiersOf(const sim::ObjectLife& life, const LifeLook& look, float columnWidth) {
    const int most = static_cast<int>(kMaxHeads * static_cast<float>(look.size.y)) / look.line();
    float widest = 0;
    for (const sim::LifeCode& code : life.codes) widest = std::max(widest, widthOf(code.name, look.text));
    const float wanted = std::ceil((widest + kHeadGap * look.text) / columnWidth);
    if (wanted <= 1) return 1;
    return static_cast<int>(std::clamp(wanted, 2.0f, static_cast<float>(std::max(2, most))));
}

/// Adds the names in line `tier`, those of every n-th column (n = headTiers): over their columns, but apart from each
/// other and inside of the picture.
void addHeads(FlatScene& scene, const sim::LifeWords& words, const LifeLook& look, const LifeFrame& frame, int tier) {
    const float gap = kHeadGap * look.text;
    const float room = frame.columnWidth * static_cast<float>(frame.headTiers) - gap;
    const int y = frame.rows.box.low.y - (frame.headTiers - tier) * look.line();
    const std::size_t first = scene.labels.size();
    float from = static_cast<float>(frame.rows.box.low.x);
    for (auto i = static_cast<std::size_t>(tier); i < words.life.codes.size();
         i += static_cast<std::size_t>(frame.headTiers)) {
        const std::string name = shortened(words.life.codes[i].name, room, look.text);
        const float middle =
            static_cast<float>(frame.rows.box.low.x) + (static_cast<float>(i) + 0.5f) * frame.columnWidth;
        Label label = cornerLabel(name, {0, y}, look.text, paletteFor(look.ground).text);
        label.at.x = std::floor(std::max(from, middle - widthOf(name, look.text) / 2));
        from = label.at.x + widthOf(name, look.text) + gap;
        scene.labels.push_back(std::move(label));
    }
    float to = static_cast<float>(look.size.x - look.margin());
    for (std::size_t i = scene.labels.size(); i-- > first;) {
        Label& label = scene.labels[i];
        label.at.x = std::floor(std::min(label.at.x, to - widthOf(label.text, look.text)));
        to = label.at.x - gap;
    }
}

void paintBoxes(FlatScene& scene, const sim::LifeWords& words, const LifeLook& look, const LifeFrame& frame) {
    const int numbers = look.line();
    for (std::size_t n = 0; n < frame.boxes.size(); ++n) {
        const LifeNode& node = words.life.nodes[n];
        const PixelBox& box = frame.boxes[n];
        const Rgba colour = cpuColour(look.ground, node.cpu);
        constexpr float kDimmed = 0.28f;
        scene.raster.fill(box, mixed(scene.background, colour, kDimmed));
        paintWhen(scene, node, box, colour);
        scene.raster.frame(box, 1, colour);
        if (look.chosen == node.code) {
            const int thick = std::max(2, look.em(0.16f));
            scene.raster.frame({box.low - thick, box.high + thick}, thick, look.chosenColour);
        }
        if (frame.rows.height < 3 * numbers) continue;
        const float room = frame.columnWidth - 4;
        const std::string accesses =
            node.accesses == 1 ? std::string("1 access") : sim::roughCount(node.accesses) + " accesses";
        std::string caption = fmt::format("{}, {} cycles", accesses, sim::roughCount(node.cycles));
        if (widthOf(caption, look.text) > room) caption = accesses;
        if (widthOf(caption, look.text) > room) caption = sim::roughCount(node.accesses);
        if (widthOf(caption, look.text) > room) continue;
        Label label;
        label.text = caption;
        const auto lane = (box.low.y - frame.rows.box.low.y) / frame.rows.height;
        label.at = {static_cast<float>(box.low.x + box.high.x) / 2,
                    static_cast<float>(frame.rows.box.low.y + (lane + 1) * frame.rows.height) -
                        0.5f * static_cast<float>(look.line())};
        label.size = look.text;
        label.colour = paletteFor(look.ground).text;
        scene.labels.push_back(std::move(label));
    }
}

void paintPath(FlatScene& scene, const LifePath& path, Rgba colour, float text) {
    for (std::size_t i = 1; i < path.points.size(); ++i) {
        scene.strokes.push_back({path.points[i - 1], path.points[i], path.width, colour, colour});
    }
    // The head of an arrow.
    const glm::vec2 tip = path.points.back();
    const glm::vec2 way = tip - path.points[path.points.size() - 3];
    const float length = glm::length(way);
    if (length <= 0) return;
    const glm::vec2 back = way / length * (0.35f * text + path.width);
    const glm::vec2 aside(-back.y * 0.55f, back.x * 0.55f);
    const float width = std::max(1.2f, 0.6f * path.width);
    scene.strokes.push_back({tip, tip - back + aside, width, colour, colour});
    scene.strokes.push_back({tip, tip - back - aside, width, colour, colour});
}

/// The boxes that the labels of a picture cover.
std::vector<PixelBox> coveredBy(const std::vector<Label>& labels) {
    std::vector<PixelBox> covered;
    for (const Label& l : labels) {
        const glm::ivec2 size(widthOf(l.text, l.size), l.size);
        const glm::ivec2 low = l.kind == Label::Kind::corner ? glm::ivec2(l.at) : glm::ivec2(l.at) - size / 2;
        covered.push_back({low, low + size});
    }
    return covered;
}

/// Where a text can stand beside a path, best first: on either side of it, or on it.
std::vector<glm::vec2> placesBeside(const LifePath& path, glm::vec2 half) {
    std::vector<glm::vec2> places;
    constexpr std::array kAlong = {kSteps / 2, kSteps / 3, 2 * kSteps / 3, kSteps / 4, 3 * kSteps / 4};
    for (const bool isOn : {false, true}) {
        for (const int along : kAlong) {
            const auto i = static_cast<std::size_t>(along);
            const glm::vec2 way = path.points[i + 1] - path.points[i - 1];
            const float length = glm::length(way);
            if (length <= 0) continue;
            const glm::vec2 aside = glm::vec2(way.y, -way.x) / length;
            // Not quite clear of a slanting line: the outline of the text keeps it readable.
            const float far = 0.75f * (half.x * std::abs(aside.x) + half.y * std::abs(aside.y)) + path.width / 2 + 2;
            if (isOn) {
                places.push_back(path.points[i]);
            } else {
                places.push_back(path.points[i] + far * aside);
                places.push_back(path.points[i] - far * aside);
            }
        }
    }
    return places;
}

/// How much of the paths a box covers.
std::size_t pointsIn(const PixelBox& box, const LifeFrame& frame) {
    std::size_t points = 0;
    for (const LifePath& path : frame.paths) {
        points += static_cast<std::size_t>(std::count_if(path.points.begin(), path.points.end(),
                                                         [&](glm::vec2 p) { return box.contains(glm::ivec2(p)); }));
    }
    return points;
}

/// Adds the cycles of expensive moves beside these, the most expensive first, where there is free room.
void addPrices(FlatScene& scene, const sim::LifeWords& words, const LifeLook& look, const LifeFrame& frame) {
    std::vector<PixelBox> covered = coveredBy(scene.labels);
    covered.insert(covered.end(), frame.boxes.begin(), frame.boxes.end());
    const auto place = [&](const LifePath& path, const std::string& text) {
        const glm::ivec2 half(widthOf(text, look.text) / 2 + 2, look.text / 2 + 1);
        std::optional<glm::vec2> best;
        std::size_t fewest = 0;
        for (const glm::vec2 at : placesBeside(path, half)) {
            const PixelBox box{glm::ivec2(at) - half, glm::ivec2(at) + half};
            const bool isFree = std::all_of(covered.begin(), covered.end(),
                                            [&](const PixelBox& c) { return commonOf(c, box).isEmpty(); });
            if (!isFree || !(commonOf(box, frame.rows.box) == box)) continue;
            const std::size_t under = pointsIn(box, frame);
            if (best && under >= fewest) continue;
            best = at;
            fewest = under;
        }
        if (!best) return false;
        Label label;
        label.text = text;
        label.at = *best;
        label.size = look.text;
        label.colour = nameColour(takenColour(look.ground), look.ground);
        scene.labels.push_back(std::move(label));
        covered.push_back({glm::ivec2(*best) - half, glm::ivec2(*best) + half});
        return true;
    };
    for (auto path = frame.paths.rbegin(); path != frame.paths.rend() && path->isTaken; ++path) {
        const LifeEdge& edge = words.life.edges[path->edge];
        const bool isBack = words.life.nodes[edge.from].cpu == words.life.nodes[edge.to].cpu;
        const std::string cycles = sim::roughCount(edge.taken.cycles) + " cycles";
        const std::string share = fmt::format("{} of {} taken{}, {}", sim::roughCount(edge.taken.count),
                                              sim::roughCount(edge.count), isBack ? " back" : "", cycles);
        if (!place(*path, share)) place(*path, cycles);
    }
}

float distance(glm::vec2 p, glm::vec2 a, glm::vec2 b) {
    const glm::vec2 along = b - a;
    const float square = glm::dot(along, along);
    const float share = square > 0 ? std::clamp(glm::dot(p - a, along) / square, 0.0f, 1.0f) : 0.0f;
    return glm::length(p - a - share * along);
}

/// The first lines, with a sign that there are more.
void cutTo(std::vector<std::string>& lines, std::size_t most, const LifeLook& look) {
    if (lines.size() <= most) return;
    lines.resize(most);
    if (most > 0) lines.back() = shortened(lines.back() + " …", look.widthInside(), look.text);
}

}  // namespace

LifeFrame lifeFrame(const sim::LifeWords& words, const LifeLook& look) {
    const sim::ObjectLife& life = words.life;
    const int margin = look.margin();
    LifeFrame frame;
    for (const LifeNode& n : life.nodes) frame.lanes.push_back(n.cpu);
    std::sort(frame.lanes.begin(), frame.lanes.end());
    frame.lanes.erase(std::unique(frame.lanes.begin(), frame.lanes.end()), frame.lanes.end());
    const std::vector<std::size_t> drawn = drawnEdges(life, frame);
    const int key = keyHeight(keyOf(look, frame), static_cast<int>(look.widthInside()), look.text);
    const int quarter = look.size.y / 4 / look.line() * look.line();
    static_cast<ChartFrame&>(frame) = chartFrame(look, std::min(key, quarter));

    float names = 0;
    for (const std::uint32_t cpu : frame.lanes) names = std::max(names, widthOf(laneName(words, cpu), look.text));
    const int forNames = static_cast<int>(std::min(std::ceil(names) + 1, 0.25f * static_cast<float>(look.size.x)));
    PixelBox& area = frame.rows.box;
    area = frame.body;
    area.low.x += forNames > 0 ? forNames + margin : 0;
    area.high.x = std::max(area.low.x + 1, area.high.x);
    const auto columns = static_cast<float>(std::max<std::size_t>(1, life.codes.size()));
    frame.columnWidth = static_cast<float>(area.width()) / columns;
    frame.headTiers = headTiersOf(life, look, frame.columnWidth);
    // Under the title: its beginning, its end, the sums; then the names of the columns.
    const auto inLines = [&](const std::string& sentence) { return wrapped(sentence, look.widthInside(), look.text); };
    frame.sentences = inLines(words.beginning());
    const bool isTouched = !life.nodes.empty();
    for (const std::string& line : inLines(isTouched ? words.end() : "Nothing touched it in these accesses.")) {
        frame.sentences.push_back(line);
    }
    if (isTouched) frame.sums = inLines(words.sums());
    // In a small picture the lanes have most of the room; the sums come before when it began and ended.
    const auto fitting = static_cast<std::size_t>(std::max(1, frame.body.height() * 2 / 5 / look.line()));
    cutTo(frame.sums, fitting, look);
    cutTo(frame.sentences, fitting - frame.sums.size(), look);
    const int count = static_cast<int>(frame.sentences.size() + frame.sums.size());
    area.low.y += (count + frame.headTiers) * look.line() + margin / 2;
    const int lanes = std::max(1, static_cast<int>(frame.lanes.size()));
    const int height = std::max(1, (area.high.y - area.low.y) / lanes);
    area.high.y = area.low.y + lanes * height;
    frame.reach = kReach * look.text;
    frame.rows = {.box = area, .height = height, .gap = 1, .count = frame.lanes.size()};
    placeBoxes(frame, life, look);

    std::uint64_t most = 1;
    for (const LifeEdge& e : life.edges) most = std::max(most, e.count);
    for (const std::size_t e : drawn) {
        const LifeEdge& edge = life.edges[e];
        const float share = std::sqrt(static_cast<float>(edge.count) / static_cast<float>(most));
        frame.paths.push_back(
            {e, pathOf(frame, life.nodes[edge.from], life.nodes[edge.to], frame.boxes[edge.from], frame.boxes[edge.to]),
             1 + share * (kBroadest * look.text - 1), edge.taken.cycles > 0});
    }
    return frame;
}

FlatScene lifeScene(const sim::LifeWords& words, const LifeLook& look, const LifeFrame& frame) {
    const Palette& palette = paletteFor(look.ground);
    FlatScene scene = chartScene(look, frame.rows.box);
    addTitle(scene, look, "Life of " + words.subject());
    glm::ivec2 at = frame.body.low;
    const auto addLine = [&](const std::string& line, Rgba colour) {
        scene.labels.push_back(cornerLabel(line, at, look.text, colour));
        at.y += look.line();
    };
    for (const std::string& line : frame.sentences) addLine(line, palette.muted);
    if (words.life.nodes.empty()) return scene;
    for (const std::string& sum : frame.sums) addLine(sum, palette.text);
    paintLanes(scene, words, look, frame);
    for (int tier = 0; tier < frame.headTiers; ++tier) addHeads(scene, words, look, frame, tier);
    paintBoxes(scene, words, look, frame);
    for (const LifePath& path : frame.paths) {
        paintPath(scene, path, path.isTaken ? takenColour(look.ground) : moveColour(look.ground), look.text);
    }
    addPrices(scene, words, look, frame);
    paintKey(scene, keyOf(look, frame), frame.key, look.text);
    return scene;
}

std::optional<std::uint32_t> lifeNodeAt(const LifeFrame& frame, glm::ivec2 at) {
    for (std::size_t n = 0; n < frame.boxes.size(); ++n) {
        if (frame.boxes[n].contains(at)) return static_cast<std::uint32_t>(n);
    }
    return std::nullopt;
}

std::optional<std::size_t> lifeEdgeAt(const LifeFrame& frame, glm::ivec2 at) {
    if (!frame.rows.box.contains(at)) return std::nullopt;
    std::optional<std::size_t> best;
    float nearest = frame.reach;
    const glm::vec2 p = glm::vec2(at) + 0.5f;
    for (const LifePath& path : frame.paths) {
        for (std::size_t i = 1; i < path.points.size(); ++i) {
            const float far = distance(p, path.points[i - 1], path.points[i]) - path.width / 2;
            // Of paths that cover each other, take the upper one.
            if (far > nearest && far > 0) continue;
            nearest = std::max(far, 0.0f);
            best = path.edge;
        }
    }
    return best;
}

}  // namespace whorl::scene
