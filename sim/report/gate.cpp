#include "sim/report/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "sim/base/real_number.h"
#include "sim/base/text.h"
#include "sim/report/json.h"
#include "sim/report/machine_words.h"
#include "sim/report/table.h"

namespace whorl::sim {

namespace {

constexpr const char* kForm = "write a figure, > or <, and a limit: L1.misses>+2%, cycles>+1000 or L1.misses>5000";

/// A number that is not negative, without a sign.
std::optional<double> amountIn(std::string_view text) {
    const auto value = realNumber(text);
    return !text.starts_with('+') && value && *value >= 0 ? value : std::nullopt;
}

/// The thing of a kind whose change is the largest in the direction of the whole: "; most in mm.c:12: +98".
std::string mostIn(const ComparedThings& things, const ComparedFigure& whole) {
    const ComparedRows* const rows = things.rowsOf(whole.key);
    if (rows == nullptr || !whole.difference()) return {};
    const auto change = [&](const ComparedFigure& row) {
        const auto d = static_cast<std::int64_t>(row.b.value_or(0) - row.a.value_or(0));
        return *whole.difference() < 0 ? -d : d;
    };
    const auto most = std::ranges::max_element(rows->rows, {}, change);
    const bool isNone = most == rows->rows.end() || change(*most) <= 0 || most->key == "(not known)";
    if (isNone) return {};
    ComparedFigure own = *most;
    own.a = own.a.value_or(0);
    own.b = own.b.value_or(0);
    return fmt::format("; most in {}: {}", own.words, differenceOf(own));
}

/// The figure of a condition; an error if there is none.
template <class Of>
Expected<const Of*> figureOf(const FigureCondition& limit, std::span<const Of> figures) {
    const auto figure = std::ranges::find(figures, limit.figure, &Of::key);
    if (figure != figures.end()) return &*figure;
    std::vector<std::string> keys;
    keys.reserve(figures.size());
    for (const Of& known : figures) keys.push_back(known.key);
    return fail("", fmt::format("{} names no figure", quotedText(limit.words)),
                fmt::format("{}there are {}", didYouMean(limit.figure, keys), joinNames(keys)));
}

}  // namespace

bool FigureCondition::holdsFor(const ComparedFigure& compared) const {
    const auto holds = [&](double value) {
        return (isEqual && value == limit) || (isAbove ? value > limit : value < limit);
    };
    const auto b = static_cast<double>(compared.b.value_or(0));
    if (of == Of::value) return holds(b);
    const double difference = b - static_cast<double>(compared.a.value_or(0));
    if (of == Of::difference) return holds(difference);
    if (const auto share = compared.share()) return holds(100 * *share);
    return holds(b > 0 ? HUGE_VAL : 0);
}

Expected<FigureCondition> parseFigureCondition(std::string_view words) {
    const auto wrong = [&] { return fail("", fmt::format("{} is not a limit", quotedText(words)), kForm); };
    const std::size_t at = words.find_first_of("<>");
    if (at == std::string_view::npos) return wrong();
    const bool isEqual = words.substr(at + 1).starts_with('=');
    FigureCondition out{.words = std::string(words),
                        .figure = std::string(trimmed(words.substr(0, at))),
                        .isAbove = words[at] == '>',
                        .isEqual = isEqual};
    std::ranges::replace(out.figure, '.', '_');
    std::string_view rest = trimmed(words.substr(at + (isEqual ? 2 : 1)));
    const bool isPercent = rest.ends_with('%');
    if (isPercent) rest = trimmed(rest.substr(0, rest.size() - 1));
    const bool hasSign = rest.starts_with('+') || rest.starts_with('-');
    if (isPercent && !hasSign) {
        return fail("", fmt::format("{} is not a limit: a share needs + or -", quotedText(words)), kForm);
    }
    const auto number = amountIn(hasSign ? rest.substr(1) : rest);
    if (out.figure.empty() || !number) return wrong();
    using Of = FigureCondition::Of;
    out.of = isPercent ? Of::percent : hasSign ? Of::difference : Of::value;
    out.limit = rest.starts_with('-') ? -*number : *number;
    return out;
}

Expected<std::vector<ExceededLimit>> exceededLimits(std::span<const FigureCondition> limits,
                                                    const Comparison& comparison,
                                                    std::span<const ComparedThings> things) {
    std::vector<ExceededLimit> out;
    for (const FigureCondition& limit : limits) {
        const ComparedFigure* const figure =
            WHORL_TRY(figureOf(limit, std::span<const ComparedFigure>(comparison.figures)));
        const bool lacks = !figure->b || (limit.of != FigureCondition::Of::value && !figure->a);
        if (lacks) {
            return fail(
                "",
                fmt::format("{}: only the {} has this figure", quotedText(limit.words), figure->b ? "second" : "first"),
                "compare on machines with the same levels");
        }
        if (!limit.holdsFor(*figure)) continue;
        ExceededLimit exceeded{.limit = limit.words,
                               .reason = fmt::format("{}: {}", trimmed(figure->words), grouped(*figure->b))};
        if (figure->a) {
            exceeded.reason += fmt::format(" instead of {}, {}", grouped(*figure->a), differenceOf(*figure));
        }
        for (const ComparedThings& kind : things) exceeded.reason += mostIn(kind, *figure);
        out.push_back(std::move(exceeded));
    }
    return out;
}

bool Grade::isPassed() const {
    return status == 0 && std::ranges::all_of(limits, &GradedLimit::isKept);
}

Expected<std::vector<GradedLimit>> gradedLimits(std::span<const FigureCondition> limits,
                                                std::span<const Figure> figures) {
    std::vector<GradedLimit> out;
    out.reserve(limits.size());
    for (const FigureCondition& limit : limits) {
        if (limit.of != FigureCondition::Of::value) {
            return fail("", fmt::format("{} compares with another run", quotedText(limit.words)),
                        "write a number without + and -, as in L1.misses<=500");
        }
        const Figure* const figure = WHORL_TRY(figureOf(limit, figures));
        out.push_back({.limit = limit.words,
                       .words = fmt::format("{}: {}", trimmed(figure->words), grouped(figure->value)),
                       .value = figure->value,
                       .isKept = limit.holdsFor({figure->key, figure->words, std::nullopt, figure->value})});
    }
    return out;
}

namespace {

std::string gradeAsText(const Grade& grade) {
    std::string out = fmt::format("{} on {}: {}\n", grade.program, machineCalled(grade.machine),
                                  counted(grade.accesses, "access", "accesses"));
    for (const GradedLimit& limit : grade.limits) {
        out += fmt::format("{}  {}  ({})\n", limit.isKept ? "passed" : "FAILED", limit.words, limit.limit);
    }
    if (grade.status != 0) out += fmt::format("FAILED  the program ended with status {}\n", grade.status);
    return out + (grade.isPassed() ? "passed\n" : "not passed\n");
}

JsonValue gradeAsJson(const Grade& grade) {
    return JsonObject{{"passed", grade.isPassed()},
                      {"program", grade.program},
                      {"machine", grade.machine},
                      {"accesses", grade.accesses},
                      {"status", grade.status},
                      {"limits", jsonArrayOf(grade.limits, [](const GradedLimit& limit) {
                           return JsonObject{{"limit", limit.limit}, {"value", limit.value}, {"passed", limit.isKept}};
                       })}};
}

}  // namespace

Document gradeDocument(Grade grade) {
    const auto done = std::make_shared<const Grade>(std::move(grade));
    return {.text = [=](std::size_t) { return gradeAsText(*done); }, .json = [=] { return gradeAsJson(*done); }};
}

}  // namespace whorl::sim
