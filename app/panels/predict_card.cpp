// The card on which an access is predicted, over the upper right of the views: its address and what its set holds, the
// answers to choose from, and, once it has been played, which were right and why.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "sim/analysis/explain.h"
#include "sim/report/quiz/quiz_words.h"

namespace whorl::app {

namespace {

using sim::QuizPart;

/// A button for an answer; the chosen one is marked, and later the right one, too.
class Answers {
  public:
    Answers(const PanelContext& c, const Prediction& prediction) : c_(c), prediction_(prediction) {}

    void begin(QuizPart part, const std::string& asked) {
        const bool isNext = nextPart(prediction_) == part;
        mutedWrapped(c_, isNext ? asked + "  (keys Alt+1, Alt+2, …)" : asked);
        isFirst_ = true;
    }

    void add(const std::string& words, bool isChosen, bool isRight, const Command& command, const std::string& name) {
        const Theme colours = c_.colours();
        const ImGuiStyle& style = ImGui::GetStyle();
        const float width = ImGui::CalcTextSize(words.c_str()).x + 2 * style.FramePadding.x;
        if (!std::exchange(isFirst_, false)) {
            ImGui::SameLine(0, 4 * c_.scale);
            if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
        }
        const bool isMarked = isChosen || (prediction_.revealed && isRight);
        const ImVec4 frame = !prediction_.revealed || isRight ? colours.accent : colours.warning;
        if (isMarked) {
            ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 2 * c_.scale);
            ImGui::PushStyleColor(ImGuiCol_Border, frame);
        }
        ImGui::PushID(name.c_str());
        if (ImGui::Button(words.c_str()) && !prediction_.revealed) c_.queue(command);
        ImGui::PopID();
        if (isMarked) {
            ImGui::PopStyleColor();
            ImGui::PopStyleVar();
        }
        nameItem(c_, name);
    }

  private:
    const PanelContext& c_;
    const Prediction& prediction_;
    bool isFirst_ = true;
};

void drawHeading(const PanelContext& c, const Prediction& p) {
    const std::string title = p.question == nullptr ? "No more accesses"
                              : p.kind == PredictKind::sequence
                                  ? fmt::format("Play the cache: access {}", p.question->tick.value)
                                  : fmt::format("Predict access {}", p.question->tick.value);
    ImGui::PushFont(c.fonts.heading);
    ImGui::TextUnformatted(title.c_str());
    ImGui::PopFont();
    const float cross = ImGui::CalcTextSize("×").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, ImGui::GetContentRegionAvail().x - cross));
    if (ImGui::Button("×")) c.queue(command::PredictEnd{});
    hint("stop predicting (Escape)");
    if (p.parts > 0) muted(c, fmt::format("{} of {} answers right", p.right, p.parts));
}

void drawAccess(const PanelContext& c, const sim::Question& q) {
    const sim::QuizSheet words{.trace = c.context.opened.run->sharedTrace(), .machine = c.machine(), .questions = {}};
    wrapped(fmt::format("The access {}.", sim::accessInWords(q, words)));
    ImGui::PushFont(c.fonts.mono);
    wrapped(sim::binaryDigits(q.access.address.value, sim::addressBits({q})));
    ImGui::PopFont();
    const sim::LevelConfig& level = c.machine().levels[q.level];
    muted(c, fmt::format("{}: {} {} of {} {}, blocks of {} bytes, {}", level.name, level.sets(),
                         level.sets() == 1 ? "set" : "sets", level.ways, level.ways == 1 ? "way" : "ways", level.block,
                         sim::policyInWords(level)));
}

void drawSets(const PanelContext& c, const Prediction& p, Answers& answers) {
    const sim::Question& q = *p.question;
    answers.begin(QuizPart::set, "Which set?");
    for (const std::uint64_t set : setsToChoose(q, c.machine())) {
        answers.add(fmt::format("{}", set), p.answer.set == set, set == q.fields.set, command::PredictSet{set},
                    fmt::format("predict set {}", set));
    }
    // The user may also answer by clicking the arm of a set, or a block on it, in the rings.
    const auto& selected = c.context.selected;
    if (!selected || p.revealed || selected->target.level != q.level) return;
    if (selected->target.kind != scene::Target::Kind::set && selected->target.kind != scene::Target::Kind::line) return;
    const std::uint64_t set = selected->target.set.value;
    answers.add(fmt::format("the selected one: {}", set), false, false, command::PredictSet{set},
                "predict selected set");
}

/// Whether the table of the cache is shown, in which a click on a way answers all: where the block will be.
bool isAnsweredInTable(const PanelContext& c, const sim::Question& q) {
    const sim::MachineConfig& machine = c.machine();
    if (q.access.isWrite() && !machine.levels[q.level].allocate) return false;  // it may be nowhere
    return std::any_of(c.context.viewSettings.shown.begin(), c.context.viewSettings.shown.end(), [&](const ViewId& v) {
        const std::uint32_t cpu = std::min<std::uint32_t>(v.part, machine.cpus - 1);
        return v.kind == ViewId::Kind::table && v.level == q.level && machine.cacheOf(q.level, cpu) == q.cache;
    });
}

