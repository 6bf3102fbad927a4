#include "sim/machine/machine_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/machine/config_schema.h"
#include "sim/machine/validation.h"

namespace whorl::sim {

namespace {

constexpr std::string_view kGeometryHint =
    "a geometry is size/ways/block for each level from the CPU outward, such as 32K/8/64, 1M/16/64";

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t at = text.find(separator);
        parts.push_back(trimmed(text.substr(0, at)));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

tl::unexpected<Error> notAGeometry(std::string what) {
    return fail({}, std::move(what), std::string(kGeometryHint));
}

/// A number that fits the field; `checked` decides whether it is valid there.
std::optional<std::uint32_t> smallNumber(std::string_view text) {
    const auto number = wholeNumber(text);
    if (!number || *number > ~std::uint32_t{0}) return std::nullopt;
    return static_cast<std::uint32_t>(*number);
}

/// "32K/8/64".
Expected<LevelConfig> parseLevel(std::string_view text, std::size_t number, std::size_t levels) {
    const std::string where = fmt::format("level {} of the geometry", number);
    if (text.empty()) return notAGeometry(where + " is empty");
    const auto parts = split(text, '/');
    if (parts.size() > 3)
        return notAGeometry(fmt::format("{}, {}, has {} parts", where, quotedText(text), parts.size()));
    constexpr std::string_view kParts[] = {"size", "number of ways", "block size"};
    for (std::size_t i = 0; i < 3; ++i) {
        if (i < parts.size() && !parts[i].empty()) continue;
        return notAGeometry(fmt::format("{}, {}, has no {}", where, quotedText(text), kParts[i]));
    }
    const auto size = parseBytes(parts[0]);
    if (!size)
        return fail({}, fmt::format("{}: {} is not a size", where, quotedText(parts[0])), std::string(kSizeHint));
    const auto ways = smallNumber(parts[1]);
    if (!ways) return notAGeometry(fmt::format("{}: {} is not a number of ways", where, quotedText(parts[1])));
    const auto block = parseBytes(parts[2]);
    if (!block || *block > ~std::uint32_t{0}) {
        return notAGeometry(fmt::format("{}: {} is not a block size", where, quotedText(parts[2])));
    }
    LevelConfig level = defaultLevel(number - 1, levels);
    level.size = *size;
    level.ways = *ways;
    level.block = static_cast<std::uint32_t>(*block);
    return level;
}

}  // namespace

Expected<MachineConfig> checked(MachineConfig machine, const std::string& where) {
    const std::vector<ConfigError> faults = configErrors(machine);
    if (faults.empty()) return machine;
    std::vector<Error> errors;
    for (const ConfigError& fault : faults) {
        std::string what = fault.what;
        if (fault.level != ConfigError::kWholeMachine) {
            const std::string& name = machine.levels[fault.level].name;
            what = fmt::format("{}: {}", name.empty() ? fmt::format("level {}", fault.level + 1) : name, what);
        } else if (fault.key != "levels" && fault.key != "cpus") {
            what = fmt::format("{}: {}", fault.key, what);
        }
        errors.push_back({.where = where, .what = std::move(what), .hint = fault.hint, .cancelled = false});
    }
    return tl::unexpected(joinErrors(errors));
}

Expected<MachineConfig> parseGeometry(std::string_view text) {
    if (trimmed(text).empty()) return notAGeometry("the geometry is empty");
    MachineConfig machine = defaultMachine();
    const auto parts = split(text, ',');
    machine.levels.reserve(parts.size());
    for (const std::string_view part : parts) {
        auto level = parseLevel(part, machine.levels.size() + 1, parts.size());
        if (!level) return tl::unexpected(std::move(level).error());
        machine.levels.push_back(*std::move(level));
    }
    machine.name = geometryOf(machine);
    return checked(std::move(machine), {});
}

MachineConfig withCpus(MachineConfig machine, std::uint32_t cpus) {
    if (cpus <= machine.cpus) return machine;
    std::uint32_t group = 1;
    bool all = false;
    for (LevelConfig& level : machine.levels) {
        // Levels beyond one that all CPUs share are shared by all too, even if they give the number of CPUs.
        all = all || level.sharedBy == 0;
        if (all) level.sharedBy = 0;
        group = std::max(group, level.sharedBy);
    }
    const std::uint32_t groups = std::min((std::min(cpus, kMaxCpus) + group - 1) / group, kMaxCpus / group);
    machine.cpus = std::max(machine.cpus, groups * group);
    return machine;
}

std::string geometryOf(const MachineConfig& machine) {
    if (machine.levels.empty()) return "no cache";
    std::string out;
    for (const LevelConfig& level : machine.levels) {
        if (!out.empty()) out += ", ";
        out += fmt::format("{}/{}/{}", formatBytes(level.size), level.ways, level.block);
    }
    return out;
}

std::string formatBytes(std::uint64_t bytes) {
    if (bytes == 0) return "0";
    constexpr std::pair<unsigned, char> kUnits[] = {{30, 'G'}, {20, 'M'}, {10, 'K'}};
    for (const auto& [shift, unit] : kUnits) {
        if (bytes % (std::uint64_t{1} << shift) == 0) return fmt::format("{}{}", bytes >> shift, unit);
    }
    return fmt::format("{}", bytes);
}

}  // namespace whorl::sim
