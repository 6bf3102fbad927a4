#include "app/commands/predict_commands.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/commands/tour_commands.h"
#include "app/session/transitions.h"
#include "app/tours/presenting.h"
#include "sim/analysis/quiz/choice.h"

namespace whorl::app {

namespace {

/// Accesses ahead that are searched for a sequence in one set; few enough to replay within a frame.
constexpr std::uint64_t kLookAhead = std::uint64_t{1} << 15;
constexpr std::uint64_t kSequence = 10;

/// Moves the playhead before the access, so that the picture shows nothing of it.
void ask(Session& session, Prediction& prediction, std::optional<sim::Question> question) {
    prediction.answer = {};
    prediction.revealed = false;
    prediction.question.reset();
    if (!question) return;
    session.player.pause();
    session.player.seek(static_cast<double>(question->tick.value), session.end());
    prediction.question = std::make_shared<const sim::Question>(*std::move(question));
}

/// The access at or after the playhead that has not begun.
sim::Tick ahead(const Session& session) {
    return sim::Tick{static_cast<std::uint64_t>(std::ceil(session.player.position()))};
}

void askFrom(Session& session, Prediction& prediction, sim::Tick from) {
    const sim::Run& run = *session.opened.run;
    if (prediction.kind != PredictKind::sequence) {
        return ask(session, prediction,
                   sim::nextQuestion(run, prediction.level, from, prediction.kind == PredictKind::telling));
    }
    std::optional<sim::Question> question;
    if (!prediction.sequence.empty()) {
        question = sim::questionAt(run, prediction.level, prediction.sequence.front());
        prediction.sequence.erase(prediction.sequence.begin());
    }
    ask(session, prediction, std::move(question));
}

void begin(Session& session, PredictKind kind, std::size_t level) {
    const sim::Run& run = *session.opened.run;
    Prediction prediction{.kind = kind, .level = level};
    const sim::Tick from = ahead(session);
    if (kind == PredictKind::sequence) {
        const sim::Tick to{std::min(run.built().value, from.value + kLookAhead)};
        sim::Progress unwatched;
        const auto steps = sim::chosenSequence(
            run, {.level = level, .range = {std::min(from, to), to}, .count = kSequence}, unwatched);
        for (const sim::Question& step : *steps) prediction.sequence.push_back(step.tick);
    }
    askFrom(session, prediction, from);
    if (prediction.question == nullptr) {
        refuse(session, run.machine().levels.empty()
                            ? "There is nothing to predict: this machine has no cache."
                            : "No access ahead can be asked about at " + run.machine().levels[level].name + ".");
        session.prediction.reset();
        return;
    }
    session.prediction = std::move(prediction);
}

/// The question that is open for answers; null if there is none.
Prediction* openIn(Session& session) {
    const bool isOpen = session.opened.run && session.prediction && session.prediction->question != nullptr &&
                        !session.prediction->revealed;
    return isOpen ? &*session.prediction : nullptr;
}

void reveal(Session& session, Prediction& prediction) {
    for (const sim::GradedPart& part :
         sim::graded(*prediction.question, session.opened.run->machine(), prediction.answer)) {
        ++prediction.parts;
        prediction.right += part.right ? 1 : 0;
    }
    prediction.revealed = true;
    session.player.show(prediction.question->tick.value, session.end());
}

/// Whether a scene waits for an answer, and no prediction does.
bool asksInTour(const Session& session) {
    return !session.prediction && session.asks() && session.presentation->entered;
}

template <class Answer>
void answerWith(Session& session, Answer&& give) {
    Prediction* const prediction = openIn(session);
    if (prediction == nullptr) return;
    give(*prediction);
    if (prediction->isAnswered()) reveal(session, *prediction);
}

}  // namespace

namespace command {

void apply(Session& session, const Predict& command) {
    if (!session.opened.run) return;
    const PredictKind kind = command.kind.value_or(PredictKind::next);
    if (session.prediction && session.prediction->kind == kind) return session.prediction.reset();
    begin(session, kind, session.prediction ? session.prediction->level : 0);
}

void apply(Session& session, const PredictLevel& command) {
    if (!session.opened.run) return;
    const std::size_t levels = session.opened.run->machine().levels.size();
    if (levels == 0) return apply(session, Predict{});  // refuses, with the reason
    const Prediction last = session.prediction.value_or(Prediction{});
    const std::size_t level = command.level ? std::size_t{*command.level} : (last.level + 1) % levels;
    if (level >= levels) return;
    begin(session, last.kind, level);
    if (!session.prediction) return;
    session.prediction->parts = last.parts;
    session.prediction->right = last.right;
}

void apply(Session& session, const PredictSet& command) {
    answerWith(session, [&](Prediction& prediction) { prediction.answer.set = command.set; });
}

void apply(Session& session, const PredictOutcome& command) {
    answerWith(session, [&](Prediction& prediction) { prediction.answer.hit = command.hit; });
}

void apply(Session& session, const PredictVictim& command) {
    answerWith(session, [&](Prediction& prediction) {
        const std::uint64_t bytes = session.opened.run->machine().levels[prediction.level].block;
        prediction.answer.victim = sim::Victim{sim::BlockAddress{command.address.value / bytes}};
    });
}

void apply(Session& session, const PredictNoVictim&) {
    answerWith(session, [](Prediction& prediction) { prediction.answer.victim = sim::Victim{}; });
}

void apply(Session& session, const PredictWay& command) {
    answerWith(session, [&](Prediction& prediction) {
        const sim::Question& question = *prediction.question;
        if (question.level != command.level || question.cache != command.cache) return;
        const sim::Simulator now = session.opened.run->stateAt(question.tick);
        const sim::Cache& cache = now.hierarchy().cache(command.level, command.cache);
        if (command.set.value >= cache.sets() || command.way.value >= cache.ways()) return;
        const sim::Line line = cache.line(command.set, command.way);
        const bool isThere = line.valid && line.block == question.block;
        prediction.answer.set = command.set.value;
        prediction.answer.hit = isThere;
        prediction.answer.victim = line.valid && !isThere ? sim::Victim{line.block} : sim::Victim{};
    });
}

void apply(Session& session, const PredictChoose& command) {
    if (asksInTour(session)) return apply(session, TourAnswer{command.choice});
    answerWith(session, [&](Prediction& prediction) {
        const auto chosen = withChoice(prediction, command.choice, session.opened.run->machine());
        if (chosen) prediction.answer = *chosen;
    });
}

void apply(Session& session, const PredictReveal&) {
    if (asksInTour(session)) return nextStep(session);
    if (Prediction* const prediction = openIn(session)) reveal(session, *prediction);
}

void apply(Session& session, const PredictNext&) {
    if (!session.opened.run || !session.prediction || session.prediction->question == nullptr) return;
    Prediction& prediction = *session.prediction;
    askFrom(session, prediction, sim::Tick{prediction.question->tick.value + 1});
}

void apply(Session& session, const PredictEnd&) {
    session.prediction.reset();
}

}  // namespace command
}  // namespace whorl::app
