#include "app/panels/caption.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/bindings.h"
#include "app/panels/panels.h"
#include "app/panels/strip_columns.h"
#include "app/panels/terms.h"
#include "app/panels/text_lines.h"
#include "app/panels/widgets.h"
#include "app/session/compared_runs.h"
#include "app/session/selection.h"
#include "app/views/caption_words.h"
#include "app/views/comparison_words.h"
#include "render/scene/palette.h"
#include "render/scene/rings/event_numbers.h"
#include "render/scene/text_width.h"
#include "sim/analysis/figures.h"
#include "sim/replay/access_clock.h"
#include "sim/report/sentence.h"

namespace whorl::app {

namespace {

constexpr float kTitle = 1.3f;  ///< heights of texts, relative to the body text
constexpr float kSmall = 0.82f;
constexpr float kStep = 0.9f;   ///< factor from one size of words to the next smaller one
constexpr float kTiny = 0.67f;  ///< no smaller while the title can be
constexpr float kLine = 1.25f;  ///< distance of lines, relative to the text's height
constexpr float kPad = 0.8f;    ///< padding, relative to the height of the body text

/// Whether a caption only has room for a few lines.
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
        write(*c_.fonts.heading, share, c_.colours().text, heading, true);
        const float size = shareOf(words, room(), 0);
        const float from = at_.y;
        write(*c_.fonts.body, size, c_.colours().text, words, true);
        c_.edits.wordsShare = at_.y > from || words.empty() ? size : 0;
    }
    /// Whether a title and these words fit, if small.
    bool fits(const std::string& title, const std::string& words) const {
        const float share = isShort(room(), text_) ? 1 : kTitle;
        return heightOf(*c_.fonts.heading, share, title) + heightOf(*c_.fonts.body, small_, words) + 1.2f * text_ <=
               room();
    }
    void small(const std::string& words) { write(*c_.fonts.body, small_, c_.colours().muted, words); }
    /// Draws all of these small texts, or none if they do not all fit. True if they were drawn.
    bool smallAll(const std::vector<std::string>& all) {
        float height = 0;
        for (const std::string& words : all) height += heightOf(*c_.fonts.body, small_, words) + 0.3f * text_;
        if (!hasRoom(height)) return false;
        for (const std::string& words : all) small(words);
        return true;
    }
    /// Whether this height is left; if not, isWhole() becomes false.
    bool hasRoom(float height) {
        isWhole_ &= height <= room();
        return height <= room();
    }
    void gap(float share) { at_.y += share * text_; }
    void skipTo(float y) { at_.y = std::max(at_.y, y); }
    /// The signs in the picture.
    void key() {
        const DrawnKey drawn = drawKey(c_, at_, {width(), room()}, smallText());
        isWhole_ &= drawn.isWhole;
        at_.y = drawn.bottom + 0.3f * text_;
    }

    ImVec2 at() const { return at_; }
    float width() const { return right_ - at_.x; }
    float room() const { return end_ - at_.y; }
    float text() const { return text_; }
    /// Whether everything has fitted since begin().
    bool isWhole() const { return isWhole_; }
    void begin() { isWhole_ = true; }
    float smallText() const { return small_ * text_; }

