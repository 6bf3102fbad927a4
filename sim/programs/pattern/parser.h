// Parses the text of a pattern, from the top down.
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

/// Throws a PatternFault for what is no pattern.
class PatternParser {
  public:
    explicit PatternParser(std::string_view text);

    /// All but the names of file and text.
    Pattern parsed();

  private:
    /// A number that must be between two, told in the text.
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
    PatternToken token_;  ///< the one to look at
    PatternToken next_;   ///< the one after it
    Pattern pattern_;
    std::map<std::string, std::uint32_t, std::less<>> arrays_;
    std::map<std::string, std::int64_t, std::less<>> constants_;
    std::vector<std::string> variables_;  ///< of the loops around
    std::size_t nested_ = 0;              ///< braces and parentheses around
    std::size_t blocks_ = 0;              ///< braces around
    bool isConstant_ = false;             ///< whether a formula must not have variables
};

}  // namespace whorl::sim
