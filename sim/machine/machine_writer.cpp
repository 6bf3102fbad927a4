// A machine as JSON text: one line a level, like the files that people write.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/machine/config_schema.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

namespace {

std::string inJson(const Value& value) {
    if (value.kind != Value::Kind::text) return value.text;
    // A name from a command line need not be UTF-8, but a JSON file is.
    return nlohmann::json(value.text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The fields that are not at their default, as "key": value.
template <class Object>
std::vector<std::string> changed(std::span<const Field<Object>> fields, const Object& object, const Object& standard) {
    std::vector<std::string> out;
    for (const auto& field : fields) {
        const Value value = field.get(object);
        if (!field.needed && value.text == field.get(standard).text) continue;
        out.push_back(fmt::format(R"("{}": {})", field.key, inJson(value)));
    }
    return out;
}

std::string asObject(const std::vector<std::string>& fields) {
    return fmt::format("{{{}}}", fmt::join(fields, ", "));
}

}  // namespace

std::string machineAsJson(const MachineConfig& machine) {
    std::vector<std::string> parts = changed(machineFields(), machine, defaultMachine());
    if (machine.tlb.entries != 0) {
        TlbConfig standard = defaultTlb();
        standard.entries = machine.tlb.entries;
        settleWays(standard);
        parts.push_back(R"("tlb": )" + asObject(changed(tlbFields(), machine.tlb, standard)));
    }
    if (machine.conventions != Conventions{}) {
        parts.push_back(R"("conventions": )" + asObject(changed(conventionFields(), machine.conventions, {})));
    }
    std::vector<std::string> levels;
    levels.reserve(machine.levels.size());
    for (std::size_t i = 0; i < machine.levels.size(); ++i) {
        levels.push_back(asObject(changed(levelFields(), machine.levels[i], defaultLevel(i, machine.levels.size()))));
    }
    parts.push_back(fmt::format("\"levels\": [\n        {}\n    ]", fmt::join(levels, ",\n        ")));
    return fmt::format("{{\n    {}\n}}\n", fmt::join(parts, ",\n    "));
}

}  // namespace whorl::sim