  private:
    void write(ImFont& font, float share, const ImVec4& colour, const std::string& words, bool hasTerms = false) {
        const std::string lines = inLines(font, share * text_, width(), words);
        const ImVec2 size = font.CalcTextSizeA(share * text_, FLT_MAX, 0, lines.c_str());
        if (words.empty() || !hasRoom(size.y)) return;
        // Parts of a zoomed picture lie below the words.
        if (c_.context.camera.now().zoom > 1) {
            const float rim = 0.25f * text_;
            ImVec4 bed = c_.colours().ground;
            bed.w = 0.78f;
            list_.AddRectFilled({at_.x - rim, at_.y - rim}, {at_.x + size.x + rim, at_.y + size.y + rim}, packed(bed));
        }
        if (hasTerms) {
            drawTerms(c_, font, share * text_, at_, colour, lines);
        } else {
            list_.AddText(&font, share * text_, at_, packed(colour), lines.c_str());
        }
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
    bool isWhole_ = true;
    float small_;  ///< height of secondary text, relative to `text_`
};

/// The hit rates over the whole run, a row a level, and the playhead.
void drawRates(const PanelContext& c, CaptionColumn& column) {
    const sim::Overview& overview = c.overview();
    const auto end = static_cast<double>(c.trace().size());
    // The overview covers only the first run.
    if (isCompared(c.session)) return;
    const float row = 1.7f * column.text();
    const auto levels = static_cast<float>(overview.levels());
    if (end == 0 || overview.levels() == 0 || !column.hasRoom((levels + 1.2f) * row)) return;
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
            // Columns without requests get a line, as an empty column would look like a rate of 0 %.
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
    if (isIdle) column.small("a thin line: no requests to the level");
}

/// "L2: 1 739 read, 55 648 B; 89 written, 2 848 B": each number as wide as that of the whole run.
std::string trafficSoFar(const std::string& name, const sim::Traffic& now, const sim::Traffic& whole) {
    const auto number = [&](std::uint64_t sim::Traffic::*of) {
        return sim::asWideAs(grouped(now.*of), grouped(whole.*of));
    };
    return fmt::format("{}: {} read, {} B; {} written, {} B", name, number(&sim::Traffic::reads),
                       number(&sim::Traffic::readBytes), number(&sim::Traffic::writes),
                       number(&sim::Traffic::writtenBytes));
}

/// The traffic so far, a row for each level from the second one on and for memory, by bytes: what was read, and beside
/// that what was written. The row that carries the most in the whole run is full at its end.
void drawTraffic(const PanelContext& c, CaptionColumn& column) {
    const sim::MachineConfig& machine = c.machine();
    const sim::Counters& counters = c.picture()->snapshot.now.counters();
    const sim::Counters all = c.context.opened.run->totals();
    const std::size_t levels = machine.levels.size();
    const std::size_t first = std::min<std::size_t>(1, levels);
    const float row = 1.25f * column.smallText() + 0.75f * column.text();
    // The counters cover only the first run.
    if (isCompared(c.session) || !column.hasRoom((static_cast<float>(levels + 1 - first) + 1.2f) * row)) return;
    column.small(levels == 0 ? "traffic so far: words and bytes" : "traffic so far: blocks and bytes");
    std::uint64_t most = 1;
    for (std::size_t l = first; l <= levels; ++l) most = std::max(most, trafficOf(all, machine, l).bytes());
    const float width = std::max(8.0f, std::min(column.width(), 28 * column.text()));
    const float thick = 0.35f * column.text();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t l = first; l <= levels; ++l) {
        const sim::Traffic traffic = trafficOf(counters, machine, l);
        const auto length = [&](std::uint64_t bytes) {
            return width * static_cast<float>(static_cast<double>(bytes) / static_cast<double>(most));
        };
        column.small(trafficSoFar(machine.levelName(l), traffic, trafficOf(all, machine, l)));
        const ImVec2 from(column.at().x, column.at().y - 0.15f * column.text());
        const float read = from.x + length(traffic.readBytes);
        list.AddRectFilled(from, {from.x + width, from.y + thick}, packed(c.colours().frame));
        list.AddRectFilled(from, {read, from.y + thick}, packed(c.colours().accent));
        list.AddRectFilled({read, from.y}, {read + length(traffic.writtenBytes), from.y + thick},
                           packed(scene::paletteFor(c.context.ground).dirty));
        column.gap(0.45f);
    }
}

/// Title and words.
void drawTitle(const PanelContext& c, CaptionColumn& column) {
    if (c.session.sceneText) {
        column.story(c.session.sceneText->title, c.session.sceneText->words);
        if (!c.session.sceneText->source.empty()) column.small(c.session.sceneText->source);
    } else if (!isCompared(c.session)) {
        column.title(c.trace().name());
    } else if (c.runs.size() > 2) {
        column.title(commonTitleOfRuns(c.session));  // two have their titles above them
    }
}

/// Draws the current access of each of two compared runs.
void drawAccesses(const PanelContext& c, CaptionColumn& column) {
    const std::vector<std::string> titles = titlesOfRuns(c.session);
    for (const std::size_t run : orderOfRuns(c.session)) {
        const Picture* const picture = c.runs.at(run)->composer().picture();
        const sim::Step* const step = titles.size() > 2 || picture == nullptr ? nullptr : picture->snapshot.current();
        if (step == nullptr) continue;
        const float before = column.at().y;
        column.small(titles[run] + ": " + accessInWords(*step, contextOf(c.session, run)));
        // If the first does not fit, leave out the second too, which would be mistaken for the access of both.
        if (column.at().y == before) return;
    }
}