void drawOutcomes(const Prediction& p, Answers& answers) {
    answers.begin(QuizPart::outcome, "Hit or miss?");
    for (const bool hit : {true, false}) {
        answers.add(hit ? "hit" : "miss", p.answer.hit == hit, p.question->hit == hit, command::PredictOutcome{hit},
                    hit ? "predict hit" : "predict miss");
        hint(wordsWithKey(command::PredictOutcome{hit}));
    }
}

void drawVictims(const PanelContext& c, const Prediction& p, Answers& answers) {
    const sim::Question& q = *p.question;
    answers.begin(QuizPart::victim,
                  fmt::format("Which block is evicted? The set holds {}{}:", q.ways == 1 ? "this tag" : "these tags",
                              sim::orderInWords(q.policy, q.ways)));
    const std::uint64_t bytes = c.machine().levels[q.level].block;
    for (const sim::SetLine& line : q.before) {
        const sim::Victim victim{line.block};
        answers.add(fmt::format("{:#x}", sim::tagOf(line.block, q)), p.answer.victim == victim, q.victim == line.block,
                    command::PredictVictim{sim::ByteAddress{line.block.value * bytes}},
                    fmt::format("predict tag {:#x}", sim::tagOf(line.block, q)));
        hint(c.trace().placeOf(sim::ByteAddress{line.block.value * bytes}, q.tick));
    }
    answers.add("none", p.answer.victim == sim::Victim{}, !q.victim, command::PredictNoVictim{}, "predict none");
}

std::string_view nameOf(QuizPart part) {
    switch (part) {
        case QuizPart::set:
            return "The set";
        case QuizPart::tag:
            return "The tag";
        case QuizPart::outcome:
            return "The outcome";
        case QuizPart::victim:
            return "The block";
    }
    return "";
}

void drawGrade(const PanelContext& c, const Prediction& p) {
    for (const sim::GradedPart& part : sim::graded(*p.question, c.machine(), p.answer)) {
        ImGui::PushStyleColor(ImGuiCol_Text, part.right ? c.colours().accent : c.colours().warning);
        wrapped(fmt::format("{} is {}.{}", nameOf(part.part), part.right ? "right" : "wrong",
                            part.likely ? fmt::format(" That is {}.", part.likely->words) : ""));
        ImGui::PopStyleColor();
    }
    wrapped(sim::whyInWords(*p.question));
}

void drawLevels(const PanelContext& c, const Prediction& p) {
    const auto& levels = c.machine().levels;
    if (levels.size() == 1) return;
    for (std::size_t l = 0; l < levels.size(); ++l) {
        if (l > 0) ImGui::SameLine(0, 8 * c.scale);
        if (ImGui::RadioButton(levels[l].name.c_str(), l == p.level)) {
            c.queue(command::PredictLevel{static_cast<std::uint8_t>(l)});
        }
        nameItem(c, "predict level " + levels[l].name);
        hint("ask about accesses at this level");
    }
}

void drawAnswers(const PanelContext& c, const Prediction& p) {
    Answers answers(c, p);
    drawSets(c, p, answers);
    drawOutcomes(p, answers);
    if (p.question->asksForVictim()) drawVictims(c, p, answers);
}

void drawQuestion(const PanelContext& c, const Prediction& p) {
    drawLevels(c, p);
    drawAccess(c, *p.question);
    if (!p.revealed && isAnsweredInTable(c, *p.question)) {
        mutedWrapped(c, "Click the way in the table in which its block will be.");
    } else {
        drawAnswers(c, p);
    }
    ImGui::Dummy({0, 2 * c.scale});
    if (p.revealed) {
        drawGrade(c, p);
        if (ImGui::Button("next")) c.queue(command::PredictNext{});
        nameItem(c, "predict next");
        hint(wordsWithKey(command::PredictNext{}));
    } else {
        if (ImGui::Button("show")) c.queue(command::PredictReveal{});
        nameItem(c, "predict show");
        hint(wordsWithKey(command::PredictReveal{}));
    }
    if (p.kind != PredictKind::sequence) return;
    ImGui::SameLine();
    muted(c, fmt::format("{} more in this set", p.sequence.size()));
}

}  // namespace

void drawPredictCard(const PanelContext& c, const gl::Rect& canvas) {
    const Prediction& prediction = *c.session.prediction;
    const float gap = 8 * c.scale;
    const ImVec2 at(static_cast<float>(canvas.x + canvas.width) - gap, static_cast<float>(canvas.y) + gap);
    const float width = std::min(300 * c.scale, static_cast<float>(canvas.width) - 2 * gap);
    if (beginOverlay("##predict", c, at, {1, 0}, width)) {
        ImGui::PushFont(c.fonts.small);
        drawHeading(c, prediction);
        if (prediction.question != nullptr) {
            drawQuestion(c, prediction);
        } else {
            wrapped(prediction.kind == PredictKind::sequence ? "All accesses of this set have been played."
                                                             : "No later access is suitable for a question.");
        }
        ImGui::PopFont();
    }
    ImGui::End();
}

}  // namespace whorl::app
