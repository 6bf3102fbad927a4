#include "app/panels/caption.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/comparison_words.h"
#include "app/panels/panels.h"
#include "app/panels/strip_columns.h"
#include "app/panels/text_lines.h"
#include "app/panels/widgets.h"
#include "app/session/beside.h"
#include "app/session/range.h"
#include "render/scene/rings/event_numbers.h"
#include "render/scene/rings/ring_layout.h"
#include "render/scene/text_width.h"
#include "sim/report/sentence.h"

namespace whorl::app {

namespace {

constexpr float kTitle = 1.3f;  ///< heights of texts, of the body's
constexpr float kSmall = 0.82f;
constexpr float kStep = 0.82f;  ///< from one size of words to the next smaller one
constexpr float kTiny = 0.67f;  ///< no smaller while the title can be
constexpr float kLine = 1.25f;  ///< from line to line, of a text's height
constexpr float kPad = 0.8f;    ///< around, of the body's

/// The height of the body's text in a picture of this size.
float bodySize(float width, float height, float scale) {
    const float lines = width > height ? 45 : 34;  // a tall picture is seen on a small screen
    const float most = scene::RingLayout::mostText({width, height});
    return std::min(std::max(16 * scale, std::min(width, height) / lines), most);
}

/// Whether a caption has room for few lines only.
bool isShort(float height, float text) {
    return height < 8 * text;
}

/// A column of text, from the top down; what does not fit is left out.
class CaptionColumn {
  public:
    CaptionColumn(const PanelContext& c, ImVec2 from, ImVec2 size, float text)
        : c_(c),
          list_(*ImGui::GetWindowDrawList()),
          at_(from),
          right_(from.x + size.x),
          end_(from.y + size.y),
          text_(text) {}

    void title(const std::string& words) {
        write(*c_.fonts.heading, isShort(room(), text_) ? 1 : kTitle, c_.colours().text, words);
    }
    /// Smaller where it would not fit, but never too small to be read.
    void aside(const std::string& words) { write(*c_.fonts.body, shareOf(words, room(), 1), c_.colours().text, words); }
    /// A title and its words; where they do not fit they are smaller, the title, too: the audience must not miss them.
    void story(const std::string& heading, const std::string& words) {
        float share = isShort(room(), text_) ? 1 : kTitle;
        const auto left = [&] { return room() - heightOf(*c_.fonts.heading, share, heading) - 0.3f * text_; };
        while (share > kTiny && shareOf(words, left(), kTiny) < kTiny) share *= kStep;
        write(*c_.fonts.heading, share, c_.colours().text, heading);
        write(*c_.fonts.body, shareOf(words, room(), 0), c_.colours().text, words);
    }
    /// Whether a title and these words fit, if small.
    bool fits(const std::string& title, const std::string& words) const {
        const float share = isShort(room(), text_) ? 1 : kTitle;
        return heightOf(*c_.fonts.heading, share, title) + heightOf(*c_.fonts.body, kSmall, words) + 1.2f * text_ <=
               room();
    }
    void small(const std::string& words) { write(*c_.fonts.body, kSmall, c_.colours().muted, words); }
    /// All of them or none; whether they are there.
    bool smallAll(const std::vector<std::string>& all) {
        float height = 0;
        for (const std::string& words : all) height += heightOf(*c_.fonts.body, kSmall, words) + 0.3f * text_;
        if (height > room()) return false;
        for (const std::string& words : all) small(words);
        return true;
    }
    void gap(float share) { at_.y += share * text_; }
    void skipTo(float y) { at_.y = std::max(at_.y, y); }
    /// The signs in the picture.
    void key() { at_.y = drawKey(c_, at_, {width(), end_ - at_.y}, kSmall * text_) + 0.3f * text_; }

    ImVec2 at() const { return at_; }
    float width() const { return right_ - at_.x; }
    float room() const { return end_ - at_.y; }
    float text() const { return text_; }