bool showsRings(const Session& session) {
    return session.viewSettings.showsKind(ViewId::Kind::rings);
}

/// Draws the sentence of the access, and the meaning of the numbers in the rings. True if the meaning was drawn.
bool drawAccess(const PanelContext& c, CaptionColumn& column) {
    if (summedRange(c.session)) return false;
    const sim::Step* const step = c.picture()->snapshot.current();
    if (step == nullptr) return true;
    const float top = column.at().y;
    column.aside(accessInWords(*step, c.context));
    // What stands below rests while others follow it, with lines for most of them.
    const double pace = c.context.paceNow();
    const float lines = pace > kReadablePace ? 2 : pace > 0 ? 3 : 0;
    column.skipTo(top + lines * kLine * column.text());
    if (!showsRings(c.session)) return false;
    return column.smallAll(scene::numberedWords(c.picture()->scene(), sim::factsOf(*step, c.trace(), c.machine())));
}

/// Draws the sentence about the current access, or about the difference of two runs. True if it explains the numbers
/// in the rings.
bool drawSentence(const PanelContext& c, CaptionColumn& column) {
    column.gap(0.6f);
    if (!isCompared(c.session)) return drawAccess(c, column);
    column.aside(comparisonSentence(c));
    drawAccesses(c, column);
    return false;
}

/// Draws the key to the signs of the rings; flat pictures have their own keys.
void drawSigns(const PanelContext& c, CaptionColumn& column) {
    column.gap(0.3f);
    if (c.context.legend && showsRings(c.session)) column.key();
}

/// The parts beside title and words. If room is short, they are left out from the last one on.
struct CaptionParts {
    bool sentence = true;
    bool rates = true;
    bool place = true;  ///< and the machines
    bool traffic = true;
    bool key = true;

    bool any() const { return sentence || rates || place || traffic || key; }
};

/// Draws those parts, and leaves only those of them that had no room. As drawSentence().
bool drawParts(const PanelContext& c, CaptionColumn& words, CaptionColumn& facts, CaptionParts& parts) {
    bool tells = true;
    const auto draw = [](CaptionColumn& column, bool& part, auto&& drawPart) {
        column.begin();
        if (part) drawPart(column);
        part &= !column.isWhole();
    };
    draw(words, parts.sentence, [&](CaptionColumn& column) { tells = drawSentence(c, column); });
    draw(facts, parts.rates, [&](CaptionColumn& column) { drawRates(c, column); });
    draw(facts, parts.place, [&](CaptionColumn& column) {
        column.gap(0.3f);
        column.small(positionInWords(c));
        for (const std::string& line : machinesInWords(c)) column.small(line);
    });
    draw(facts, parts.traffic, [&](CaptionColumn& column) { drawTraffic(c, column); });
    draw(facts, parts.key, [&](CaptionColumn& column) { drawSigns(c, column); });
    return tells;
}

/// Title, words and parts. In a broad band, facts stand beside the words where these keep their size.
bool drawBeside(const PanelContext& c, const StageLayout& stage, CaptionParts& parts) {
    const float text = stage.text;
    const float pad = kPad * text;
    const ImVec2 from(static_cast<float>(stage.words.x) + pad, static_cast<float>(stage.words.y) + pad);
    const ImVec2 size(static_cast<float>(stage.words.width) - 2 * pad,
                      static_cast<float>(stage.words.height) - 1.5f * pad);
    const float half = (size.x - pad) / 2;
    const auto& sceneText = c.session.sceneText;
    const bool two =
        size.x > 34 * text &&
        (!sceneText ||
         CaptionColumn(c, from, {half, size.y}, text, stage.small).fits(sceneText->title, sceneText->words));
    CaptionColumn story(c, from, {two ? half : size.x, size.y}, text, stage.small);
    CaptionColumn beside(c, {from.x + half + pad, from.y}, {half, size.y}, text, stage.small);
    drawTitle(c, story);
    return drawParts(c, story, two ? beside : story, parts);
}

