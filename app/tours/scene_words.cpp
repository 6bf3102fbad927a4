#include "app/tours/scene_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "app/session/opened.h"
#include "sim/base/text.h"
#include "sim/programs/program.h"
#include "sim/replay/measuring.h"

namespace whorl::app {

namespace {

/// Gives the words, with what `inBraces` makes of each expression in braces.
template <class InBraces>
sim::Expected<std::string> replaced(std::string_view words, const InBraces& inBraces) {
    std::string out;
    for (std::size_t at = 0; at < words.size();) {
        if (words[at] != '{' || words.substr(at).starts_with("{{")) {
            at += words[at] == '{' ? 2 : 1;
            out += words[at - 1];
            continue;
        }
        const std::size_t end = words.find('}', at);
        if (end == std::string_view::npos) {
            return sim::fail({}, fmt::format("a brace is not closed: {}", sim::quotedText(words.substr(at))),
                             "write { … } around a quantity, and {{ for a brace in the text");
        }
        out += WHORL_TRY(inBraces(words.substr(at + 1, end - at - 1)));
        at = end + 1;
    }
    return out;
}

template <class Text>
bool anyBraces(const std::vector<Text>& texts) {
    return std::any_of(texts.begin(), texts.end(),
                       [](std::string_view text) { return text.find('{') != std::string_view::npos; });
}

/// The number of an option of a program; nothing if it has none of that name.
std::optional<sim::Expected<sim::Quantity>> optionOf(const std::string& input, std::string_view name) {
    if (!isProgram(input)) return std::nullopt;
    const auto spec = sim::parseProgramSpec(input);
    if (!spec) return std::nullopt;
    for (const sim::ProgramOption& option : spec->program->options) {
        if (option.name != name || option.isText) continue;
        const auto given = spec->options.find(option.name);
        const std::string& value = given == spec->options.end() ? option.defaultValue : given->second;
        if (const auto number = sim::wholeNumber(value)) return sim::Quantity{static_cast<double>(*number)};
        return sim::fail({}, fmt::format("{} is {}, which is no number", name, sim::quotedText(value)),
                         "name another quantity");
    }
    return std::nullopt;
}

bool takePrefix(std::string_view& name, std::string_view prefix) {
    const bool has = name.starts_with(prefix);
    if (has) name.remove_prefix(prefix.size());
    return has;
}

/// A quantity of a resolved scene that needs no run.
sim::Expected<sim::Quantity> knownIn(const TourScene& scene, std::string_view name) {
    const bool isFirst = !takePrefix(name, "with.");
    if (isFirst && (name == "at" || name == "to")) return sim::Quantity{name == "at" ? scene.position() : scene.end()};
    const auto option = optionOf(isFirst || scene.with.empty() ? scene.input : scene.with, name);
    return option ? *option : sim::fail({}, "the run gives it");
}

/// The words with the numbers that need no run. `hasGaps`: "…" stands for the others, not what is written.
std::string withKnown(const std::string& words, const TourScene& scene, bool hasGaps) {
    const NamedQuantity known = [&](std::string_view name) { return knownIn(scene, name); };
    const auto inBraces = [&](std::string_view expression) -> sim::Expected<std::string> {
        if (const auto value = valueOf(expression, known)) return sim::quantityInWords(*value);
        return hasGaps ? "\u2026" : fmt::format("{{{}}}", expression);
    };
    return replaced(words, inBraces).value_or(words);
}

}  // namespace

sim::Expected<void> checkBraces(std::string_view words) {
    return replaced(words,
                    [](std::string_view expression) {
                        return checkExpression(expression).map([] { return std::string(); });
                    })
        .map([](const std::string&) {});
}

std::string withoutBraces(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '{' ? "{{" : std::string(1, c);
    return out;
}

sim::Expected<std::string> filledIn(std::string_view words, const NamedQuantity& named) {
    return replaced(words, [&](std::string_view expression) {
        return valueOf(expression, named).map([](const sim::Quantity& q) { return sim::quantityInWords(q); });
    });
}

void eachText(TourScene& scene, const SeeText& see) {
    see("title", scene.title);
    see("words", scene.words);
    see("notes", scene.notes);
    if (!scene.question) return;
    Question& question = *scene.question;
    see("question.text", question.text);
    for (std::size_t i = 0; i < question.choices.size(); ++i) {
        see(fmt::format("question.choices[{}]", i), question.choices[i]);
    }
    see("question.answer", question.answer);
    see("question.why", question.why);
}

bool hasBraces(const Question& question) {
    return anyBraces(question.choices) ||
           anyBraces(std::vector<std::string_view>{question.text, question.answer, question.why});
}

bool hasBraces(const TourScene& scene) {
    return anyBraces(std::vector<std::string_view>{scene.title, scene.words, scene.notes}) ||
           (scene.question && hasBraces(*scene.question));
}

TourScene withGaps(TourScene scene) {
    eachText(scene, [&](const std::string&, std::string& text) { text = withKnown(text, scene, true); });
    return scene;
}

TourScene withExpressions(TourScene scene) {
    eachText(scene, [&](const std::string&, std::string& text) { text = withKnown(text, scene, false); });
    return scene;
}

TourScene withoutOptions(TourScene scene, const TourScene& resolved) {
    const NamedQuantity option = [&](std::string_view name) -> sim::Expected<sim::Quantity> {
        const bool isFirst = !takePrefix(name, "with.");
        const auto value = optionOf(isFirst || resolved.with.empty() ? resolved.input : resolved.with, name);
        return value ? *value : sim::fail({}, "it is no option");
    };
    const auto inExpression = [&](std::string_view expression) {
        std::string out;
        while (!expression.empty()) {
            const std::size_t end = std::min(expression.find_first_of(" +-*/()<>=!%,"), expression.size());
            const std::string_view word = expression.substr(0, std::max<std::size_t>(1, end));
            expression.remove_prefix(word.size());
            const auto value = option(word);
            out += value ? fmt::format("{}", value->value) : std::string(word);
        }
        return out;
    };
    eachText(scene, [&](const std::string&, std::string& text) {
        for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos;) {
            const std::size_t end = text.find('}', at);
            if (text.compare(at, 2, "{{") == 0 || end == std::string::npos) {
                at += 2;
                continue;
            }
            const std::string expression = text.substr(at + 1, end - at - 1);
            const auto whole = valueOf(expression, option);
            const std::string words =
                whole ? sim::quantityInWords(*whole) : fmt::format("{{{}}}", inExpression(expression));
            text.replace(at, end + 1 - at, words);
            at += words.size();
        }
    });
    for (std::string& claim : scene.claims) claim = inExpression(claim);
    std::erase_if(scene.claims, [](const std::string& claim) { return !checkClaim(claim); });
    return scene;
}

