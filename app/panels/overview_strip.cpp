// The trace from left to right, all of it or the stretch that is seen: one row per level, each pixel column for the
// accesses under it; the ruler, the selected range, and the playhead.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <utility>

#include "app/commands/searching.h"
#include "app/panels/mouse.h"
#include "app/panels/panels.h"
#include "app/panels/strip_columns.h"
#include "app/panels/widgets.h"
#include "app/session/selection.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

constexpr float kRowGap = 2;  ///< pixels at scale 1

struct Strip {
    ImVec2 from;
    ImVec2 size;
    scene::TimeAxis axis;
    float ruler = 0;  ///< the height of the ruler below the rows

    float x(double tick) const { return axis.x(tick); }
    double tick(float at) const { return axis.at(at); }
    float right() const { return from.x + size.x; }
    float inside(float x) const { return std::clamp(x, from.x, right()); }
};

/// Calls f(StripColumn) for every pixel column.
template <class F>
void eachStripColumn(const PanelContext& c, const Strip& strip, F&& f) {
    eachColumn(strip.axis.span(), strip.from.x, strip.size.x, c.context.end(), std::forward<F>(f));
}

void drawGround(const PanelContext& c, const Strip& strip, const StripRow& row) {
    ImGui::GetWindowDrawList()->AddRectFilled({strip.from.x, row.top},
                                              {strip.inside(strip.x(c.context.end())), row.top + row.height},
                                              packed(c.colours().frame));
}

/// Draws the hit rates of a level: as an area, or only its upper edge.
void drawRates(const PanelContext& c, const Strip& strip, const StripRow& row, std::size_t level, bool edge) {
    ImVec4 bar = edge ? c.colours().text : c.colours().accent;
    bar.w = 0.75f;
    const float thick = std::max(1.0f, c.scale);
    eachStripColumn(c, strip, [&](const StripColumn& column) {
        drawHitRate(row, column.x, c.overviewSeen().share(level, column.from, column.to), packed(bar), edge, thick);
    });
}

/// One column of stacked parts, the first at the bottom, as high as the row.
void drawStack(const StripRow& row, float x, std::span<const std::uint64_t> parts, std::span<const ImU32> colours) {
    std::uint64_t all = 0;
    for (const std::uint64_t part : parts) all += part;
    float bottom = row.top + row.height;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i] == 0) continue;
        const float height = row.height * static_cast<float>(parts[i]) / static_cast<float>(all);
        ImGui::GetWindowDrawList()->AddRectFilled({x, bottom - height}, {x + 1, bottom}, colours[i]);
        bottom -= height;
    }
}

/// The share of each kind of miss.
void drawKinds(const PanelContext& c, const Strip& strip, const StripRow& row, std::size_t level) {
    std::array<ImU32, sim::kMissKinds> colours{};
    for (std::size_t k = 0; k < colours.size(); ++k) colours[k] = kindColour(c, k);
    eachStripColumn(c, strip, [&](const StripColumn& column) {
        drawStack(row, column.x, c.overviewSeen().share(level, column.from, column.to).misses, colours);
    });
}

/// The share of the accesses to each region.
void drawRegionShares(const PanelContext& c, const Strip& strip, const StripRow& row) {
    const std::size_t regions = c.overviewSeen().regions();
    // A column is one pixel wide: the stripes of all textures stand upright.
    std::vector<ImU32> colours(regions);
    std::vector<ImU32> stripes(regions);
    for (std::size_t r = 0; r < regions; ++r) {
        const bool isOthers = r + 1 == sim::Overview::kMaxRegions && c.trace().regions().size() > r;
        const bool known = r < c.trace().regions().size() && !isOthers;
        const scene::Ink ink = known ? inkOfRegion(c, r) : scene::paletteFor(c.context.ground).scrap;
        colours[r] = packed(ink.colour);
        stripes[r] = packed(ink.texture == scene::Texture::plain ? ink.colour : ink.stripe);
    }
    std::vector<std::uint64_t> parts(regions);
    eachStripColumn(c, strip, [&](const StripColumn& column) {
        for (std::size_t r = 0; r < regions; ++r) parts[r] = c.overviewSeen().regionShare(r, column.from, column.to);
        const bool inStripe = isStripe(scene::Texture::upright, {static_cast<int>(column.x), 0});
        drawStack(row, column.x, parts, inStripe ? stripes : colours);
    });
}