/// What has given way beside the picture, over it. As drawSentence().
bool drawOver(const PanelContext& c, const StageLayout& stage, CaptionParts parts) {
    const float text = stage.text;
    const float pad = kPad * text;
    const ImVec2 from(static_cast<float>(stage.picture.x), static_cast<float>(stage.picture.y));
    const ImVec2 size(std::min(24 * text, static_cast<float>(stage.picture.width)),
                      static_cast<float>(stage.picture.height));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImDrawListSplitter layers;
    layers.Split(&list, 2);
    layers.SetCurrentChannel(&list, 1);
    CaptionColumn column(c, {from.x + pad, from.y + 0.2f * pad}, {size.x - 2 * pad, size.y - 0.4f * pad}, text,
                         stage.small);
    const bool tells = drawParts(c, column, column, parts);
    layers.SetCurrentChannel(&list, 0);
    ImVec4 bed = c.colours().panel;
    bed.w = 0.92f;
    list.AddRectFilled(from, {from.x + size.x, column.at().y + 0.5f * pad}, packed(bed));
    layers.Merge(&list);
    return tells;
}

/// In a window, the key that shows what has given way, in the corner of the words.
void drawKeyToMore(const PanelContext& c, const StageLayout& stage) {
    const Binding* const binding = bindingOf(changeOf("explain"));
    if (c.offers == nullptr || c.isSaved || binding == nullptr) return;
    const float text = kTiny * stage.text;
    const std::string words = fmt::format("more: {}", binding->keys.front());
    const ImVec2 size = c.fonts.body->CalcTextSizeA(text, FLT_MAX, 0, words.c_str());
    const ImVec2 at(static_cast<float>(stage.words.x + stage.words.width) - size.x - 0.4f * text,
                    static_cast<float>(stage.words.y + stage.words.height) - size.y);
    ImGui::GetWindowDrawList()->AddText(c.fonts.body, text, at, packed(c.colours().muted), words.c_str());
}

/// The lines that a text takes in a column, about: lines are not full.
float linesOf(const std::string& words, float text, float width) {
    constexpr float kFull = 0.9f;
    const auto breaks = std::count(words.begin(), words.end(), '\n');
    return std::ceil(scene::widthOf(words, text) / (kFull * width)) + static_cast<float>(breaks);
}

/// The height of the band below a picture that has the whole width, for the scene's title and words, or the caption's
/// other texts.
float wordsHeight(const Session& session, float width, float height, float text) {
    const float usual = (isCompared(session) ? 3 : 4) * kLine * text + 2 * kPad * text;
    return std::min(0.45f * height, session.sceneText ? storyHeight(*session.sceneText, width, text) : usual);
}

}  // namespace

float storyHeight(const SceneWords& scene, float width, float text) {
    const float room = width - 2 * kPad * text;
    const float lines = kTitle * linesOf(scene.title, kTitle * text, room) + linesOf(scene.words, text, room) +
                        (scene.source.empty() ? 0.0f : kSmall * linesOf(scene.source, kSmall * text, room));
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
    if (!session.panels || session.sceneTextOpacity() == 0) return 0;
    const float body = 16 * scale;
    const float room = std::max(1.0f, width - 2 * kPad * body);
    const float lines = linesOf(session.sceneText->title, body, room) + linesOf(session.sceneText->words, body, room);
    return std::min(0.4f * height, lines * kLine * body + kPad * body);
}

bool drawWords(const PanelContext& c, const StageLayout& stage) {
    if (c.picture() == nullptr) return true;
    CaptionParts parts;
    bool tells = !c.context.caption || drawBeside(c, stage, parts);
    if (!parts.any()) return tells;
    if (c.context.explain) {
        tells |= drawOver(c, stage, parts) && parts.sentence;
    } else if (c.context.caption) {
        drawKeyToMore(c, stage);
    }
    return tells;
}

void drawBand(const PanelContext& c, const gl::Rect& canvas) {
    if (c.picture() == nullptr) return;
    const float text = 16 * c.scale;
    const float pad = kPad * text;
    const ImVec2 from(static_cast<float>(canvas.x) + pad, static_cast<float>(canvas.y + canvas.height) + 0.6f * pad);
    const float width = static_cast<float>(canvas.width) - 2 * pad;
    ImVec4 colour = c.colours().text;
    colour.w = c.session.sceneTextOpacity();
    const std::string title = inLines(*c.fonts.heading, text, width, c.session.sceneText->title);
    drawTerms(c, *c.fonts.heading, text, from, colour, title);
    const auto breaks = static_cast<float>(std::count(title.begin(), title.end(), '\n'));
    drawTerms(c, *c.fonts.body, text, {from.x, from.y + (breaks + kLine) * text}, colour,
              inLines(*c.fonts.body, text, width, c.session.sceneText->words));
}

}  // namespace whorl::app
