#include "app/export/quiz_pdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "app/export/pdf.h"
#include "sim/analysis/explain.h"

namespace whorl::app {

namespace {

constexpr PageColour kTagBed = 0xece6f6;
constexpr PageColour kSetBed = 0xd5e9f7;
constexpr PageColour kOffsetBed = 0xf6efd6;
constexpr PageColour kRowBed = 0xf0f2f5;
constexpr PageColour kAccent = 0x1d5fa8;
constexpr double kLeft = PageCanvas::kMargin;
constexpr double kFull = PageCanvas::kRight - PageCanvas::kMargin;
constexpr double kIndent = kLeft + 20;
constexpr double kBoxHeight = 14;
constexpr double kBoxGap = 3;
/// The columns of a sequence, and of the set after each access.
constexpr std::array<double, 6> kSequenceColumns = {0, 18, 66, 96, 190, 252};
constexpr double kAfter = kLeft + 312;

constexpr PageFont kBody{.size = 9};
constexpr PageFont kSmall{.size = 7.5};
constexpr PageFont kStrong{.size = 9, .bold = true};
constexpr PageFont kMono{.size = 8.5, .mono = true};

class SheetPages {
  public:
    SheetPages(const sim::QuizSheet& sheet, sim::Progress& progress)
        : sheet_(sheet),
          progress_(progress),
          level_(sheet.machine.levels[sheet.level]),
          bits_(sim::addressBits(sheet.questions)),
          title_(sheet.isSequence ? "Play the cache" : "Cache questions"),
          page_(title_ + ": " + sim::titleOf(sheet), title_ + ": " + sim::titleOf(sheet)),
          boxWidth_(widthOfBoxes()) {}

    sim::Expected<std::string> drawn() {
        // A sequence is drawn once more, filled in.
        progress_.setTotal(sheet_.questions.size() * (1 + (sheet_.withAnswers ? 1 + sheet_.isSequence : 0)));
        drawTitle(title_, true);
        drawMachine();
        drawAddressBits();
        drawTask();
        if (sheet_.isSequence) {
            drawSequence(false);
        } else {
            drawQuestions();
        }
        if (sheet_.withAnswers) drawAnswers();
        if (progress_.cancelled()) return tl::unexpected(sim::Error::byUser());
        return page_.finished();
    }

  private:
    /// Draws something of each question in turn, unless cancelled.
    template <class Draw>
    void forEachQuestion(Draw draw) {
        for (std::size_t i = 0; i < sheet_.questions.size() && !progress_.cancelled(); ++i) {
            draw(i, sheet_.questions[i]);
            progress_.advance(1);
        }
    }

    void drawTitle(const std::string& title, bool withName) {
        double y = page_.roomFor(60);
        page_.text(kLeft, y + 14, title, {.size = 18, .bold = true});
        if (withName) {
            page_.text(PageCanvas::kRight - 200, y + 14, "Name", kBody, PageCanvas::kMuted);
            page_.line(PageCanvas::kRight - 170, y + 15, PageCanvas::kRight, y + 15);
        }
        page_.text(kLeft, y + 31, page_.fitted(sim::titleOf(sheet_), kFull, {.size = 10}), {.size = 10},
                   PageCanvas::kMuted);
        page_.line(kLeft, y + 40, PageCanvas::kRight, y + 40, kAccent, 1.2);
        page_.advance(54);
    }

    void drawMachine() {
        constexpr std::array<double, 7> kColumns = {6, 70, 130, 190, 250, 330, 420};
        constexpr double kRow = 15;
        const auto row = [&](const std::array<std::string, 7>& cells, PageFont font, PageColour colour) {
            const double y = page_.roomFor(kRow);
            for (std::size_t i = 0; i < cells.size(); ++i)
                page_.text(kLeft + kColumns[i], y + 10.5, cells[i], font, colour);
            page_.advance(kRow);
        };
        row({"level", "size", "ways", "sets", "block", "replacement", ""}, kSmall, PageCanvas::kMuted);
        for (std::size_t l = 0; l < sheet_.machine.levels.size(); ++l) {
            const sim::LevelConfig& level = sheet_.machine.levels[l];
            const bool isAsked = l == sheet_.level;
            if (isAsked) page_.fill(kLeft, page_.roomFor(kRow), kFull, kRow, kSetBed);
            row({level.name, sim::formatBytes(level.size), std::to_string(level.ways), std::to_string(level.sets()),
                 fmt::format("{} bytes", level.block), sim::policyInWords(level), isAsked ? "asked about" : ""},
                isAsked ? kStrong : kBody, PageCanvas::kInk);
        }
        page_.advance(10);
    }