  private:
    void write(ImFont& font, float share, const ImVec4& colour, const std::string& words) {
        const std::string lines = inLines(font, share * text_, width(), words);
        const ImVec2 size = font.CalcTextSizeA(share * text_, FLT_MAX, 0, lines.c_str());
        if (words.empty() || size.y > room()) return;
        // Of a picture that is zoomed, parts lie below the words.
        if (c_.context.camera.now().zoom > 1) {
            const float rim = 0.25f * text_;
            ImVec4 bed = c_.colours().ground;
            bed.w = 0.78f;
            list_.AddRectFilled({at_.x - rim, at_.y - rim}, {at_.x + size.x + rim, at_.y + size.y + rim}, packed(bed));
        }
        list_.AddText(&font, share * text_, at_, packed(colour), lines.c_str());
        at_.y += size.y + 0.3f * text_;
    }
    /// How large words are in a body's room, but no smaller than the step below `least`.
    float shareOf(const std::string& words, float height, float least) const {
        float share = 1;
        while (share >= std::max(least, 0.2f) && heightOf(*c_.fonts.body, share, words) > height) share *= kStep;
        return share;
    }
    float heightOf(ImFont& font, float share, const std::string& words) const {
        return font.CalcTextSizeA(share * text_, FLT_MAX, 0, inLines(font, share * text_, width(), words).c_str()).y;
    }