/// Whether the strip has one row, of amounts.
bool showsAmounts(const PanelContext& c) {
    return c.context.strip == StripShows::traffic || c.context.strip == StripShows::cycles;
}

/// The amounts in a column of such a strip, stacked from the bottom up; their height is per access.
struct StripAmount {
    std::array<std::uint64_t, 2> parts{};
    std::uint64_t accesses = 1;
    double height() const { return static_cast<double>(parts[0] + parts[1]) / static_cast<double>(accesses); }
};

StripAmount amountIn(const PanelContext& c, std::uint64_t from, std::uint64_t to) {
    const sim::Overview& overview = c.overviewSeen();
    const std::uint64_t accesses =
        std::max<std::uint64_t>(1, overview.outward({sim::Tick{from}, sim::Tick{to}}).size());
    if (c.context.strip == StripShows::cycles) return {{overview.cycles(from, to), 0}, accesses};
    const sim::MemoryCounters memory = overview.memory(from, to);
    return {{memory.reads, memory.writes}, accesses};
}

/// What accesses cost, or the blocks read from memory and, above them, written to it: an access, the most as high as
/// the row.
void drawAmounts(const PanelContext& c, const Strip& strip, const StripRow& row) {
    std::vector<std::pair<float, StripAmount>> columns;
    double most = 0;
    eachStripColumn(c, strip, [&](const StripColumn& column) {
        columns.emplace_back(column.x, amountIn(c, column.from, column.to));
        most = std::max(most, columns.back().second.height());
    });
    const std::array<ImU32, 2> colours{packed(c.colours().accent), packed(scene::paletteFor(c.context.ground).dirty)};
    for (const auto& [x, amount] : columns) {
        if (amount.height() == 0) continue;
        const float height = row.height * static_cast<float>(amount.height() / most);
        drawStack({row.top + row.height - height, height}, x, amount.parts, colours);
    }
}

/// Smaller where rows are low; a capital takes less than three quarters of its line, so lines may overlap by the rest.
void drawName(const PanelContext& c, const Strip& strip, const StripRow& row, const std::string& name) {
    ImFont* const font = c.fonts.small;
    const float size = std::min(font->FontSize, 1.3f * (row.height + kRowGap * c.scale));
    if (size < 8 * c.scale) return;
    const ImVec2 text = font->CalcTextSizeA(size, FLT_MAX, 0, name.c_str());
    const ImVec2 at(strip.from.x - text.x - 6 * c.scale, row.top + (row.height - text.y) / 2);
    ImGui::GetWindowDrawList()->AddText(font, size, at, packed(c.colours().muted), name.c_str());
    if (c.places != nullptr) c.places->add("strip " + name, at, {at.x + text.x, at.y + text.y});
}

void drawRows(const PanelContext& c, const Strip& strip) {
    // Without caches there is no hit rate to show.
    const bool amounts = showsAmounts(c);
    const bool regions = !amounts && (c.context.strip == StripShows::regions || c.machine().levels.empty());
    const std::size_t rows = regions || amounts ? 1 : c.machine().levels.size();
    const float gap = kRowGap * c.scale;
    const float height = (strip.size.y - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows);
    for (std::size_t l = 0; l < rows; ++l) {
        const StripRow row{strip.from.y + static_cast<float>(l) * (height + gap), height};
        drawGround(c, strip, row);
        if (regions) {
            drawRegionShares(c, strip, row);
            continue;
        }
        if (amounts) {
            drawAmounts(c, strip, row);
            drawName(c, strip, row, c.context.strip == StripShows::cycles ? "cycles" : "memory");
            continue;
        }
        if (c.context.strip == StripShows::missKinds) drawKinds(c, strip, row, l);
        drawRates(c, strip, row, l, c.context.strip == StripShows::missKinds);
        drawName(c, strip, row, c.machine().levels[l].name);
    }
}

