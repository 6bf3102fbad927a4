// A recursive-descent parser for the text of a pattern.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/programs/pattern/lexer.h"
#include "sim/programs/pattern/pattern.h"

namespace whorl::sim {

/// Throws a PatternFault for a text that is not a pattern.
class PatternParser {
  public:
    explicit PatternParser(std::string_view text);

    /// The parsed pattern, without the names of file and text.
    Pattern parsed();

  private:
    /// The limits of a number in the text.
    struct Bounds {
        std::string_view what;
        std::uint64_t least;
        std::uint64_t most;
    };

    void advance();
    bool take(std::string_view word);
    void expect(std::string_view sign, std::string_view where, const std::string& hint);
    std::string newName(std::string_view what, const std::string& hint);

    void statement(std::vector<PatternStatement>& body);
    PatternStatement begun(PatternStatement::Kind kind);
    void loop(std::vector<PatternStatement>& body);
    void turns(std::vector<PatternStatement>& body, PatternStatement::Kind kind);
    std::vector<PatternStatement> block(const std::string& hint);
    void accesses(std::vector<PatternStatement>& body, PatternAction action);
    PatternPlace place();
    PatternPlace element();
    void extents(PatternArray& array);
    void array();
    void let();
    std::uint32_t arrayNamed(const PatternToken& name);
    [[noreturn]] void unknownStatement() const;
    void checkOutside(std::string_view what) const;

    Formula formula();
    void sum();
    void product();
    void factor();
    void call(FormulaCode code);
    void named();
    void emit(FormulaCode code, std::uint32_t at, std::int64_t value = 0);
    std::int64_t constant();
    std::uint64_t constantWithin(const Bounds& bounds);

    PatternLexer lexer_;
    PatternToken token_;  ///< the current token
    PatternToken next_;   ///< the token after it
    Pattern pattern_;
    std::map<std::string, std::uint32_t, std::less<>> arrays_;
    std::map<std::string, std::int64_t, std::less<>> constants_;
    std::vector<std::string> variables_;  ///< variables of the enclosing loops
    std::size_t nested_ = 0;              ///< enclosing braces and parentheses
    std::size_t blocks_ = 0;              ///< enclosing braces
    bool isConstant_ = false;             ///< whether a formula must not have variables
};

}  // namespace whorl::sim
