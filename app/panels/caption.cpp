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
#include "render/scene/text_width.h"
#include "sim/report/sentence.h"

namespace whorl::app {

namespace {

constexpr float kTitle = 1.3f;  ///< heights of texts, of the body's
constexpr float kSmall = 0.82f;
constexpr float kStep = 0.9f;   ///< from one size of words to the next smaller one
constexpr float kTiny = 0.67f;  ///< no smaller while the title can be
constexpr float kLine = 1.25f;  ///< from line to line, of a text's height
constexpr float kPad = 0.8f;    ///< around, of the body's

/// Whether a caption has room for few lines only.
bool isShort(float height, float text) {
    return height < 8 * text;
}

/// A column of text, from the top down; what does not fit is left out.
class CaptionColumn {
  public:
    /// `text`, `small`: the heights of its texts.
    CaptionColumn(const PanelContext& c, ImVec2 from, ImVec2 size, float text, float small)
        : c_(c),
          list_(*ImGui::GetWindowDrawList()),
          at_(from),
          right_(from.x + size.x),
          end_(from.y + size.y),
          text_(text),
          small_(small / text) {}

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
        return heightOf(*c_.fonts.heading, share, title) + heightOf(*c_.fonts.body, small_, words) + 1.2f * text_ <=
               room();
    }
    void small(const std::string& words) { write(*c_.fonts.body, small_, c_.colours().muted, words); }
    /// All of them or none; whether they are there.
    bool smallAll(const std::vector<std::string>& all) {
        float height = 0;
        for (const std::string& words : all) height += heightOf(*c_.fonts.body, small_, words) + 0.3f * text_;
        if (height > room()) return false;
        for (const std::string& words : all) small(words);
        return true;
    }
    void gap(float share) { at_.y += share * text_; }
    void skipTo(float y) { at_.y = std::max(at_.y, y); }
    /// The signs in the picture.
    void key() { at_.y = drawKey(c_, at_, {width(), end_ - at_.y}, smallText()) + 0.3f * text_; }