/// The outside of the range is dimmed, and its ends can be dragged.
void drawRange(const PanelContext& c, const Strip& strip) {
    if (!c.context.range) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImVec4 shade = c.colours().panel;
    shade.w = 0.62f;
    const float bottom = strip.from.y + strip.size.y;
    const float a = strip.x(static_cast<double>(c.context.range->from.value));
    const float b = std::max(a + 1, strip.x(static_cast<double>(c.context.range->to.value)));
    list.AddRectFilled(strip.from, {strip.inside(a), bottom}, packed(shade));
    list.AddRectFilled({strip.inside(b), strip.from.y}, {strip.right(), bottom}, packed(shade));
    const ImU32 colour = packed(c.colours().accent);
    list.AddRect({a, strip.from.y}, {b, bottom}, colour, 0, 0, std::max(1.0f, c.scale));
    for (const float x : {a, b}) {
        const ImVec2 grip(3 * c.scale, std::min(9 * c.scale, strip.size.y / 2));
        const float middle = strip.from.y + strip.size.y / 2;
        list.AddRectFilled({x - grip.x, middle - grip.y}, {x + grip.x, middle + grip.y}, colour, grip.x);
    }
}

/// A thin band along the lower edge: when the stays occurred that are picked, or highlighted in the nearest level's
/// BlockView.
void drawStays(const PanelContext& c, const Strip& strip) {
    HistoryViews* const views = c.historyViews({ViewId::Kind::blocks});
    if (views == nullptr || !c.context.viewSettings.needsHistory() || views->history().levels.empty()) return;
    const sim::History& history = views->history();
    const Picks picks = picksOf(c.context);
    const scene::Palette& palette = scene::paletteFor(c.context.ground);
    const float height = std::max(2.0f, 3 * c.scale);
    const float bottom = strip.from.y + strip.size.y;
    float drawn = strip.from.x;
    const auto band = [&](const sim::Stay& stay, float top, scene::Rgba colour) {
        const sim::Tick in = stay.in == sim::Stay::kNever ? history.from : stay.in;
        const sim::Tick out = stay.out == sim::Stay::kNever ? history.to : stay.out;
        const float a = strip.x(static_cast<double>(in.value));
        const float b = std::max(a + 1, strip.x(static_cast<double>(out.value)));
        ImGui::GetWindowDrawList()->AddRectFilled({a, top}, {b, top + height}, packed(colour));
        drawn = b;
    };
    for (const std::uint32_t s : views->blocks().highlightedStays(0, picks)) {
        const sim::Stay& stay = history.levels[0].stays[s];
        const double in = stay.in == sim::Stay::kNever ? 0 : static_cast<double>(stay.in.value);
        // Thousands of stays in one pixel are drawn as one.
        if (strip.x(in) > drawn || drawn == strip.from.x) band(stay, bottom - height, palette.axis);
    }
    if (!picks.stay) return;
    const auto picked = find(history, *picks.stay);
    if (picked) band(history.levels[picks.stay->level].stays[*picked], bottom - 2 * height, palette.picked);
}

void drawPlayhead(const PanelContext& c, const Strip& strip) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 colour = packed(c.colours().text);
    const float x = std::round(strip.x(c.context.player.position()));
    if (x < strip.from.x - 1 || x > strip.right() + 1) return;
    const float knob = 5 * c.scale;
    list.AddRectFilled({x - c.scale, strip.from.y}, {x + c.scale, strip.from.y + strip.size.y}, colour);
    list.AddTriangleFilled({x - knob, strip.from.y - knob}, {x + knob, strip.from.y - knob},
                           {x, strip.from.y + knob * 0.6f}, colour);
}

