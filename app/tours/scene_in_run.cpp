#include "app/tours/scene_in_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/session/predict.h"
#include "render/scene/rings/ring_layout.h"
#include "sim/analysis/quiz/grading.h"
#include "sim/base/text.h"
#include "sim/report/quiz/quiz_words.h"

namespace whorl::app {

namespace {

scene::RingLayout layoutOf(const Opened& opened, const scene::View& view) {
    return {scene::Subject{opened.run->trace(), opened.run->machine(), *opened.memorySlots, *opened.regionLooks,
                           opened.usable, opened.idleCpus},
            view};
}

/// The middle of a region's memory, relative to the centre of the rings, as a share of the unit.
std::optional<glm::vec2> middleOf(const std::string& region, const Opened& opened, const scene::View& view) {
    const scene::RingLayout layout = layoutOf(opened, view);
    const auto& arcs = layout.memory.arcs;
    for (std::size_t a = 0; a < arcs.size(); ++a) {
        const auto& regions = opened.run->trace().regions();
        if (arcs[a].region >= regions.size() || regions[arcs[a].region].name != region) continue;
        return layout.memory.place(a, arcs[a].firstSlot + arcs[a].slots / 2) / layout.unit;
    }
    return std::nullopt;
}

}  // namespace

std::vector<float> ringsOf(const Opened& opened, scene::View view) {
    view.growth = {};
    const scene::RingLayout layout = layoutOf(opened, view);
    std::vector<float> outer;
    // Where there is no cache, rings grow out of the core.
    if (layout.levels.empty()) outer.push_back(layout.core / layout.unit);
    for (const scene::LevelRing& level : layout.levels) outer.push_back(level.outer() / layout.unit);
    return outer;
}

Camera::Sight sightOf(const TourScene& scene, const Opened& opened, const scene::View& view) {
    if (!scene.camera) return {};
    const SceneCamera& camera = *scene.camera;
    if (camera.region.empty()) return Camera::kept({camera.zoom, camera.focus});
    const auto middle = middleOf(camera.region, opened, view);
    return middle ? Camera::kept({camera.zoom, *middle}) : Camera::Sight{};
}

namespace {

using sim::QuizPart;

/// The access at which the scene begins: the first one not yet in motion.
sim::Tick askedTick(const TourScene& scene) {
    return sim::Tick{static_cast<std::uint64_t>(std::ceil(scene.position()))};
}

/// The index of the level that a question names; without a name, of the nearest.
sim::Expected<std::size_t> levelOf(const Question& question, const sim::MachineConfig& machine) {
    if (question.level.empty()) return 0;
    std::vector<std::string> names;
    for (const sim::LevelConfig& level : machine.levels) names.push_back(level.name);
    const auto named = std::find(names.begin(), names.end(), question.level);
    if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
    return sim::fail("", fmt::format("the machine has no level {}", sim::quotedText(question.level)),
                     fmt::format("its levels are {}", sim::joinNames(names)));
}

/// A block by what lies at its beginning, "b[0]", or else by its tag.
std::string blockInWords(const std::optional<sim::BlockAddress>& block, const sim::Question& asked,
                         const sim::Run& run) {
    if (!block) return "none";
    const sim::ByteAddress base{block->value * run.machine().levels[asked.level].block};
    const std::string place = run.trace().placeOf(base, asked.tick);
    const bool isNamed = !place.empty() && place != fmt::format("{:#x}", base.value);
    return isNamed ? place : fmt::format("tag {:#x}", sim::tagOf(*block, asked));
}

/// The blocks of the set, and none; of more than have keys, the right one and those that errors lead to.
std::vector<std::string> victimChoices(const sim::Question& asked, const sim::Run& run) {
    std::vector<std::string> out;
    for (const sim::SetLine& line : asked.before) out.push_back(blockInWords(line.block, asked, run));
    out.emplace_back("none");
    if (out.size() <= Question::kMaxChoices) return out;
    std::vector<std::string> likely{blockInWords(asked.victim, asked, run), "none"};
    for (const sim::WrongVictim& wrong : sim::wrongVictims(asked)) {
        likely.push_back(blockInWords(wrong.answer.block, asked, run));
    }
    const auto isNot = [&](const std::string& choice) {
        return std::find(likely.begin(), likely.end(), choice) == likely.end();
    };
    // Keep the order of the set, and drop unlikely choices, from the last one on, down to kMaxChoices.
    for (auto choice = out.rbegin(); choice != out.rend() && out.size() > Question::kMaxChoices;) {
        choice = isNot(*choice) ? std::make_reverse_iterator(out.erase(std::next(choice).base())) : std::next(choice);
    }
    out.resize(std::min(out.size(), Question::kMaxChoices));
    return out;
}

/// The question, which follows the words of the access.
std::string askedInWords(QuizPart part, const sim::Question& asked, const std::string& level) {
    switch (part) {
        case QuizPart::outcome:
            return fmt::format("a hit or a miss in {}?", level);
        case QuizPart::set:
            return fmt::format("which set of {}?", level);
        case QuizPart::victim:
            return fmt::format("which block leaves set {} of {}?", asked.fields.set, level);
        case QuizPart::tag:
            break;
    }
    return "which tag?";
}

std::string splitInWords(const sim::Question& asked) {
    const sim::AddressDigits digits = sim::digitsOf(asked, sim::addressBits({asked}));
    if (digits.set.empty()) return fmt::format("Block {} modulo {} sets.", asked.block.value, asked.fields.sets);
    return fmt::format("In bits: tag {}, set {}, offset {}.", digits.tag, digits.set, digits.offset);
}

/// What leads to a choice that is wrong: "That is …"; empty where it is not known.
std::string errorBehind(const sim::QuizAnswer& choice, const sim::Question& asked, const sim::MachineConfig& machine) {
    const auto parts = sim::graded(asked, machine, choice);
    if (parts.empty() || parts.front().right || !parts.front().likely) return "";
    return fmt::format("That is {}.", parts.front().likely->words);
}

/// The errorBehind() of each choice of an evicted block.
std::vector<std::string> errorsOfVictims(const std::vector<std::string>& choices, const sim::Question& asked,
                                         const sim::Run& run) {
    std::vector<std::string> out;
    for (const std::string& choice : choices) {
        sim::Victim victim;
        for (const sim::SetLine& line : asked.before) {
            if (blockInWords(line.block, asked, run) == choice) victim.block = line.block;
        }
        out.push_back(errorBehind({.set = {}, .tag = {}, .hit = {}, .victim = victim}, asked, run.machine()));
    }
    return out;
}

/// The choices, the answer and the reason.
void answerFrom(const sim::Question& asked, const sim::Run& run, Question& question) {
    const std::string given = std::move(question.why);
    switch (*question.predicts) {
        case QuizPart::set:
            for (const std::uint64_t set : setsToChoose(asked, run.machine())) {
                question.choices.push_back(fmt::format("set {}", set));
                question.errors.push_back(
                    errorBehind({.set = set, .tag = {}, .hit = {}, .victim = {}}, asked, run.machine()));
            }
            question.answer = fmt::format("set {}", asked.fields.set);
            question.why = splitInWords(asked);
            break;
        case QuizPart::victim:
            question.choices = victimChoices(asked, run);
            question.errors = errorsOfVictims(question.choices, asked, run);
            question.answer = blockInWords(asked.victim, asked, run);
            question.why = sim::whyInWords(asked, question.answer);
            break;
        case QuizPart::outcome:
        case QuizPart::tag:
            question.choices = {"hit", "miss"};
            for (const bool hit : {true, false}) {
                question.errors.push_back(
                    errorBehind({.set = {}, .tag = {}, .hit = hit, .victim = {}}, asked, run.machine()));
            }
            question.answer = sim::outcomeInWords(asked);
            question.why = sim::whyInWords(asked, blockInWords(asked.victim, asked, run));
            break;
    }
    if (!given.empty()) question.why += " " + given;
}

}  // namespace

bool isQuestionKnown(const TourScene& scene, const Opened& opened) {
    if (!scene.question->predicts) return true;
    return opened.run->built().value > askedTick(scene).value || opened.run->complete();
}

sim::Expected<Question> questionOf(const TourScene& scene, const Opened& opened) {
    Question question = *scene.question;
    if (!question.predicts) return question;
    const sim::Run& run = *opened.run;
    const sim::Tick tick = askedTick(scene);
    const auto level = WHORL_TRY(levelOf(question, run.machine()));
    const std::string name = run.machine().levelName(level);
    const auto asked =
        tick.value < run.built().value ? sim::questionAt(run, level, tick) : std::optional<sim::Question>();
    if (!asked || (*question.predicts == QuizPart::victim && !asked->asksForVictim())) {
        return sim::fail("", fmt::format("access {} cannot be predicted at {}", tick.value, name),
                         "begin the scene before an access that reaches this level, and touches one block");
    }
    const sim::QuizSheet sheet{.trace = run.sharedTrace(), .machine = run.machine(), .questions = {}};
    question.text = fmt::format("The next access {}: {}", sim::accessInWords(*asked, sheet),
                                question.text.empty() ? askedInWords(*question.predicts, *asked, name) : question.text);
    question.bits = sim::binaryDigits(asked->access.address.value, sim::addressBits({*asked}));
    answerFrom(*asked, run, question);
    return question;
}

}  // namespace whorl::app
