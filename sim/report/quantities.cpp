#include "sim/report/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "sim/base/text.h"
#include "sim/machine/config_schema.h"
#include "sim/report/report.h"
#include "sim/report/table.h"

namespace whorl::sim {

namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// The owner of a counter as in JSON: the tables for people have "TLB".
std::string ownerInJson(const std::string& level) {
    return level == "TLB" ? "tlb" : level;
}

std::optional<double> numberIn(const Cell& cell) {
    if (const auto* const count = std::get_if<std::uint64_t>(&cell)) return static_cast<double>(*count);
    if (const auto* const ratio = std::get_if<double>(&cell)) return *ratio;
    return std::nullopt;
}

/// A number with a minus that is not taken for a hyphen.
std::string signedWords(double value, const std::string& words) {
    return value < 0 ? "\u2212" + words : words;
}

}  // namespace

std::string quantityInWords(const Quantity& quantity) {
    constexpr double kLarge = 100;  // fractions of what is larger do not matter
    const double size = std::abs(quantity.isShare ? 100 * quantity.value : quantity.value);
    const double whole = std::round(size);
    std::string words;
    const bool isCount = size < 1e18;
    if (isCount && (std::abs(size - whole) < 1e-9 * std::max(1.0, size) || (size >= kLarge && !quantity.isShare))) {
        words = grouped(static_cast<std::uint64_t>(whole));
    } else if (isCount && quantity.isShare) {
        // What is not all is not shown as all.
        words = size < kLarge && size > kLarge - 0.05 ? "99.9" : fmt::format("{:.1f}", size);
        if (words.ends_with(".0")) words.resize(words.size() - 2);
    } else {
        words = fmt::format("{:.3g}", size);
    }
    const bool isNothing = words == "0";
    return (isNothing ? words : signedWords(quantity.value, words)) + (quantity.isShare ? " %" : "");
}

Quantities::Quantities(Measures measures, std::shared_ptr<const Trace> trace)
    : measures_(std::move(measures)), trace_(std::move(trace)) {
    const Table counts = countsTable({.measures = measures_, .kinds = true, .use = true, .tables = {}});
    for (const std::vector<Cell>& row : counts.rows) {
        const std::string& level = std::get<std::string>(row[1]);
        const std::string& counter = std::get<std::string>(row[3]);
        // A ratio of caches is no sum, and cycles of CPUs have that of all.
        if (level == "CPU" || counter == "utilization") continue;
        const std::string name = level.empty() ? counter : ownerInJson(level) + "." + counter;
        if (const auto value = numberIn(row[4])) known_[name].value += *value;
    }
    addMachine();
    for (std::size_t l = 0; l < measures_.machine.levels.size(); ++l) addLevel(l);
}

void Quantities::addMachine() {
    const MachineConfig& machine = measures_.machine;
    const auto add = [&](const std::string& owner, const std::vector<std::string>& keys) {
        for (const std::string& key : keys) {
            const std::string name = owner + key;
            const auto value = valueIn(machine, name);
            const auto number = value ? parseBytes(*value) : std::nullopt;
            if (number) known_[name].value = static_cast<double>(*number);
        }
    };
    add("", keysOf(machineFields()));
    if (machine.tlb.entries != 0) add("tlb.", keysOf(tlbFields()));
    if (machine.memory.isBounded()) add("memory.", keysOf(memoryFields()));
    for (const LevelConfig& level : machine.levels) add(level.name + ".", keysOf(levelFields()));
}

void Quantities::addLevel(std::size_t level) {
    const LevelConfig& config = measures_.machine.levels[level];
    const CacheCounters counters = measures_.counters.level(level);
    const StaySum stays = measures_.ledger->staysAt(measures_.machine, level);
    const bool isAsked = counters.accesses() > 0;
    known_[config.name + ".sets"] = {static_cast<double>(config.sets())};
    known_[config.name + ".hit_rate"] = {isAsked ? counters.hitRate() : kNoValue, true};
    known_[config.name + ".miss_rate"] = {isAsked ? 1 - counters.hitRate() : kNoValue, true};
    known_[config.name + ".utilization"] = {stays.fills > 0 ? stays.utilization(config.block) : kNoValue, true};
}

/// The rows of the ledger that have this name, and their table: those of owners, else those of the objects of a class.
std::vector<std::size_t> Quantities::rowsOf(std::string_view owner, const TallyTable*& table) const {
    std::vector<std::size_t> rows;
    table = &measures_.ledger->owners;
    for (std::size_t i = 0; i < trace_->owners().count(); ++i) {
        if (trace_->owners().name(i) == owner) rows.push_back(i);
    }
    if (!rows.empty()) return rows;
    table = &measures_.ledger->objects;
    for (std::size_t i = 0; i < trace_->objects().size(); ++i) {
        if (trace_->objects()[i].className == owner) rows.push_back(i);
    }
    return rows;
}

std::optional<Quantity> Quantities::ofMemory(std::string_view owner, std::string_view key) const {
    const TallyTable* table = nullptr;
    const std::vector<std::size_t> rows = rowsOf(owner, table);
    if (rows.empty()) return std::nullopt;
    const auto sum = [&](auto&& of) {
        double all = 0;
        for (const std::size_t row : rows) all += static_cast<double>(of(row));
        return Quantity{all};
    };
    if (key == "accesses") return sum([&](std::size_t row) { return table->accesses(row); });
    if (key == "cycles") return sum([&](std::size_t row) { return table->cycles(row); });
    for (std::size_t l = 0; l < table->levels(); ++l) {
        const std::string level = measures_.machine.levels[l].name + ".";
        if (!key.starts_with(level)) continue;
        const std::string_view counter = key.substr(level.size());
        if (counter == "misses") return sum([&](std::size_t row) { return table->misses(row, l); });
        for (std::size_t k = 0; k < kMissKinds; ++k) {
            if (counter != kMissKindKeys[k]) continue;
            return sum([&](std::size_t row) { return table->misses(row, l, static_cast<MissKind>(k)); });
        }
    }
    return std::nullopt;
}

Expected<Quantity> Quantities::named(std::string_view name) const {
    if (const auto known = known_.find(name); known != known_.end()) return known->second;
    // The names of regions may have dots, too.
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
        if (const auto found = ofMemory(name.substr(0, dot), name.substr(dot + 1))) return *found;
    }
    std::vector<std::string> names;
    for (const auto& [known, quantity] : known_) names.push_back(known);
    const std::string near = didYouMean(name, names);
    return fail({}, fmt::format("there is no quantity {}", quotedText(name)),
                near.empty()
                    ? "quantities are such as accesses, cycles, L1.misses, L1.ways, and A.L1.misses of a region"
                    : near.substr(0, near.size() - 1));
}

}  // namespace whorl::sim