/// A flag at each bookmark, which stands between the accesses before and after it.
void drawBookmarks(const PanelContext& c, const Strip& strip) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 colour = packed(c.colours().accent);
    const ImU32 rim = packed(c.colours().panel);
    const float high = std::min(9 * c.scale, strip.size.y);
    for (const Bookmark& bookmark : c.session.bookmarks) {
        const float x = std::round(strip.x(bookmark.at));
        if (x < strip.from.x - 1 || x > strip.right() + 1) continue;
        const float top = strip.from.y - 3 * c.scale;
        list.AddRectFilled({x - c.scale, top}, {x + 2 * c.scale, strip.from.y + strip.size.y}, rim);
        list.AddRectFilled({x, top}, {x + c.scale, strip.from.y + strip.size.y}, colour);
        // To the left at the end of the strip, so that it is seen.
        const float way = x + high > strip.right() ? -high : high;
        list.AddTriangleFilled({x, top}, {x + way, top + high / 2}, {x, top + high}, colour);
        list.AddTriangle({x, top}, {x + way, top + high / 2}, {x, top + high}, rim);
        if (c.places != nullptr) {
            c.places->add(fmt::format("bookmark {}", bookmark.at), {x - 2, top}, {x + 3, top + high});
        }
    }
}

/// The bookmark at a pixel; null if there is none near it.
const Bookmark* bookmarkAt(const PanelContext& c, const Strip& strip, float x) {
    const Bookmark* nearest = nullptr;
    float distance = 5 * c.scale;
    for (const Bookmark& bookmark : c.session.bookmarks) {
        const float away = std::abs(strip.x(bookmark.at) - x);
        if (away > distance) continue;
        distance = away;
        nearest = &bookmark;
    }
    return nearest;
}

