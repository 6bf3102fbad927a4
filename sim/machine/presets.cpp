// The argument of --machine, and the built-in machines.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sim/base/embedded.h"
#include "sim/base/input_file.h"
#include "sim/base/text.h"
#include "sim/machine/host_machine.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

namespace {

constexpr std::string_view kEnding = ".json";

/// Paths may contain '/' and digits too: a geometry starts with a digit or consists only of characters that a geometry
/// can have.
bool looksLikeGeometry(std::string_view words) {
    const bool isOfBits = words.front() == 's' && words.find('E') != std::string_view::npos;
    if (isOfBits && words.find_first_not_of("0123456789sEb, \t") == std::string_view::npos) return true;
    if (words.find('/') == std::string_view::npos) return false;
    if (words.find_first_not_of("0123456789KMGkmgiB/, \t") == std::string_view::npos) return true;
    return words.front() >= '0' && words.front() <= '9' && !words.ends_with(kEnding);
}

std::string machineForms() {
    return fmt::format(
        "a machine is a preset ({}), {} for this computer's caches, a geometry such as 32K/8/64, 1M/16/64, or a JSON "
        "file",
        joinNames(presetNames(), "or"), kHostMachine);
}

Expected<MachineConfig> fromFile(const std::string& path) {
    auto text = readSmallFile(path, kMaxMachineText, "a machine");
    if (!text) {
        // The words may not have been meant as a file.
        if (text.error().hint.empty()) text.error().hint = machineForms();
        return tl::unexpected(std::move(text).error());
    }
    auto machine = parseMachineJson(*text, path);
    if (machine && machine->name.empty()) machine->name = std::filesystem::path(path).stem().string();
    return machine;
}

}  // namespace

std::vector<std::string> presetNames() {
    std::vector<std::string> names;
    for (const auto& [file, text] : embeddedFiles()) {
        if (file.ends_with(kEnding)) names.emplace_back(file.substr(0, file.size() - kEnding.size()));
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool namesHost(std::string_view words) {
    return trimmed(words) == kHostMachine;
}

bool namesMachineFile(const std::string& words) {
    const std::string name(trimmed(words));
    const std::vector<std::string> presets = presetNames();
    if (name.empty() || namesHost(name) || std::binary_search(presets.begin(), presets.end(), name)) return false;
    std::error_code error;
    if (std::filesystem::exists(words, error)) return true;
    return !looksLikeGeometry(name) && (name.find('/') != std::string::npos || name.ends_with(kEnding));
}

Expected<MachineConfig> loadMachine(const std::string& words) {
    const std::string name(trimmed(words));
    if (name.empty()) return fail({}, "no machine is given", machineForms());
    const std::vector<std::string> presets = presetNames();
    if (std::binary_search(presets.begin(), presets.end(), name)) {
        const std::string file = name + std::string(kEnding);
        return parseMachineJson(embeddedFile(file).second, file);
    }
    if (namesHost(name)) {
        return hostMachine().and_then(
            [](MachineConfig machine) { return checked(std::move(machine), std::string(kHostMachine)); });
    }
    if (namesMachineFile(words)) return fromFile(words);
    if (looksLikeGeometry(name)) return parseGeometry(name);
    return fail({}, fmt::format("there is no machine {}", quotedText(name)),
                didYouMean(name, machineNames()) + machineForms());
}

}  // namespace whorl::sim