    ImVec2 at() const { return at_; }
    float width() const { return right_ - at_.x; }
    float room() const { return end_ - at_.y; }
    float text() const { return text_; }
    float smallText() const { return small_ * text_; }

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
    float small_;  ///< of the text's height
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
        list.AddText(c.fonts.body, column.smallText(), {column.at().x, strip.top}, packed(c.colours().muted),
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
    } else if (c.runs.size() > 2) {
        column.title(commonTitleOfRuns(c.session));  // two have their titles above them
    }
}

constexpr double kReadable = 1;  ///< accesses a second

/// The sentence of the access; of accesses that follow each other faster than one reads, what most of those are made
/// by that are played in some seconds.
std::string said(const sim::Step& step, const RunContext& context) {
    const sim::Run& run = *context.opened.run;
    const double pace = context.paceNow();
    if (pace <= kReadable) return sim::sentenceFor(step, run.trace(), run.machine());
    constexpr double kSeconds = 4;
    const auto together = static_cast<std::uint64_t>(std::ceil(kSeconds * pace));
    const std::uint64_t from = step.tick.value / together * together;
    return sim::sentenceForMany({sim::Tick{from}, sim::Tick{from + together}}, run.trace());
}

/// Of two compared runs the access of each.
void drawAccesses(const PanelContext& c, CaptionColumn& column) {
    const std::vector<std::string> titles = titlesOfRuns(c.session);
    for (const std::size_t run : orderOfRuns(c.session)) {
        const Picture* const picture = c.runs.at(run)->composer().picture();
        const sim::Step* const step = titles.size() > 2 || picture == nullptr ? nullptr : picture->snapshot.current();
        if (step == nullptr) continue;
        const float before = column.at().y;
        column.small(titles[run] + ": " + said(*step, contextOf(c.session, run)));
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

bool showsRings(const Session& session) {
    const auto& shown = session.viewSettings.shown;
    return std::any_of(shown.begin(), shown.end(), [](const ViewId& v) { return v.kind == ViewId::Kind::rings; });
}

/// The sentence of the access, and what the numbers in the rings mean. Whether that is told.
bool drawAccess(const PanelContext& c, CaptionColumn& column) {
    if (summedRange(c.session)) return false;
    const sim::Step* const step = c.picture()->snapshot.current();
    if (step == nullptr) return true;
    const float top = column.at().y;
    column.aside(said(*step, c.context));
    // What stands below rests while others follow it, with lines for most of them.
    const double pace = c.context.paceNow();
    const float lines = pace > kReadable ? 2 : pace > 0 ? 3 : 0;
    column.skipTo(top + lines * kLine * column.text());
    if (!showsRings(c.session)) return false;
    return column.smallAll(scene::numberedWords(c.picture()->scene, sim::factsOf(*step, c.trace(), c.machine())));
}

/// What is said of an access, or of the difference of two runs.
bool drawSentence(const PanelContext& c, CaptionColumn& column) {
    column.gap(0.6f);
    if (!isCompared(c.session)) return drawAccess(c, column);
    column.aside(comparisonSentence(c));
    column.small(fmt::format("{}", fmt::join(circumstances(c), "; ")));
    drawAccesses(c, column);
    return false;
}

void drawPosition(const PanelContext& c, CaptionColumn& column) {
    if (const auto range = summedRange(c.session)) return column.small("of " + inWords(*range));
    if (isCompared(c.session)) return;
    const sim::Snapshot& snapshot = c.picture()->snapshot;
    const std::string all = grouped(c.trace().size());
    std::string now = grouped(snapshot.begun().value);
    // As wide as the last one: what follows it rests.
    for (std::size_t at = all.size() - now.size(); at-- > 0;) now.insert(0, all[at] == ' ' ? " " : "\u2007");
    column.small(fmt::format("{} of {} accesses", now, all));
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

/// What gives way where room is short, the last first: the hit rates, where it is, the machine, the key.
void drawFacts(const PanelContext& c, CaptionColumn& column) {
    // They are of the first run alone.
    if (!isCompared(c.session)) drawRates(c, column);
    column.gap(0.3f);
    drawPosition(c, column);
    drawMachines(c, column);
    column.gap(0.3f);
    // What its signs mean a flat picture says itself.
    if (c.context.legend && showsRings(c.session)) column.key();
}

bool drawOnStage(const PanelContext& c, const StageLayout& stage) {
    const float text = stage.text;
    const float pad = kPad * text;
    const ImVec2 from(static_cast<float>(stage.words.x) + pad, static_cast<float>(stage.words.y) + pad);
    const ImVec2 size(static_cast<float>(stage.words.width) - 2 * pad,
                      static_cast<float>(stage.words.height) - 1.5f * pad);
    // In a broad band, facts stand beside the words where these keep their size.
    const float half = (size.x - pad) / 2;
    const auto& told = c.session.told;
    const bool two =
        size.x > 34 * text &&
        (!told || CaptionColumn(c, from, {half, size.y}, text, stage.small).fits(told->title, told->words));
    CaptionColumn story(c, from, {two ? half : size.x, size.y}, text, stage.small);
    drawTitle(c, story);
    const bool tells = drawSentence(c, story);
    if (!two) {
        drawFacts(c, story);
        return tells;
    }
    CaptionColumn facts(c, {from.x + half + pad, from.y}, {half, size.y}, text, stage.small);
    drawFacts(c, facts);
    return tells;
}

/// The lines that a text takes in a column, about: lines are not full.
float linesOf(const std::string& words, float text, float width) {
    constexpr float kFull = 0.9f;
    const auto breaks = std::count(words.begin(), words.end(), '\n');
    return std::ceil(scene::widthOf(words, text) / (kFull * width)) + static_cast<float>(breaks);
}

/// The height of the band below a picture that has the whole width: the scene's title and words, or what else is said.
float wordsHeight(const Session& session, float width, float height, float text) {
    const float usual = (isCompared(session) ? 3 : 4) * kLine * text + 2 * kPad * text;
    return std::min(0.45f * height, session.told ? storyHeight(*session.told, width, text) : usual);
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

float storyHeight(const SceneWords& told, float width, float text) {
    const float room = width - 2 * kPad * text;
    const float lines = kTitle * linesOf(told.title, kTitle * text, room) + linesOf(told.words, text, room) +
                        (told.source.empty() ? 0.0f : kSmall * linesOf(told.source, kSmall * text, room));
    return std::max(lines, 2.0f) * kLine * text + 1.5f * kPad * text;
}

StageLayout stageLayout(const Session& session, int width, int height, float scale) {
    const auto w = static_cast<float>(width);
    const auto h = static_cast<float>(height);
    const float side = std::min(w, h);
    StageLayout stage{.picture = {0, 0, width, height}, .text = std::min(16 * scale, std::max(16.0f, side / 16))};
    stage.small = std::max(kSmall * stage.text, h > w ? h / 40 : 0.0f);
    if (!session.caption) return stage;
    constexpr float kWide = 1.25f;
    const bool isAlone = session.showsRingsAlone();
    if (isAlone && w >= kWide * h) {
        stage.picture = {width - height, 0, height, height};
        stage.words = {0, 0, width - height, height};
        return stage;
    }
    float below = wordsHeight(session, w, h, stage.text);
    if (isAlone) below = std::max(below, h - w);
    if (!isAlone && h > w) below = std::max(below, 0.3f * h);
    const int band = std::min(height - 1, static_cast<int>(below));
    stage.picture = {0, 0, width, height - band};
    stage.words = {0, height - band, width, band};
    return stage;
}

float bandHeight(const Session& session, float width, float height, float scale) {
    if (!session.panels || session.toldNow() == 0) return 0;
    const float body = 16 * scale;
    const float room = std::max(1.0f, width - 2 * kPad * body);
    const float lines = linesOf(session.told->title, body, room) + linesOf(session.told->words, body, room);
    return std::min(0.4f * height, lines * kLine * body + kPad * body);
}

bool drawCaption(const PanelContext& c, const gl::Rect& canvas, float below) {
    if (c.picture() == nullptr) return true;
    if (c.session.onStage() && !c.context.caption) return true;
    if (c.session.onStage()) {
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        return drawOnStage(c, stageLayout(c.session, static_cast<int>(size.x), static_cast<int>(size.y), c.scale));
    }
    if (below > 0) drawBand(c, canvas, 16 * c.scale);
    return true;
}

}  // namespace whorl::app