std::string percent(std::uint64_t part, std::uint64_t all) {
    return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

/// "L1 hits 96.9 % of 1 024", and in the strip of kinds also the kinds of the misses.
std::string levelInWords(const PanelContext& c, std::size_t level, std::uint64_t from, std::uint64_t to) {
    const auto share = c.overviewSeen().share(level, from, to);
    if (share.requests == 0) return {};
    std::string words = fmt::format("\n{} hits {} of {}", c.machine().levels[level].name,
                                    percent(share.hits, share.requests), sim::grouped(share.requests));
    if (c.context.strip != StripShows::missKinds) return words;
    for (std::size_t k = 0; k < sim::kMissKinds; ++k) {
        if (share.misses[k] == 0) continue;
        words += fmt::format("\n    {} {}", sim::grouped(share.misses[k]), sim::kMissKindWords[k]);
    }
    return words;
}

std::string regionsInWords(const PanelContext& c, std::uint64_t from, std::uint64_t to) {
    std::uint64_t all = 0;
    for (std::size_t r = 0; r < c.overviewSeen().regions(); ++r) all += c.overviewSeen().regionShare(r, from, to);
    std::string words;
    for (std::size_t r = 0; r < c.overviewSeen().regions(); ++r) {
        const std::uint64_t part = c.overviewSeen().regionShare(r, from, to);
        const bool last = r + 1 == sim::Overview::kMaxRegions && c.trace().regions().size() > r;
        if (part == 0) continue;
        words += fmt::format("\n{} {}", last ? "others" : regionName(c.trace(), static_cast<std::uint32_t>(r)),
                             percent(part, all));
    }
    return words;
}

/// "12 reads from memory, 4 writes to memory", or "1 024 access cycles", and how much that is an access.
std::string amountInWords(const PanelContext& c, std::uint64_t from, std::uint64_t to) {
    const StripAmount amount = amountIn(c, from, to);
    const std::string each = fmt::format("\n{:.2f} an access", amount.height());
    if (c.context.strip == StripShows::cycles) {
        return "\n" + sim::counted(amount.parts[0], "access cycle", "access cycles") + each;
    }
    return "\n" + sim::counted(amount.parts[0], "read from memory", "reads from memory") + ", " +
           sim::counted(amount.parts[1], "write to memory", "writes to memory") + each;
}

void drawTooltip(const PanelContext& c, const Strip& strip) {
    if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
    const double at = std::floor(strip.tick(ImGui::GetMousePos().x));
    const double width = strip.axis.perPixel();
    // The sums are of whole steps.
    const sim::Range range = c.overviewSeen().outward(
        {sim::Tick{static_cast<std::uint64_t>(at)}, sim::Tick{static_cast<std::uint64_t>(at + std::max(1.0, width))}});
    const std::uint64_t from = range.from.value;
    const std::uint64_t to = range.to.value;
    std::string words = range.size() > 1 ? inWords(range) : fmt::format("access {}", sim::grouped(from));
    if (const Bookmark* const bookmark = bookmarkAt(c, strip, ImGui::GetMousePos().x)) {
        const std::string place = "bookmark at " + sim::grouped(static_cast<std::uint64_t>(bookmark->at));
        words = place + (bookmark->note.empty() ? "" : ": " + bookmark->note) + "\n" + words;
    }
    if (c.context.strip == StripShows::regions) {
        words += regionsInWords(c, from, to);
    } else if (showsAmounts(c)) {
        words += amountInWords(c, from, to);
    } else {
        for (std::size_t l = 0; l < c.machine().levels.size(); ++l) words += levelInWords(c, l, from, to);
    }
    // Above the strip, which it must not cover, and within its width.
    const float share = std::clamp((ImGui::GetMousePos().x - strip.from.x) / strip.size.x, 0.0f, 1.0f);
    ImGui::SetNextWindowPos({strip.from.x + share * strip.size.x, strip.from.y - 8 * c.scale}, ImGuiCond_Always,
                            {share, 1});
    ImGui::SetTooltip("%s", words.c_str());
}

// What the mouse can take hold of on the strip.
constexpr int kPlayhead = 0;
constexpr int kRangeEnd = 1;

/// An end of the range, or the playhead: where all of the time is shown, it comes from anywhere.
std::optional<Handle> handleAt(const PanelContext& c, const Strip& strip, float x) {
    const float reach = 5 * c.scale;
    if (const auto& range = c.context.range) {
        const auto from = static_cast<double>(range->from.value);
        const auto to = static_cast<double>(range->to.value);
        if (std::abs(x - strip.x(to)) <= reach) return Handle{kRangeEnd, from, false, ImGuiMouseCursor_ResizeEW};
        if (std::abs(x - strip.x(from)) <= reach) return Handle{kRangeEnd, to, false, ImGuiMouseCursor_ResizeEW};
    }
    const bool isNear = std::abs(x - strip.x(c.context.player.position())) <= reach;
    if (strip.axis.isWhole() || isNear) return Handle{.which = kPlayhead, .atOnce = true};
    return std::nullopt;
}

void actOnStrip(const PanelContext& c, const Strip& strip) {
    const float x = ImGui::GetMousePos().x;
    const TimePointer pointer = pointerOn(strip.axis, x);
    const double at = strip.tick(x);
    Gestures gestures;
    addTime(c, gestures, pointer);
    gestures.handle = handleAt(c, strip, x);
    gestures.carry = [&](const Handle& held) {
        if (held.which == kRangeEnd) return c.queue(command::Range{held.anchor, std::round(at)});
        c.queue(command::Seek{std::floor(at)});
    };
    gestures.click = [&] { c.queue(command::Seek{std::floor(at)}); };
    const bool isOfRange = c.context.range && at >= static_cast<double>(c.context.range->from.value) &&
                           at < static_cast<double>(c.context.range->to.value);
    gestures.ask = [&] { return MenuSubject{.time = std::floor(at), .ofRange = isOfRange}; };
    act(c, gestures);
}

/// Says that columns are wider than pixels, until finer sums have been computed.
void drawCoarse(const PanelContext& c, const Strip& strip) {
    const std::uint64_t step = c.overviewSeen().accessesPerBucket();
    if (step <= 1 || static_cast<double>(step) <= strip.axis.perPixel()) return;
    ImGui::PushFont(c.fonts.small);
    const std::string words = fmt::format("coarse: steps of {} accesses", sim::grouped(step));
    const ImVec2 size = ImGui::CalcTextSize(words.c_str());
    const ImVec2 at(strip.right() - size.x - 4 * c.scale, strip.from.y + 2);
    const ImVec2 rim(3 * c.scale, 1);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({at.x - rim.x, at.y - rim.y}, {at.x + size.x + rim.x, at.y + size.y + rim.y},
                       packed(c.colours().panel));
    list.AddText(at, packed(c.colours().text), words.c_str());
    ImGui::PopFont();
}

/// Numbers of accesses below the rows, and a line along the stretch of all that is seen.
void drawRuler(const PanelContext& c, const Strip& strip) {
    if (strip.ruler <= 0) return;
    ImGui::PushFont(c.fonts.small);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 colour = packed(c.colours().muted);
    const float top = strip.from.y + strip.size.y;
    for (const scene::TimeAxis::Mark& mark : strip.axis.marks(90 * c.scale)) {
        const ImVec2 size = ImGui::CalcTextSize(mark.words.c_str());
        list.AddLine({mark.x, top}, {mark.x, top + 3 * c.scale}, colour);
        const float left =
            std::clamp(mark.x - size.x / 2, strip.from.x, std::max(strip.from.x, strip.right() - size.x));
        list.AddText({left, top + 1 * c.scale}, colour, mark.words.c_str());
    }
    ImGui::PopFont();
    if (strip.axis.isWhole()) return;
    drawCoarse(c, strip);
    const scene::TimeSpan& span = strip.axis.span();
    const auto at = [&](double t) { return strip.from.x + static_cast<float>(t / strip.axis.end()) * strip.size.x; };
    const float bottom = top + strip.ruler - 1;
    list.AddLine({strip.from.x, bottom}, {strip.right(), bottom}, colour);
    list.AddRectFilled({at(span.from), bottom - 2 * c.scale}, {std::max(at(span.from) + 3, at(span.to)), bottom + 1},
                       packed(c.colours().text));
}

}  // namespace