    /// Which bits of an address select what.
    void drawAddressBits() {
        const auto offset = static_cast<unsigned>(std::countr_zero(level_.block));
        const bool hasSetBits = sim::isPowerOfTwo(level_.sets());
        const unsigned set = hasSetBits ? static_cast<unsigned>(std::countr_zero(level_.sets())) : 0;
        struct Part {
            std::string name;
            unsigned first;
            unsigned count;
            PageColour bed;
        };
        const std::vector<Part> parts = {
            {hasSetBits ? "tag" : "number of the block", offset + set, bits_ - std::min(bits_, offset + set), kTagBed},
            {"set", offset, set, kSetBed},
            {"offset", 0, offset, kOffsetBed}};
        const double y = page_.roomFor(60);
        page_.text(kLeft, y + 8, fmt::format("An address in {}", level_.name), kSmall, PageCanvas::kMuted);
        double x = kLeft;
        for (const Part& part : parts) {
            if (part.count == 0) continue;
            // Fields of few bits still have room for their names.
            const double width =
                std::max(64.0, (kFull - 3 * 64.0) * part.count / bits_ + 64.0 * (&part == parts.data()));
            const double to = &part == &parts.back() ? PageCanvas::kRight : std::min(x + width, PageCanvas::kRight);
            page_.fill(x, y + 22, to - x, 16, part.bed);
            page_.frame(x, y + 22, to - x, 16);
            const std::string words = fmt::format("{}: {} bit{}", part.name, part.count, part.count == 1 ? "" : "s");
            page_.text(x + (to - x - page_.width(words, kBody)) / 2, y + 33, words, kBody);
            page_.text(x + 2, y + 19.5, std::to_string(part.first + part.count - 1), kSmall, PageCanvas::kMuted);
            const std::string last = std::to_string(part.first);
            if (part.count > 1) {
                page_.text(to - 2 - page_.width(last, kSmall), y + 19.5, last, kSmall, PageCanvas::kMuted);
            }
            x = to;
        }
        if (!hasSetBits) {
            page_.text(kLeft, y + 49,
                       fmt::format("set: the number of the block modulo {0}; tag: the number of the block divided by "
                                   "{0}, rounded down",
                                   level_.sets()),
                       kSmall, PageCanvas::kMuted);
        }
        page_.advance(hasSetBits ? 50 : 60);
    }

    void drawTask() {
        std::string words;
        if (sheet_.isSequence) {
            words = fmt::format(
                "All these accesses go to set {} of {}, one after the other. Fill in the tag of each, whether it hits "
                "or misses, and the tags that the set holds after it{}.",
                sheet_.questions.empty() ? 0 : sheet_.questions.front().fields.set, level_.name,
                sim::orderInWords(level_.policy, level_.ways));
        } else {
            words = fmt::format(
                "For each access: which tag and which set of {} does its address have? Does it hit or miss there? "
                "Which block is evicted (its tag, or none)? The boxes show the tags that its set holds before the "
                "access{}.",
                level_.name, sim::orderInWords(level_.policy, level_.ways));
        }
        const double y = page_.roomFor(30);
        page_.advance(page_.paragraph(kLeft, y + 9, kFull, words, kBody) - y);
    }

    /// As wide as the longest tag on the sheet.
    double widthOfBoxes() const {
        double widest = 34;
        for (const sim::Question& q : sheet_.questions) {
            for (const auto* lines : {&q.before, &q.after}) {
                for (const sim::SetLine& line : *lines) {
                    const std::string tag = fmt::format("{:#x}", sim::tagOf(line.block, q));
                    widest = std::max(widest, page_.width(tag, kMono) + 10);
                }
            }
        }
        return widest;
    }

    /// The number of boxes to draw for the ways of a set: the ways that hold blocks, and a few free ones.
    static std::size_t boxesFor(std::size_t held, const sim::Question& q) {
        return std::min<std::size_t>(q.ways, std::max<std::size_t>(held + 2, 4));
    }

