#include "sim/report/machine_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/base/text.h"
#include "sim/machine/machine_config.h"
#include "sim/machine/policies.h"

namespace whorl::sim {

namespace {

struct ValueWords {
    std::string_view field;
    std::string_view value;  ///< empty: any
    std::string_view words;  ///< {}: the value
};

/// The first row that fits counts.
constexpr ValueWords kValueWords[] = {
    {"write", "", "write-{}"},
    {"allocate", "true", "write-allocate"},
    {"allocate", "false", "no-write-allocate"},
    {"ways", "1", "1 way"},
    {"ways", "", "{} ways"},
    {"block", "", "blocks of {} bytes"},
    {"size", "", "size {}"},
    {"latency", "", "{} cycles"},
    {"inclusion", "none", "not inclusive"},
    {"inclusion", "", "{}"},
    {"prefetch", "none", "no prefetching"},
    {"prefetch", "", "{} prefetching"},
    {"cpus", "1", "1 CPU"},
    {"cpus", "", "{} CPUs"},
    {"protocol", "none", "no coherence"},
    {"protocol", "msi", "MSI"},
    {"protocol", "mesi", "MESI"},
};

/// The words for a value of a field; empty if there are none.
std::string wordsOf(std::string_view field, std::string_view value) {
    if (field == "policy") {
        const auto* const row = std::find_if(std::begin(kPolicyRows), std::end(kPolicyRows),
                                             [&](const PolicyRow& known) { return known.word == value; });
        return row == std::end(kPolicyRows) ? std::string() : std::string(row->name);
    }
    for (const ValueWords& known : kValueWords) {
        const bool fits = known.field == field && (known.value.empty() || known.value == value);
        if (fits) return fmt::format(fmt::runtime(known.words), value);
    }
    return {};
}

}  // namespace

std::string machineCalled(const std::string& name) {
    return name.empty() || (name.front() >= '0' && name.front() <= '9') ? name : "machine " + name;
}

std::string machineCalled(const std::string& name, const std::vector<std::string>& settings) {
    std::string words = machineCalled(name);
    for (const std::string& setting : settings) words += ", " + setting;
    return words;
}

std::string valueInWords(std::string_view key, std::string_view value) {
    const std::size_t dot = key.rfind('.');
    const std::string_view field = dot == std::string_view::npos ? key : key.substr(dot + 1);
    const auto bytes = field == "size" ? wholeNumber(value) : std::nullopt;
    const std::string words = wordsOf(field, bytes ? formatBytes(*bytes) : value);
    if (words.empty()) return fmt::format("{}={}", key, value);
    const bool isOfOne = dot != std::string_view::npos && key.front() != '*';
    return isOfOne ? fmt::format("{} in {}", words, key.substr(0, dot)) : words;
}

}  // namespace whorl::sim
