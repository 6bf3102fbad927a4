// Quantities: the figures of a measurement, and the values of its machine, under names that texts and claims mention.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/replay/measures.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A number, and whether it is a share, which is shown in percent: 0.25 as "25 %".
struct Quantity {
    double value = 0;
    bool isShare = false;
    bool operator==(const Quantity&) const = default;
};

/// The number as tables and panels show it: grouped; a fraction in three digits; a share in percent, to a tenth.
std::string quantityInWords(const Quantity& quantity);

/// The quantities of a measurement, by name:
///   - the counts that `whorl stats` writes, "accesses", "cycles", "L1.misses", "L1.false_sharing", "memory.reads",
///     "tlb.misses", those of all caches of a level together; and "L1.hit_rate", "L1.miss_rate", "L1.utilization";
///   - values of the machine, by the keys of `withValue`: "L1.ways", "cpus", "tlb.entries"; and "L1.sets";
///   - of a region, or of all objects of a class: "A.accesses", "A.cycles", "A.L1.misses", "A.L1.conflict".
class Quantities {
  public:
    /// The measures must have a ledger.
    Quantities(Measures measures, std::shared_ptr<const Trace> trace);

    /// NaN for a ratio of nothing, such as the hit rate of a level without accesses. An error, which lists what is
    /// similar, for a name of nothing.
    Expected<Quantity> named(std::string_view name) const;

  private:
    void addMachine();
    void addLevel(std::size_t level);
    std::vector<std::size_t> rowsOf(std::string_view owner, const TallyTable*& table) const;
    std::optional<Quantity> ofMemory(std::string_view owner, std::string_view key) const;

    Measures measures_;
    std::shared_ptr<const Trace> trace_;
    std::map<std::string, Quantity, std::less<>> known_;
};

}  // namespace whorl::sim
