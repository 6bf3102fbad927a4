// Executes a pattern: runs its loops, and passes each access on with its indexes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/progress.h"
#include "sim/programs/pattern/pattern.h"

namespace whorl::sim {

/// The number of values `from`, `from` + `step`, … before `to`, or up to it if inclusive. The step is not 0.
std::uint64_t turnsOf(std::int64_t from, std::int64_t to, std::int64_t step, bool isInclusive);

/// An executed access: an element, or an address in the first index.
struct PatternStep {
    const PatternStatement& statement;
    std::array<std::int64_t, 2> indexes;
    std::uint8_t cpu;
};

/// Runs the loops of a pattern. Enforces its limits, and stops when cancelled.
class PatternWalk {
  public:
    /// Takes each access; it may throw a PatternFault.
    using Taker = std::function<void(const PatternStep&)>;

    /// `pattern` must outlive the walk.
    PatternWalk(const Pattern& pattern, const Progress& progress);

    /// Throws a PatternFault, with the values of the variables, if the pattern cannot continue; or Cancelled.
    void run(const Taker& taker);
    /// The number of accesses passed on; an update counts twice.
    std::uint64_t accesses() const { return accesses_; }

  private:
    static constexpr std::uint64_t kPulse = 1u << 16;  ///< accesses or turns between two checks of the progress

    void all(const std::vector<PatternStatement>& body);
    void access(const PatternStatement& statement);
    void loop(const PatternStatement& statement);
    void repeat(const PatternStatement& statement);
    void cpu(const PatternStatement& statement);
    void turn(const PatternStatement& statement);
    std::int64_t value(const Formula& formula) { return calculator_.value(formula, values_); }
    void pulse() const;
    std::string situation() const;

    const Pattern& pattern_;
    const Progress& progress_;
    Calculator calculator_;
    const Taker* taker_ = nullptr;
    std::vector<std::int64_t> values_;                ///< values of the loops' variables
    std::vector<const PatternStatement*> variables_;  ///< the loops that have them
    std::uint8_t cpu_ = 0;
    std::uint64_t accesses_ = 0;
    std::uint64_t turns_ = 0;
};

}  // namespace whorl::sim
