#include "sim/report/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <system_error>

#include "sim/base/text.h"
#include "sim/report/table.h"

namespace whorl::sim {

namespace {

constexpr const char* kForm = "write a figure, > or <, and a limit: L1.misses>+2%, cycles>+1000 or L1.misses>5000";

/// A number that is not negative, without a sign.
std::optional<double> amountIn(std::string_view text) {
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size() || !(value >= 0) || std::isinf(value)) {
        return std::nullopt;
    }
    return value;
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

}  // namespace

bool FigureLimit::isExceededBy(const ComparedFigure& compared) const {
    const auto isBeyond = [&](double value) { return isMost ? value > limit : value < limit; };
    const auto b = static_cast<double>(compared.b.value_or(0));
    if (of == Of::value) return isBeyond(b);
    const double difference = b - static_cast<double>(compared.a.value_or(0));
    if (of == Of::difference) return isBeyond(difference);
    if (const auto share = compared.share()) return isBeyond(100 * *share);
    return isBeyond(b > 0 ? HUGE_VAL : 0);
}

Expected<FigureLimit> parseFigureLimit(std::string_view words) {
    const auto wrong = [&] { return fail("", fmt::format("{} is not a limit", quotedText(words)), kForm); };
    const std::size_t at = words.find_first_of("<>");
    if (at == std::string_view::npos) return wrong();
    FigureLimit out{
        .words = std::string(words), .figure = std::string(trimmed(words.substr(0, at))), .isMost = words[at] == '>'};
    std::ranges::replace(out.figure, '.', '_');
    std::string_view rest = trimmed(words.substr(at + 1));
    const bool isPercent = rest.ends_with('%');
    if (isPercent) rest = trimmed(rest.substr(0, rest.size() - 1));
    const bool hasSign = rest.starts_with('+') || rest.starts_with('-');
    if (isPercent && !hasSign) {
        return fail("", fmt::format("{} is not a limit: a share needs + or -", quotedText(words)), kForm);
    }
    const auto number = amountIn(hasSign ? rest.substr(1) : rest);
    if (out.figure.empty() || !number) return wrong();
    out.of = isPercent ? FigureLimit::Of::percent : hasSign ? FigureLimit::Of::difference : FigureLimit::Of::value;
    out.limit = rest.starts_with('-') ? -*number : *number;
    return out;
}

Expected<std::vector<ExceededLimit>> exceededLimits(std::span<const FigureLimit> limits, const Comparison& comparison,
                                                    std::span<const ComparedThings> things) {
    std::vector<ExceededLimit> out;
    for (const FigureLimit& limit : limits) {
        const auto figure = std::ranges::find(comparison.figures, limit.figure, &ComparedFigure::key);
        if (figure == comparison.figures.end()) {
            std::vector<std::string> keys;
            for (const ComparedFigure& known : comparison.figures) keys.push_back(known.key);
            return fail("", fmt::format("{} names no figure of the two", quotedText(limit.words)),
                        fmt::format("{}they have {}", didYouMean(limit.figure, keys), joinNames(keys)));
        }
        const bool lacks = !figure->b || (limit.of != FigureLimit::Of::value && !figure->a);
        if (lacks) {
            return fail(
                "",
                fmt::format("{}: only the {} has this figure", quotedText(limit.words), figure->b ? "second" : "first"),
                "compare on machines with the same levels");
        }
        if (!limit.isExceededBy(*figure)) continue;
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

}  // namespace whorl::sim
