#include "sim/programs/pattern/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/input_file.h"
#include "sim/base/text.h"
#include "sim/programs/catalogue.h"

namespace whorl::sim {

// --- formulas ---

namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

[[noreturn]] void tooLarge(const FormulaStep& step) {
    throwFault(step.at, "the result does not fit into 64 bits", "use smaller numbers");
}

/// The quotient, rounded down. The divisor is not 0, and the quotient fits.
std::int64_t quotient(std::int64_t a, std::int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// The remainder, with the sign of the divisor.
std::int64_t remainder(std::int64_t a, std::int64_t b) {
    if (b == -1) return 0;
    const std::int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

std::int64_t combined(const FormulaStep& step, std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    bool fits = true;
    switch (step.code) {
        case FormulaCode::add:
            fits = !__builtin_add_overflow(a, b, &out);
            break;
        case FormulaCode::subtract:
            fits = !__builtin_sub_overflow(a, b, &out);
            break;
        case FormulaCode::multiply:
            fits = !__builtin_mul_overflow(a, b, &out);
            break;
        case FormulaCode::divide:
        case FormulaCode::remainder:
            if (b == 0) throwFault(step.at, fmt::format("{} is divided by 0", a), "divide by another number");
            fits = a != kMin || b != -1 || step.code == FormulaCode::remainder;
            if (fits) out = step.code == FormulaCode::divide ? quotient(a, b) : remainder(a, b);
            break;
        case FormulaCode::least:
            out = std::min(a, b);
            break;
        default:
            out = std::max(a, b);
            break;
    }
    if (!fits) tooLarge(step);
    return out;
}

}  // namespace

std::int64_t Calculator::value(const Formula& formula, std::span<const std::int64_t> variables) {
    stack_.clear();
    for (std::uint32_t i = formula.first; i < formula.end; ++i) {
        const FormulaStep& step = steps_[i];
        if (step.code == FormulaCode::constant) {
            stack_.push_back(step.value);
        } else if (step.code == FormulaCode::variable) {
            stack_.push_back(variables[static_cast<std::size_t>(step.value)]);
        } else {
            take(step);
        }
    }
    return stack_.back();
}

void Calculator::take(const FormulaStep& step) {
    const std::int64_t last = stack_.back();
    if (step.code == FormulaCode::negate) {
        if (last == kMin) tooLarge(step);
        stack_.back() = -last;
    } else if (step.code == FormulaCode::random) {
        stack_.back() = randomBelow(last, step.at);
    } else {
        stack_.pop_back();
        stack_.back() = combined(step, stack_.back(), last);
    }
}

std::int64_t Calculator::randomBelow(std::int64_t bound, std::uint32_t at) {
    if (bound < 1) {
        throwFault(at, fmt::format("there is no random number from 0 to below {}", bound), "give a number from 1");
    }
    return static_cast<std::int64_t>(random_.next() % static_cast<std::uint64_t>(bound));
}

// --- the built-in program that runs a pattern, given as text; titles and errors ---

namespace {

Expected<Pattern> patternOf(const ProgramArguments& arguments) {
    const std::string& file = arguments.word("file");
    return parsePattern(arguments.word("text"), file.empty() ? "pattern" : file);
}

/// The name of the trace: the title of a typed pattern, or the name of the file.
std::string nameOf(const ProgramArguments& arguments) {
    const std::string& file = arguments.word("file");
    return file.empty() ? patternTitle(arguments.word("text")) : file.substr(file.rfind('/') + 1);
}

Expected<Trace> run(const ProgramArguments& arguments, Progress& progress) {
    const auto pattern = WHORL_TRY(patternOf(arguments));
    return runPattern(pattern, nameOf(arguments), progress);
}

Expected<void> check(const ProgramArguments& arguments) {
    if (trimmed(arguments.word("text")).empty()) {
        const std::string& file = arguments.word("file");
        return fail(file.empty() ? "pattern" : file, "the pattern is empty",
                    "write one, such as pattern:for i in 0..16 { read A[i] }");
    }
    return patternOf(arguments).map([](const Pattern&) {});
}

}  // namespace

Error errorOf(const PatternFault& fault, std::string_view text, const std::string& file) {
    const std::string_view before = text.substr(0, fault.at);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t newline = before.rfind('\n');
    const std::string_view ahead = before.substr(newline == std::string_view::npos ? 0 : newline + 1);
    // In UTF-8, all bytes of a character except the first have these bits.
    const auto column =
        std::count_if(ahead.begin(), ahead.end(), [](unsigned char c) { return (c & 0xc0u) != 0x80u; }) + 1;
    return {.where = fmt::format("{}:{}:{}", file, line, column), .what = fault.what, .hint = fault.hint};
}

std::string patternTitle(std::string_view text) {
    text = trimmed(text);
    const bool isComment = text.starts_with("#") || text.starts_with("//");
    if (!isComment) return "pattern " + quotedText(text);
    text = text.substr(0, text.find('\n'));
    text = trimmed(text.substr(std::min(text.find_first_not_of("#/ \t"), text.size())));
    const std::string quoted = quotedText(text);
    return text.empty() ? "pattern" : quoted.substr(1, quoted.size() - 2);
}

Program patternProgram() {
    return {.name = "pattern",
            .description = "Makes the accesses that loops and arrays describe: see docs/patterns.md.",
            .options = {{.name = "text", .description = "the pattern", .defaultValue = "", .isText = true},
                        {.name = "file", .description = "where it is from", .defaultValue = "", .isText = true}},
            .machine = "default",
            .run = run,
            .check = check};
}

Expected<ProgramSpec> patternIn(const std::string& path) {
    return readSmallFile(path, kMaxPatternBytes, "a pattern").map([&](std::string&& text) {
        return ProgramSpec{.program = programNamed("pattern"), .options = {{"text", std::move(text)}, {"file", path}}};
    });
}

}  // namespace whorl::sim
