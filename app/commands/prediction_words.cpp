#include "app/commands/prediction_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "app/commands/bindings.h"
#include "app/commands/predict_commands.h"
#include "sim/analysis/explain.h"
#include "sim/report/quiz/quiz_words.h"

namespace whorl::app {

namespace {

using sim::QuizPart;

std::string titleOf(const Prediction& p) {
    if (p.question == nullptr) return "No more accesses";
    const char* const begin = p.kind == PredictKind::sequence ? "Play the cache: access" : "Predict access";
    return fmt::format("{} {}", begin, p.question->tick.value);
}

std::string keyOf(const Command& command) {
    const std::string keys = keysOf(command);
    return keys.empty() ? std::string(command.words()) : fmt::format("{} ({})", command.words(), keys);
}

PredictionWords::Part setsOf(const Session& session, const Prediction& p) {
    const sim::Question& q = *p.question;
    PredictionWords::Part part{.asked = "Which set?", .answers = {}};
    for (const std::uint64_t set : setsToChoose(q, session.opened.run->machine())) {
        part.answers.push_back({.words = fmt::format("{}", set),
                                .name = fmt::format("set {}", set),
                                .command = command::PredictSet{set},
                                .chosen = p.answer.set == set,
                                .right = set == q.fields.set});
    }
    // The user may also answer by clicking the arm of a set, or a block on it, in the rings.
    const auto& selected = session.selected;
    if (!selected || p.revealed || selected->target.level != q.level) return part;
    const auto kind = selected->target.kind;
    if (kind != scene::Target::Kind::set && kind != scene::Target::Kind::line) return part;
    const std::uint64_t set = selected->target.set.value;
    part.answers.push_back({.words = fmt::format("the selected one: {}", set),
                            .name = "selected set",
                            .command = command::PredictSet{set}});
    return part;
}

PredictionWords::Part outcomesOf(const Prediction& p) {
    PredictionWords::Part part{.asked = "Hit or miss?", .answers = {}};
    for (const bool hit : {true, false}) {
        const char* const words = hit ? "hit" : "miss";
        part.answers.push_back({.words = words,
                                .name = words,
                                .help = keyOf(command::PredictOutcome{hit}),
                                .command = command::PredictOutcome{hit},
                                .chosen = p.answer.hit == hit,
                                .right = p.question->hit == hit});
    }
    return part;
}

PredictionWords::Part victimsOf(const Session& session, const Prediction& p) {
    const sim::Question& q = *p.question;
    PredictionWords::Part part{
        .asked = fmt::format("Which block is evicted? The set holds {}{}:", q.ways == 1 ? "this tag" : "these tags",
                             sim::orderInWords(q.policy, q.ways)),
        .answers = {}};
    const std::uint64_t bytes = session.opened.run->machine().levels[q.level].block;
    for (const sim::SetLine& line : q.before) {
        const sim::Victim victim{line.block};
        const sim::ByteAddress byte{line.block.value * bytes};
        part.answers.push_back({.words = fmt::format("{:#x}", sim::tagOf(line.block, q)),
                                .name = fmt::format("tag {:#x}", sim::tagOf(line.block, q)),
                                .help = session.opened.run->trace().placeOf(byte, q.tick),
                                .command = command::PredictVictim{byte},
                                .chosen = p.answer.victim == victim,
                                .right = q.victim == line.block});
    }
    part.answers.push_back({.words = "none",
                            .name = "none",
                            .command = command::PredictNoVictim{},
                            .chosen = p.answer.victim == sim::Victim{},
                            .right = !q.victim});
    return part;
}

/// Whether the table of the cache is shown, in which a click on a way answers all: where the block will be.
bool isAnsweredInTable(const Session& session, const sim::Question& q) {
    const sim::MachineConfig& machine = session.opened.run->machine();
    if (q.access.isWrite() && !machine.levels[q.level].allocate) return false;  // it may be nowhere
    const auto& shown = session.viewSettings.shown;
    return std::any_of(shown.begin(), shown.end(), [&](const ViewId& v) {
        const std::uint32_t cpu = std::min<std::uint32_t>(v.part, machine.cpus - 1);
        return v.kind == ViewId::Kind::table && v.level == q.level && machine.cacheOf(q.level, cpu) == q.cache;
    });
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

void addQuestion(PredictionWords& out, const Session& session, const Prediction& p) {
    const sim::Question& q = *p.question;
    const sim::MachineConfig& machine = session.opened.run->machine();
    const sim::QuizSheet words{.trace = session.opened.run->sharedTrace(), .machine = machine, .questions = {}};
    out.access = fmt::format("The access {}.", sim::accessInWords(q, words));
    out.digits = sim::binaryDigits(q.access.address.value, sim::addressBits({q}));
    const sim::LevelConfig& level = machine.levels[q.level];
    out.cache = fmt::format("{}: {} {} of {} {}, blocks of {} bytes, {}", level.name, level.sets(),
                            level.sets() == 1 ? "set" : "sets", level.ways, level.ways == 1 ? "way" : "ways",
                            level.block, sim::policyInWords(level));
    for (std::size_t l = 0; machine.levels.size() > 1 && l < machine.levels.size(); ++l) {
        out.levels.push_back({.name = machine.levels[l].name,
                              .command = command::PredictLevel{static_cast<std::uint8_t>(l)},
                              .on = l == p.level});
    }
    out.isAnsweredInTable = !p.revealed && isAnsweredInTable(session, q);
    const auto next = nextPart(p);
    const auto add = [&](QuizPart of, PredictionWords::Part part) {
        part.isNext = next == of;
        out.parts.push_back(std::move(part));
    };
    add(QuizPart::set, setsOf(session, p));
    add(QuizPart::outcome, outcomesOf(p));
    if (q.asksForVictim()) add(QuizPart::victim, victimsOf(session, p));
    if (!p.revealed) return void(out.next = PredictionWords::Action{"show", command::PredictReveal{}});
    for (const sim::GradedPart& part : sim::graded(q, machine, p.answer)) {
        const std::string likely = part.likely ? fmt::format(" That is {}.", part.likely->words) : "";
        out.grades.push_back(
            {fmt::format("{} is {}.{}", nameOf(part.part), part.right ? "right" : "wrong", likely), part.right});
    }
    out.why = sim::whyInWords(q);
    out.next = PredictionWords::Action{"next", command::PredictNext{}};
}

}  // namespace

PredictionWords predictionWords(const Session& session) {
    const Prediction& p = *session.prediction;
    PredictionWords out{.title = titleOf(p)};
    if (p.parts > 0) out.score = fmt::format("{} of {} answers right", p.right, p.parts);
    if (p.question != nullptr) {
        addQuestion(out, session, p);
    } else {
        out.note = p.kind == PredictKind::sequence ? "All accesses of this set have been played."
                                                   : "No later access is suitable for a question.";
    }
    if (p.question != nullptr && p.kind == PredictKind::sequence) {
        out.left = fmt::format("{} more in this set", p.sequence.size());
    }
    return out;
}

}  // namespace whorl::app