    double heightOfWays(std::size_t boxes, double width) const {
        const double inLine = std::max(1.0, std::floor((width + kBoxGap) / (boxWidth_ + kBoxGap)));
        return std::ceil(static_cast<double>(boxes) / inLine) * (kBoxHeight + kBoxGap);
    }

    /// The ways of a set as boxes, with the tags of these lines.
    void drawWays(double from, double y, double right, std::size_t boxes, const sim::Question& q,
                  const std::vector<sim::SetLine>& lines) {
        double x = from;
        for (std::size_t way = 0; way < boxes; ++way) {
            if (x + boxWidth_ > right && x > from) {
                x = from;
                y += kBoxHeight + kBoxGap;
            }
            page_.fill(x, y, boxWidth_, kBoxHeight, 0xffffff);
            page_.frame(x, y, boxWidth_, kBoxHeight);
            if (way < lines.size()) {
                const std::string tag = fmt::format("{:#x}", sim::tagOf(lines[way].block, q));
                page_.text(x + (boxWidth_ - page_.width(tag, kMono)) / 2, y + 10, tag, kMono);
            }
            x += boxWidth_ + kBoxGap;
        }
        if (boxes < q.ways && lines.size() < q.ways) {
            page_.text(x + 3, y + 10, fmt::format("and {} free", q.ways - std::max(boxes, lines.size())), kSmall,
                       PageCanvas::kMuted);
        }
    }

    void drawBlank(double& x, double y, const std::string& name, double width) {
        page_.text(x, y, name, kBody, PageCanvas::kMuted);
        x += page_.width(name, kBody) + 4;
        page_.line(x, y + 1.5, x + width, y + 1.5);
        x += width + 14;
    }
    void drawTick(double& x, double y, const std::string& name) {
        page_.frame(x, y - 7, 8, 8);
        page_.text(x + 12, y, name, kBody);
        x += page_.width(name, kBody) + 24;
    }

    void drawQuestions() {
        constexpr double kValues = kIndent + 44;
        forEachQuestion([&](std::size_t i, const sim::Question& q) {
            const std::size_t boxes = boxesFor(q.before.size(), q);
            const double ways = heightOfWays(boxes, PageCanvas::kRight - kValues);
            const double y = page_.roomFor(64 + ways);
            page_.advance(66 + ways);
            page_.text(kLeft, y + 12, fmt::format("{}", i + 1), {.size = 10, .bold = true}, kAccent);
            page_.text(kIndent, y + 12,
                       page_.fitted(fmt::format("Access {} {}", q.tick.value, sim::accessInWords(q, sheet_)),
                                    PageCanvas::kRight - kIndent, kStrong),
                       kStrong);
            const std::string binary = sim::binaryDigits(q.access.address.value, bits_);
            page_.text(kIndent, y + 25, "in binary", kSmall, PageCanvas::kMuted);
            page_.text(kValues, y + 25, binary, {.size = bits_ > 48 ? 7.5 : 8.5, .mono = true});
            page_.text(kIndent, y + 41, "its set", kSmall, PageCanvas::kMuted);
            drawWays(kValues, y + 31, PageCanvas::kRight, boxes, q, q.before);
            drawBlanks(y + 31 + ways + 13, q);
        });
    }

    void drawBlanks(double y, const sim::Question& q) {
        double x = kIndent;
        drawBlank(x, y, "tag", 80);
        drawBlank(x, y, "set", 50);
        drawTick(x, y, "hit");
        drawTick(x, y, "miss");
        if (q.asksForVictim()) drawBlank(x, y, "evicted", 80);
    }

    void drawSequence(bool filledIn) {
        if (sheet_.questions.empty()) return;
        const sim::Question& first = sheet_.questions.front();
        std::size_t held = first.before.size();
        for (const sim::Question& q : sheet_.questions) held = std::max(held, q.after.size());
        const std::size_t boxes = boxesFor(held, first);
        double y = page_.roomFor(70);
        page_.text(kLeft, y + 14, "before", kStrong);
        drawWays(kAfter, y + 4, PageCanvas::kRight, boxes, first, first.before);
        page_.advance(heightOfWays(boxes, PageCanvas::kRight - kAfter) + 12);
        y = page_.roomFor(16);
        const std::array<std::string, 6> names = {"", "access", "", "address", "tag", "hit or miss"};
        for (std::size_t i = 0; i < names.size(); ++i) {
            page_.text(kLeft + kSequenceColumns[i] + 2, y + 10, names[i], kSmall, PageCanvas::kMuted);
        }
        page_.text(kAfter, y + 10, "the set after it", kSmall, PageCanvas::kMuted);
        page_.advance(14);
        forEachQuestion([&](std::size_t i, const sim::Question&) { drawRow(i, boxes, filledIn); });
        page_.advance(10);
    }

