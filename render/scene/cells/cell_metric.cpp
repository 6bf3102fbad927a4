#include "render/scene/cells/cell_metric.h"

#include <algorithm>
#include <cctype>

namespace whorl::scene {

namespace {

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool isSame(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

/// Whether a machine can have any of it.
bool isPossible(CellMetric metric, const sim::MachineConfig& machine) {
    if (kindOf(metric).ofLevel && machine.levels.empty()) return false;
    if (metric == CellMetric::tlbMisses) return machine.tlb.entries > 0;
    return metric != CellMetric::pageFaults || machine.memory.isBounded();
}

}  // namespace

CellQuantity usualQuantity(CellDisplay display, const sim::MachineConfig& machine) {
    if (machine.levels.empty()) return {isLive(display) ? CellMetric::lastWrite : CellMetric::accesses, 0};
    return {isLive(display) ? CellMetric::glow : CellMetric::misses, 0};
}

std::string wordOf(const CellQuantity& quantity, const sim::MachineConfig& machine) {
    const CellMetricKind& kind = kindOf(quantity.metric);
    std::string word(kind.word);
    if (kind.ofLevel)
        word += ":" + machine.levels[std::min<std::size_t>(quantity.level, machine.levels.size() - 1)].name;
    return word;
}

std::string inWords(const CellQuantity& quantity, const sim::MachineConfig& machine) {
    const CellMetricKind& kind = kindOf(quantity.metric);
    if (!kind.ofLevel) return std::string(kind.words);
    const std::string& level = machine.levels[std::min<std::size_t>(quantity.level, machine.levels.size() - 1)].name;
    return level + " " + std::string(kind.words);
}

std::optional<CellQuantity> quantityNamed(std::string_view word, CellDisplay display,
                                          const sim::MachineConfig& machine) {
    const std::size_t colon = std::min(word.find(':'), word.size());
    for (const CellMetricKind& kind : kCellMetrics) {
        if (!canShow(display, kind.metric) || !isSame(kind.word, word.substr(0, colon))) continue;
        if (colon == word.size()) return CellQuantity{kind.metric, 0};
        if (!kind.ofLevel || !isOfMemory(display)) return std::nullopt;
        for (std::size_t l = 0; l < machine.levels.size(); ++l) {
            if (isSame(machine.levels[l].name, word.substr(colon + 1))) {
                return CellQuantity{kind.metric, static_cast<std::uint8_t>(l)};
            }
        }
        return std::nullopt;
    }
    return std::nullopt;
}

std::vector<CellQuantity> quantitiesOf(CellDisplay display, const sim::MachineConfig& machine) {
    std::vector<CellQuantity> out;
    for (const CellMetricKind& kind : kCellMetrics) {
        if (!canShow(display, kind.metric) || !isPossible(kind.metric, machine)) continue;
        const std::size_t levels = kind.ofLevel && isOfMemory(display) ? machine.levels.size() : 1;
        for (std::size_t l = 0; l < levels; ++l) out.push_back({kind.metric, static_cast<std::uint8_t>(l)});
    }
    return out;
}

std::vector<std::string> quantityWords(CellDisplay display, const sim::MachineConfig& machine) {
    std::vector<std::string> words;
    for (const CellQuantity& q : quantitiesOf(display, machine)) {
        const bool named = kindOf(q.metric).ofLevel && isOfMemory(display);
        words.push_back(named ? wordOf(q, machine) : std::string(kindOf(q.metric).word));
    }
    return words;
}

}  // namespace whorl::scene