void drawOverviewStrip(const PanelContext& c, float height) {
    const float labels = (showsAmounts(c) ? 50 : 30) * c.scale;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float top = 4 * c.scale;
    const float ruler = height > 44 * c.scale ? ImGui::GetFontSize() : 0;
    const ImVec2 from(origin.x + labels, origin.y + top);
    const ImVec2 size(std::max(20.0f, ImGui::GetContentRegionAvail().x - labels - 4 * c.scale),
                      std::max(6.0f, height - top - ruler));
    const auto end = static_cast<double>(std::max<std::uint64_t>(1, c.trace().size()));
    const Strip strip{from, size,
                      scene::TimeAxis(c.context.seen.value_or(scene::TimeSpan{0, end}), end, from.x, size.x), ruler};
    ImGui::SetCursorScreenPos(strip.from);
    ImGui::InvisibleButton(
        "strip", strip.size,
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
    nameItem(c, "strip");
    actOnStrip(c, strip);
    drawTooltip(c, strip);
    drawRows(c, strip);
    ImGui::PushClipRect({strip.from.x - 1, strip.from.y - top}, {strip.right() + 1, origin.y + height}, true);
    drawRange(c, strip);
    drawStays(c, strip);
    drawBookmarks(c, strip);
    ImGui::PopClipRect();
    drawRuler(c, strip);
    drawPlayhead(c, strip);
}

}  // namespace whorl::app
