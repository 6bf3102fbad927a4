#include "sim/programs/pattern/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/text.h"
#include "sim/programs/pattern/pattern.h"

namespace whorl::sim {

namespace {

using Kind = PatternStatement::Kind;

constexpr std::size_t kMaxNested = 64;
constexpr std::uint64_t kMaxAlign = std::uint64_t{1} << 30;
const char* const kLoopHint = "a loop is written for i in 0..16 { ... }";
const char* const kArrayHint = "an array is declared as array A[16][16] of 8 align 64";

const std::vector<std::string>& statements() {
    static const std::vector<std::string> kWords = {"for", "repeat", "cpu", "read", "write", "update", "array", "let"};
    return kWords;
}

bool isWordOfLanguage(std::string_view name) {
    static constexpr std::array<std::string_view, 8> kOthers = {"in", "step", "of",  "align",
                                                                "at", "min",  "max", "random"};
    return std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end() ||
           std::find(statements().begin(), statements().end(), name) != statements().end();
}

std::string said(const PatternToken& token) {
    return token.kind == PatternToken::Kind::end ? "the end" : quotedText(token.text);
}

}  // namespace

PatternParser::PatternParser(std::string_view text) : lexer_(text) {
    token_ = lexer_.next();
    next_ = lexer_.next();
}

Pattern PatternParser::parsed() {
    while (token_.kind != PatternToken::Kind::end) statement(pattern_.body);
    return std::move(pattern_);
}

void PatternParser::advance() {
    token_ = next_;
    next_ = lexer_.next();
}

bool PatternParser::take(std::string_view word) {
    if (!token_.is(word)) return false;
    advance();
    return true;
}

void PatternParser::expect(std::string_view sign, std::string_view where, const std::string& hint) {
    if (take(sign)) return;
    throwFault(token_.at, fmt::format("expected \"{}\" {}, not {}", sign, where, said(token_)), hint);
}

/// Takes a name that is not in use yet.
std::string PatternParser::newName(std::string_view what, const std::string& hint) {
    if (token_.kind != PatternToken::Kind::name) {
        throwFault(token_.at, fmt::format("expected the name of {}, not {}", what, said(token_)), hint);
    }
    std::string name(token_.text);
    if (isWordOfLanguage(name)) {
        throwFault(token_.at, fmt::format("\"{}\" cannot be the name of {}: it is a word of patterns", name, what),
                   "choose another name");
    }
    const bool isVariable = std::find(variables_.begin(), variables_.end(), name) != variables_.end();
    if (isVariable || constants_.contains(name) || arrays_.contains(name)) {
        const char* const of = isVariable               ? "a loop around this one"
                               : arrays_.contains(name) ? "an array"
                                                        : "a constant";
        throwFault(token_.at, fmt::format("{} is the name of {} already", quotedText(name), of),
                   arrays_.contains(name) && what == "an array" ? "declare an array once, before it is used"
                                                                : "choose another name");
    }
    advance();
    return name;
}

// --- statements
// -------------------------------------------------------------------------------------------------------

void PatternParser::statement(std::vector<PatternStatement>& body) {
    if (take(";")) return;
    if (token_.is("for")) return loop(body);
    if (token_.is("repeat")) return turns(body, Kind::repeat);
    if (token_.is("cpu")) return turns(body, Kind::cpu);
    if (token_.is("read")) return accesses(body, PatternAction::read);
    if (token_.is("write")) return accesses(body, PatternAction::write);
    if (token_.is("update")) return accesses(body, PatternAction::update);
    if (token_.is("array")) return array();
    if (token_.is("let")) return let();
    unknownStatement();
}

void PatternParser::unknownStatement() const {
    if (token_.is("}")) throwFault(token_.at, "there is no { that this } closes", "remove it");
    if (token_.kind == PatternToken::Kind::name && next_.is("[")) {
        throwFault(token_.at, fmt::format("nothing says what is done with {}", quotedText(token_.text)),
                   fmt::format("write read {0}[...], write {0}[...] or update {0}[...]", token_.text));
    }
    throwFault(token_.at, fmt::format("no statement begins with {}", said(token_)),
               fmt::format("{}use {}", didYouMean(token_.text, statements()), joinNames(statements(), "or")));
}

PatternStatement PatternParser::begun(Kind kind) {
    PatternStatement statement{.kind = kind};
    statement.at = token_.at;
    statement.line = token_.line;
    return statement;
}

void PatternParser::loop(std::vector<PatternStatement>& body) {
    PatternStatement loop = begun(Kind::loop);
    advance();
    loop.variable = newName("a variable", kLoopHint);
    expect("in", fmt::format("after for {}", loop.variable), kLoopHint);
    loop.from = formula();
    loop.isInclusive = token_.is("..=");
    if (!take("..=")) expect("..", "after the first value", kLoopHint);
    loop.to = formula();
    if (take("step")) loop.step = formula();
    variables_.push_back(loop.variable);
    loop.body = block(kLoopHint);
    variables_.pop_back();
    body.push_back(std::move(loop));
}

void PatternParser::turns(std::vector<PatternStatement>& body, Kind kind) {
    PatternStatement turns = begun(kind);
    advance();
    turns.from = formula();
    turns.body = block(kind == Kind::repeat ? "write repeat 4 { ... }" : "write cpu 1 { ... }");
    body.push_back(std::move(turns));
}

std::vector<PatternStatement> PatternParser::block(const std::string& hint) {
    const PatternToken open = token_;
    expect("{", "here", hint);
    if (++nested_ > kMaxNested) {
        throwFault(open.at, fmt::format("more than {} braces and parentheses are nested", kMaxNested), "nest fewer");
    }
    ++blocks_;
    std::vector<PatternStatement> body;
    while (!token_.is("}")) {
        if (token_.kind == PatternToken::Kind::end) throwFault(open.at, "this { is not closed", "add a } at its end");
        statement(body);
    }
    advance();
    --nested_;
    --blocks_;
    return body;
}

void PatternParser::accesses(std::vector<PatternStatement>& body, PatternAction action) {
    advance();
    do {
        PatternStatement access = begun(Kind::access);
        access.action = action;
        access.place = place();
        body.push_back(std::move(access));
    } while (take(","));
}

PatternPlace PatternParser::place() {
    if (token_.kind == PatternToken::Kind::name && next_.is("[")) return element();
    PatternPlace place{.size = kPatternElement};
    place.indexes[0] = formula();
    if (take("of")) {
        place.size = static_cast<std::uint32_t>(constantWithin({"an access has", 1, kMaxPatternElement}));
    }
    return place;
}

PatternPlace PatternParser::element() {
    const PatternToken name = token_;
    PatternPlace place{.array = arrayNamed(name)};
    std::uint32_t count = 0;
    while (token_.is("[") && count < place.indexes.size()) {
        advance();
        place.indexes[count++] = formula();
        expect("]", "after an index", "an element is written A[i] or A[i][j]");
    }
    if (token_.is("[")) {
        throwFault(token_.at, "an array has at most two dimensions", "write A[i * 8 + j][k] for a third one");
    }
    if (token_.is("of")) {
        throwFault(token_.at, "the size of an element is that of its array", "declare it: array A of 4");
    }
    PatternArray& array = pattern_.arrays[*place.array];
    if (array.dimensions == 0) array.dimensions = count;
    if (array.dimensions != count) {
        throwFault(name.at,
                   fmt::format("{} has {} dimension{}, not {}", array.name, array.dimensions,
                               array.dimensions == 1 ? "" : "s", count),
                   "give the same number of indexes everywhere");
    }
    return place;
}

/// The number of the named array; adds it if it is new.
std::uint32_t PatternParser::arrayNamed(const PatternToken& name) {
    const auto known = arrays_.find(name.text);
    if (known != arrays_.end()) {
        advance();
        return known->second;
    }
    newName("an array", "choose another name");
    const auto number = static_cast<std::uint32_t>(pattern_.arrays.size());
    pattern_.arrays.push_back({.name = std::string(name.text), .at = name.at});
    arrays_.emplace(name.text, number);
    return number;
}

void PatternParser::checkOutside(std::string_view what) const {
    if (blocks_ == 0) return;
    throwFault(token_.at, fmt::format("{} stands outside of all braces", what), "move it to the beginning");
}

void PatternParser::array() {
    checkOutside("the declaration of an array");
    advance();
    PatternArray array{.at = token_.at};
    array.name = newName("an array", kArrayHint);
    extents(array);
    while (true) {
        if (take("of")) {
            array.elementSize = static_cast<std::uint32_t>(constantWithin({"an element has", 1, kMaxPatternElement}));
        } else if (take("align")) {
            array.align = constantWithin({"an alignment has", 1, kMaxAlign});
        } else if (take("at")) {
            array.address = constantWithin({"an array lies at", 0, kMaxPatternAddress});
        } else {
            break;
        }
    }
    if (array.address && array.align != 0) {
        throwFault(array.at, fmt::format("{} has both an address and an alignment", array.name),
                   "leave \"align\" out: \"at\" says where it begins");
    }
    arrays_.emplace(array.name, static_cast<std::uint32_t>(pattern_.arrays.size()));
    pattern_.arrays.push_back(std::move(array));
}

void PatternParser::extents(PatternArray& array) {
    while (token_.is("[")) {
        if (array.dimensions == array.extents.size()) {
            throwFault(token_.at, "an array has at most two dimensions", "declare array A[4 * 8][16] for three");
        }
        advance();
        array.extents[array.dimensions++] = constantWithin({"a dimension has", 1, kMaxPatternMemory});
        expect("]", "after a size", kArrayHint);
        array.hasExtents = true;
    }
}

void PatternParser::let() {
    checkOutside("let");
    advance();
    const std::string hint = "a constant is written let n = 16";
    const std::string name = newName("a constant", hint);
    expect("=", fmt::format("after let {}", name), hint);
    constants_.emplace(name, constant());
}

// --- formulas
// ---------------------------------------------------------------------------------------------------------

void PatternParser::emit(FormulaCode code, std::uint32_t at, std::int64_t value) {
    pattern_.steps.push_back({.code = code, .value = value, .at = at});
}

Formula PatternParser::formula() {
    Formula out{.first = static_cast<std::uint32_t>(pattern_.steps.size()), .at = token_.at};
    sum();
    out.end = static_cast<std::uint32_t>(pattern_.steps.size());
    return out;
}

void PatternParser::sum() {
    product();
    while (token_.is("+") || token_.is("-")) {
        const PatternToken sign = token_;
        advance();
        product();
        emit(sign.is("+") ? FormulaCode::add : FormulaCode::subtract, sign.at);
    }
}

void PatternParser::product() {
    factor();
    while (token_.is("*") || token_.is("/") || token_.is("%")) {
        const PatternToken sign = token_;
        advance();
        factor();
        emit(sign.is("*")   ? FormulaCode::multiply
             : sign.is("/") ? FormulaCode::divide
                            : FormulaCode::remainder,
             sign.at);
    }
}

void PatternParser::factor() {
    if (++nested_ > kMaxNested) {
        throwFault(token_.at, fmt::format("more than {} braces and parentheses are nested", kMaxNested), "nest fewer");
    }
    const PatternToken token = token_;
    if (take("-")) {
        factor();
        emit(FormulaCode::negate, token.at);
    } else if (take("(")) {
        sum();
        expect(")", "here", "close what ( opens");
    } else if (token.kind == PatternToken::Kind::number) {
        advance();
        emit(FormulaCode::constant, token.at, token.number);
    } else if (token.is("min")) {
        call(FormulaCode::least);
    } else if (token.is("max")) {
        call(FormulaCode::greatest);
    } else if (token.is("random")) {
        call(FormulaCode::random);
    } else if (token.kind == PatternToken::Kind::name && !isWordOfLanguage(token.text)) {
        named();
    } else {
        throwFault(token.at, fmt::format("expected a number, not {}", said(token)),
                   "write a number, a variable, or a computation such as (i + 1) * 16");
    }
    --nested_;
}

/// Parses min(a, b), max(a, b) or random(n).
void PatternParser::call(FormulaCode code) {
    const PatternToken name = token_;
    const bool isRandom = code == FormulaCode::random;
    const std::string hint = isRandom ? "write random(16)" : fmt::format("write {}(i, 16)", name.text);
    if (isRandom && isConstant_) throwFault(name.at, "a random number is no constant", "write a number");
    advance();
    expect("(", fmt::format("after {}", name.text), hint);
    sum();
    if (!isRandom) {
        expect(",", "between two numbers", hint);
        sum();
    }
    expect(")", "here", hint);
    emit(code, name.at);
}

/// Parses a variable or a constant.
void PatternParser::named() {
    const PatternToken name = token_;
    const auto variable = std::find(variables_.begin(), variables_.end(), name.text);
    const auto constant = constants_.find(name.text);
    if (constant != constants_.end()) {
        emit(FormulaCode::constant, name.at, constant->second);
    } else if (variable == variables_.end()) {
        if (arrays_.contains(name.text)) {
            throwFault(name.at, fmt::format("{} is an array, and has no value here", name.text),
                       fmt::format("access an element: read {}[0]", name.text));
        }
        std::vector<std::string> known = variables_;
        for (const auto& [word, value] : constants_) known.push_back(word);
        throwFault(name.at, fmt::format("there is no variable {}", quotedText(name.text)),
                   fmt::format("{}{}", didYouMean(name.text, known),
                               known.empty() ? "a loop around it gives a name a value: for i in 0..16 { ... }"
                                             : fmt::format("the names here are {}", firstNames(known, 8))));
    } else if (isConstant_) {
        throwFault(name.at, fmt::format("{} changes, but a constant is needed here", quotedText(name.text)),
                   "write a number, or a name that let gives");
    } else {
        emit(FormulaCode::variable, name.at, variable - variables_.begin());
    }
    advance();
}

std::int64_t PatternParser::constant() {
    isConstant_ = true;
    const Formula formula = this->formula();
    isConstant_ = false;
    const std::int64_t value = Calculator(pattern_.steps).value(formula, {});
    pattern_.steps.resize(formula.first);
    return value;
}

std::uint64_t PatternParser::constantWithin(const Bounds& bounds) {
    const std::uint32_t at = token_.at;
    const std::int64_t value = constant();
    if (value >= 0 && static_cast<std::uint64_t>(value) >= bounds.least &&
        static_cast<std::uint64_t>(value) <= bounds.most) {
        return static_cast<std::uint64_t>(value);
    }
    throwFault(at, fmt::format("{} is out of range", value),
               fmt::format("{} {} to {}", bounds.what, bounds.least, bounds.most));
}

// --- entry points

Expected<Pattern> parsePattern(std::string_view text, const std::string& file) {
    if (text.size() > kMaxPatternBytes) {
        return fail(file, fmt::format("a pattern of {} is too long", bytesInWords(text.size())),
                    fmt::format("a pattern has at most {}", bytesInWords(kMaxPatternBytes)));
    }
    try {
        Pattern pattern = PatternParser(text).parsed();
        pattern.file = file;
        pattern.text = text;
        return pattern;
    } catch (const PatternFault& fault) {
        return tl::unexpected(errorOf(fault, text, file));
    }
}

}  // namespace whorl::sim