    void drawRow(std::size_t index, std::size_t boxes, bool filledIn) {
        const sim::Question& q = sheet_.questions[index];
        const double height = 5 + heightOfWays(boxes, PageCanvas::kRight - kAfter);
        const double y = page_.roomFor(height);
        page_.advance(height);
        if (index % 2 == 0) page_.fill(kLeft, y, kFull, height, kRowBed);
        const std::array<std::string, 6> cells = {fmt::format("{}", index + 1),
                                                  fmt::format("{}", q.tick.value),
                                                  q.access.isWrite() ? "write" : "read",
                                                  fmt::format("{:#x}", q.access.address.value),
                                                  filledIn ? fmt::format("{:#x}", q.fields.tag) : "",
                                                  filledIn ? std::string(sim::outcomeInWords(q)) : ""};
        for (std::size_t i = 0; i < cells.size(); ++i) {
            page_.text(kLeft + kSequenceColumns[i] + 2, y + 14, cells[i], i == 3 || i == 4 ? kMono : kBody);
        }
        if (!filledIn) {
            page_.line(kLeft + kSequenceColumns[4] + 2, y + 16, kLeft + kSequenceColumns[5] - 8, y + 16);
            page_.line(kLeft + kSequenceColumns[5] + 2, y + 16, kAfter - 10, y + 16);
        }
        drawWays(kAfter, y + 4, PageCanvas::kRight - 2, boxes, q, filledIn ? q.after : std::vector<sim::SetLine>{});
    }

    /// The digits of an address on beds in the colours of their fields.
    void drawDigits(double x, double y, const sim::Question& q) {
        const PageFont font{.size = bits_ > 48 ? 7.0 : 8.0, .mono = true};
        const sim::AddressDigits digits = sim::digitsOf(q, bits_);
        const std::array<std::pair<const std::string*, PageColour>, 3> fields = {
            {{&digits.tag, kTagBed}, {&digits.set, kSetBed}, {&digits.offset, kOffsetBed}}};
        for (const auto& [text, bed] : fields) {
            if (text->empty()) continue;
            const double width = page_.width(*text, font) + 6;
            page_.fill(x, y - 8.5, width, 11.5, bed);
            page_.text(x + 3, y, *text, font);
            x += width + 2;
        }
    }

    void drawAnswers() {
        page_.newPage();
        drawTitle("Answers", false);
        if (sheet_.isSequence) drawSequence(true);
        forEachQuestion([&](std::size_t i, const sim::Question& q) {
            const std::string why = sim::whyInWords(q);
            const double height = 38 + page_.heightOf(why, PageCanvas::kRight - kIndent, kBody);
            const double y = page_.roomFor(height);
            page_.advance(height);
            page_.text(kLeft, y + 11, fmt::format("{}", i + 1), {.size = 10, .bold = true}, kAccent);
            std::string words = fmt::format("{}: tag {:#x}, set {}, offset {}", sim::outcomeInWords(q), q.fields.tag,
                                            q.fields.set, q.fields.offset);
            if (q.asksForVictim()) words += "; evicted: " + sim::victimInWords(q);
            page_.text(kIndent, y + 11, words, kStrong);
            drawDigits(kIndent, y + 24, q);
            page_.paragraph(kIndent, y + 38, PageCanvas::kRight - kIndent, why, kBody, PageCanvas::kMuted);
        });
    }

    const sim::QuizSheet& sheet_;
    sim::Progress& progress_;
    const sim::LevelConfig& level_;
    unsigned bits_;
    std::string title_;
    PageCanvas page_;
    double boxWidth_;
};

}  // namespace

sim::Expected<std::string> quizAsPdf(const sim::QuizSheet& sheet, sim::Progress& progress) {
    return SheetPages(sheet, progress).drawn();
}

}  // namespace whorl::app