SceneQuantities::SceneQuantities(const TourScene& scene, const ShownRuns& runs, sim::Progress& progress)
    : progress_(progress),
      first_{.run = runs.first,
             .input = runs.input,
             .at = scene.position(),
             .to = scene.end(),
             .plays = scene.range.has_value()} {
    if (!runs.second) return;
    const LockedTraces traces{runs.first->trace().size(), runs.second->trace().size(), runs.lines.get()};
    second_ = Side{.run = runs.second,
                   .input = runs.secondInput,
                   .at = lockedTime(first_.at, scene.lock, traces),
                   .to = lockedTime(first_.to, scene.lock, traces),
                   .plays = first_.plays};
}

sim::Expected<sim::Quantity> SceneQuantities::named(std::string_view name) {
    if (!takePrefix(name, "with.")) return named(first_, name);
    if (second_) return named(*second_, name);
    return sim::fail({}, "no run stands beside this one",
                     "name one in with, with_machine or with_settings, or leave out with.");
}

sim::Expected<sim::Quantity> SceneQuantities::named(Side& side, std::string_view name) {
    if (takePrefix(name, "run.")) {
        return WHORL_TRY(measured(side, side.ofRun, {sim::Tick{0}, sim::Tick{side.run->trace().size()}}))->named(name);
    }
    if (name == "at" || name == "to") return sim::Quantity{name == "at" ? side.at : side.to};
    if (const auto option = optionOf(side.input, name)) return *option;
    const std::uint64_t size = side.run->trace().size();
    const auto tick = [&](double position) {
        return sim::Tick{std::min(size, static_cast<std::uint64_t>(std::ceil(position)))};
    };
    const sim::Range span{side.plays ? tick(side.at) : sim::Tick{0}, tick(side.to)};
    return WHORL_TRY(measured(side, side.ofSpan, span))->named(name);
}

/// As `whorl stats` measures a range, once.
sim::Expected<const sim::Quantities*> SceneQuantities::measured(const Side& side, std::optional<sim::Quantities>& kept,
                                                                const sim::Range& range) {
    if (kept) return &*kept;
    auto measures = sim::measure(*side.run, range, progress_);
    if (!measures) return tl::unexpected(sim::Error::byUser());
    return &kept.emplace(*std::move(measures), side.run->sharedTrace());
}

sim::Expected<SceneInWords> inWords(const TourScene& scene, const ShownRuns& runs, sim::Progress& progress) {
    SceneInWords out{.scene = scene, .errors = {}};
    SceneQuantities quantities(scene, runs, progress);
    const NamedQuantity named = [&](std::string_view name) { return quantities.named(name); };
    eachText(out.scene, [&](const std::string& key, std::string& text) {
        auto filled = filledIn(text, named);
        if (filled) {
            text = *std::move(filled);
        } else {
            out.errors.push_back(filled.error());
            out.errors.back().where = key;
            text = withKnown(text, scene, true);
        }
    });
    if (progress.cancelled()) return tl::unexpected(sim::Error::byUser());
    return out;
}

}  // namespace whorl::app