    const PanelContext& c_;
    ImDrawList& list_;
    ImVec2 at_;
    float right_;
    float end_;
    float text_;
};

/// The hit rates over the whole run, a row a level, and the playhead.
void drawRates(const PanelContext& c, CaptionColumn& column) {
    const sim::Overview& overview = c.overview();
    const auto end = static_cast<double>(c.trace().size());
    const float row = 1.7f * column.text();
    const auto levels = static_cast<float>(overview.levels());
    if (end == 0 || overview.levels() == 0 || column.room() < (levels + 1.2f) * row) return;
    column.small("hit rates over the run");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float names = 2.4f * column.text();
    const ImVec2 from(column.at().x + names, column.at().y);
    const float width = std::max(8.0f, std::min(column.width() - names, 26 * column.text()));
    ImVec4 bar = c.colours().accent;
    bar.w = 0.75f;
    bool isIdle = false;
    for (std::size_t l = 0; l < overview.levels(); ++l) {
        const StripRow strip{from.y + static_cast<float>(l) * row, 0.8f * row};
        list.AddText(c.fonts.body, kSmall * column.text(), {column.at().x, strip.top}, packed(c.colours().muted),
                     c.machine().levels[l].name.c_str());
        eachColumn({0, end}, from.x, width, static_cast<double>(overview.end().value), [&](const StripColumn& under) {
            const sim::Overview::Share share = overview.share(l, under.from, under.to);
            // Where nothing was asked there is no ground that a rate of 0 % could be read from, but a line.
            const bool isAsked = share.requests > 0;
            const float top = isAsked ? strip.top : strip.top + 0.5f * strip.height;
            const float bottom = isAsked ? strip.top + strip.height : top + std::max(1.0f, 0.06f * column.text());
            list.AddRectFilled({under.x, top}, {under.x + 1, bottom},
                               packed(isAsked ? c.colours().frame : c.colours().muted));
            isIdle |= !isAsked;
            drawHitRate(strip, under.x, share, packed(bar), false, 1);
        });
    }
    const auto x = from.x + width * static_cast<float>(c.picture()->snapshot.t / end);
    list.AddLine({x, from.y - 3}, {x, from.y + levels * row}, packed(c.colours().text),
                 std::max(1.0f, 0.1f * column.text()));
    column.gap(1.7f * levels + 0.3f);
    if (isIdle) column.small("a thin line: nothing was asked of the level");
}

/// Title and words.
void drawTitle(const PanelContext& c, CaptionColumn& column) {
    if (c.session.told) {
        column.story(c.session.told->title, c.session.told->words);
        if (!c.session.told->source.empty()) column.small(c.session.told->source);
    } else if (!isCompared(c.session)) {
        column.title(c.trace().name());
    } else if (c.runs.size() == 2) {
        const std::vector<std::size_t> order = orderOfRuns(c.session);
        column.title(fullTitleOfRun(c.session, order[0]) + " beside " + fullTitleOfRun(c.session, order[1]));
    } else {
        column.title(commonTitleOfRuns(c.session));
    }
}

/// Of two compared runs the access of each.
void drawAccesses(const PanelContext& c, CaptionColumn& column) {
    const std::vector<std::string> titles = titlesOfRuns(c.session);
    for (const std::size_t run : orderOfRuns(c.session)) {
        const Picture* const picture = c.runs.at(run)->composer().picture();
        const sim::Step* const step = titles.size() > 2 || picture == nullptr ? nullptr : picture->snapshot.current();
        if (step == nullptr) continue;
        const sim::Run& of = *c.runs.at(run)->run();
        const float before = column.at().y;
        column.small(titles[run] + ": " + sim::sentenceFor(*step, of.trace(), of.machine()));
        // That of the second alone would be taken for that of both.
        if (column.at().y == before) return;
    }
}

/// The range that cells sum up, where nothing else is shown: what the playhead's access does is not in them.
std::optional<sim::Range> summedRange(const Session& session) {
    std::optional<sim::Range> range;
    for (const ViewId& view : session.viewSettings.shown) {
        if (view.kind != ViewId::Kind::memory && view.kind != ViewId::Kind::cache) return std::nullopt;
        const sim::Range whole{sim::Tick{0}, sim::Tick{session.opened.run->trace().size()}};
        range = session.viewSettings.cellsOf(view).range.value_or(session.range.value_or(whole));
    }
    return range;
}

// Whether the numbers in the rings have their words is what these give back.

/// The position, and the sentence of the access.
bool drawAccess(const PanelContext& c, CaptionColumn& column) {
    if (const auto range = summedRange(c.session)) {
        column.small("of " + inWords(*range));
        return false;
    }
    const sim::Snapshot& snapshot = c.picture()->snapshot;
    column.small(fmt::format("{} of {} accesses", grouped(snapshot.begun().value), grouped(c.trace().size())));
    if (const sim::Step* step = snapshot.current()) {
        column.aside(sim::sentenceFor(*step, c.trace(), c.machine()));
        const auto facts = sim::factsOf(*step, c.trace(), c.machine());
        return column.smallAll(scene::numberedWords(c.picture()->scene, facts));
    }
    return true;
}

bool drawStory(const PanelContext& c, CaptionColumn& column) {
    drawTitle(c, column);
    column.gap(0.6f);
    if (!isCompared(c.session)) return drawAccess(c, column);
    column.aside(comparisonSentence(c));
    column.small(fmt::format("{}", fmt::join(circumstances(c), "; ")));
    return false;
}

/// Each machine once; of many, which a sweep has, those that have names of their own.
void drawMachines(const PanelContext& c, CaptionColumn& column) {
    std::vector<std::string> said;
    for (std::size_t i = 0; i < (isCompared(c.session) ? c.runs.size() : 1); ++i) {
        const sim::MachineConfig& machine = c.runs.at(i)->run()->machine();
        const bool isNamed = !machine.name.empty() && machine.name != sim::geometryOf(machine);
        const std::string name = isNamed ? "machine " + machine.name : "machine";
        if (c.runs.size() > 2 && !said.empty()) break;
        const std::string words =
            c.runs.size() > 2 && isCompared(c.session) ? name : name + ": " + sim::geometryOf(machine);
        if (std::find(said.begin(), said.end(), words) == said.end()) said.push_back(words);
    }
    for (const std::string& words : said) column.small(words);
}

/// The key, the machine, and the hit rates.
void drawFacts(const PanelContext& c, CaptionColumn& column) {
    // What its signs mean a flat picture says itself.
    const auto& shown = c.context.viewSettings.shown;
    if (std::any_of(shown.begin(), shown.end(), [](const ViewId& v) { return v.kind == ViewId::Kind::rings; })) {
        column.key();
        column.gap(0.3f);
    }
    drawMachines(c, column);
    column.gap(0.3f);
    // They are of the first run alone.
    if (!isCompared(c.session)) drawRates(c, column);
}

/// The lower left corner of the lines on the levels, which stand in the upper right corner; elsewhere `none`.
ImVec2 endOfLevelLines(const PanelContext& c, const gl::Rect& canvas, ImVec2 none) {
    const scene::Scene& scene = c.picture()->scene;
    std::optional<ImVec2> end;
    for (std::size_t i = 0; i < scene.labels.size(); ++i) {
        const scene::Label& label = scene.labels[i];
        const bool isLine =
            scene.labelTargets[i].kind == scene::Target::Kind::level && label.kind == scene::Label::Kind::corner;
        if (isLine) end = ImVec2(label.at.x, label.at.y + kLine * label.size);
    }
    if (!end) return none;
    return {static_cast<float>(canvas.x) + end->x, static_cast<float>(canvas.y) + end->y};
}

bool drawBeside(const PanelContext& c, const gl::Rect& canvas, float text) {
    const auto width = static_cast<float>(canvas.width);
    const auto height = static_cast<float>(canvas.height);
    const ImVec2 from(static_cast<float>(canvas.x), static_cast<float>(canvas.y));
    const float pad = kPad * text;
    const float third = (width - height) / 2;
    CaptionColumn left(c, {from.x + pad, from.y + pad}, {third - 1.5f * pad, height - 2 * pad}, text);
    const bool tells = drawStory(c, left);
    const ImVec2 lines = endOfLevelLines(c, canvas, {from.x + width - third + 0.5f * pad, from.y});
    const ImVec2 to(from.x + width - pad, from.y + height - pad);
    const float x = std::max(lines.x, from.x + width - third + 0.5f * pad);
    CaptionColumn right(c, {x, lines.y + pad}, {to.x - x, to.y - lines.y - pad}, text);
    drawFacts(c, right);
    return tells;
}

bool drawBelow(const PanelContext& c, const gl::Rect& canvas, float height, float text) {
    const auto width = static_cast<float>(canvas.width);
    const float pad = kPad * text;
    const ImVec2 from(static_cast<float>(canvas.x) + pad, static_cast<float>(canvas.y + canvas.height) + pad);
    const float room = height - 1.5f * pad;
    // Where few lines fit, the sentence stands beside the rings, and the key is left out.
    const float third = (width - static_cast<float>(canvas.height)) / 2 - 2 * pad;
    if (isShort(height, text) && third > 8 * text && c.session.showsRingsAlone()) {
        CaptionColumn title(c, from, {width - 2 * pad, room}, text);
        drawTitle(c, title);
        CaptionColumn access(c, {from.x, static_cast<float>(canvas.y) + pad},
                             {third, static_cast<float>(canvas.height)}, text);
        return drawAccess(c, access);
    }
    // The words of a scene come before the key.
    const float half = (width - 3 * pad) / 2;
    const auto& told = c.session.told;
    const bool two =
        width > 34 * text && (!told || CaptionColumn(c, from, {half, room}, text).fits(told->title, told->words));
    const float column = two ? half : width - 2 * pad;
    CaptionColumn story(c, from, {column, room}, text);
    const bool tells = drawStory(c, story);
    if (two) {
        CaptionColumn facts(c, {from.x + column + pad, from.y}, {column, room}, text);
        drawFacts(c, facts);
    } else {
        drawFacts(c, story);
    }
    if (isCompared(c.session)) drawAccesses(c, story);
    return tells;
}

/// The words of a scene, as visible as they are now.
void drawBand(const PanelContext& c, const gl::Rect& canvas, float text) {
    const float pad = kPad * text;
    const ImVec2 from(static_cast<float>(canvas.x) + pad, static_cast<float>(canvas.y + canvas.height) + 0.6f * pad);
    const float width = static_cast<float>(canvas.width) - 2 * pad;
    ImVec4 colour = c.colours().text;
    colour.w = c.session.toldNow();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string title = inLines(*c.fonts.heading, text, width, c.session.told->title);
    list.AddText(c.fonts.heading, text, from, packed(colour), title.c_str());
    const auto breaks = static_cast<float>(std::count(title.begin(), title.end(), '\n'));
    list.AddText(c.fonts.body, text, {from.x, from.y + (breaks + kLine) * text}, packed(colour),
                 inLines(*c.fonts.body, text, width, c.session.told->words).c_str());
}

}  // namespace

float captionHeight(const Session& session, float width, float height, float scale) {
    const float text = bodySize(width, height, scale);
    if (session.panels) {
        if (session.toldNow() == 0) return 0;
        const float body = 16 * scale;
        const float room = std::max(1.0f, width - 2 * kPad * body);
        const auto linesOf = [&](const std::string& words) {
            const auto breaks = std::count(words.begin(), words.end(), '\n');
            return std::ceil(scene::widthOf(words, body) / room) + static_cast<float>(breaks);
        };
        const float lines = linesOf(session.told->title) + linesOf(session.told->words);
        return std::min(0.4f * height, lines * kLine * body + kPad * body);
    }
    if (!session.caption || session.captionIsBeside({width, height}, scale)) return 0;
    // The rings keep a square as wide as the picture, or the greater part of a picture that is no higher than wide.
    const float lines = std::min(6.4f * text, 0.45f * height);
    // Rings beside each other leave more of a tall picture.
    const float share = isCompared(session) && height > width ? 0.42f : 0.3f;
    return std::floor(std::max({height - width, share * height, lines}));
}

bool drawCaption(const PanelContext& c, const gl::Rect& canvas, float below) {
    if (c.picture() == nullptr) return true;
    const float height = static_cast<float>(canvas.height) + below;
    const float text = bodySize(static_cast<float>(canvas.width), height, c.scale);
    if (c.context.panels) {
        if (below > 0) drawBand(c, canvas, 16 * c.scale);
    } else if (c.context.caption) {
        return below > 0 ? drawBelow(c, canvas, below, text) : drawBeside(c, canvas, text);
    }
    return true;
}

}  // namespace whorl::app
