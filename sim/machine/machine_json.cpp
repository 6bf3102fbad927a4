// Machine descriptions in JSON: the only file that knows their syntax. The reader collects all errors, so that the user
// can fix them in one go; the writer puts a level on a line, like files written by hand.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/base/json_rows.h"
#include "sim/base/text.h"
#include "sim/machine/config_schema.h"
#include "sim/machine/machine_config.h"
#include "sim/machine/validation.h"

namespace whorl::sim {

namespace {

using nlohmann::ordered_json;

/// Reads an object. `usual` holds the defaults; `example` shows the form in error messages.
template <class Object>
bool setObject(Object& into, const JsonPlace& place, Fields<Object> fields, const Object& usual,
               std::string_view example) {
    if (!place.value.is_object()) return place.isNot("an object", fmt::format("write it as in {}", example));
    into = usual;
    readObject(place, fields, into);
    return true;
}

bool setMemory(MachineConfig& machine, const JsonPlace& place) {
    MemoryConfig& memory = machine.memory;
    const bool isSet = setObject(memory, place, memoryFields(), defaultMemory(), R"({"size": "4M", "page": "4K"})");
    if (memory.size == 0 && !place.faults.unread.contains("memory.size")) memory = {};
    return isSet;
}

bool setTlb(MachineConfig& machine, const JsonPlace& place) {
    TlbConfig& tlb = machine.tlb;
    const bool isSet = setObject(tlb, place, tlbFields(), defaultTlb(), R"({"entries": 64, "ways": 4})");
    const bool isUnread = place.faults.unread.contains("tlb.entries");
    if (tlb.ways == kAllWays && isUnread) place.faults.unread.emplace("tlb.ways");
    resolveWays(tlb);
    if (tlb.entries == 0 && !isUnread) tlb = {};
    return isSet;
}

bool setConventions(MachineConfig& machine, const JsonPlace& place) {
    return setObject(machine.conventions, place, conventionFields(), {}, R"({"writeback_first": true})");
}

/// Reads the next level, whose defaults depend on its index.
void readLevel(MachineConfig& machine, const JsonPlace& place, std::size_t levels) {
    LevelConfig& level = machine.levels.emplace_back(defaultLevel(machine.levels.size(), levels));
    UnknownFields& unread = place.faults.unread;
    if (!place.value.is_object()) {
        place.isNot("a level", R"(a level is an object such as {"name": "L1", "size": "32K", "ways": 8, "block": 64})");
        unread.insert(place.path);
        return;
    }
    readFields(place, levelFields(), level);
    const auto isUnread = [&](const char* key) { return unread.contains(jsonPath(place.path, key)); };
    if (level.ways == kAllWays && (isUnread("size") || isUnread("block"))) unread.insert(jsonPath(place.path, "ways"));
    resolveWays(level);
    place.checkKeys(keysOf(levelFields()));
}

bool setLevels(MachineConfig& machine, const JsonPlace& place) {
    if (!place.value.is_array()) return place.isNot("a list", "give the levels from the CPU outward");
    for (const auto& level : place.value) {
        if (place.faults.errors.size() >= kManyErrors) break;
        readLevel(machine, place.at(fmt::format("[{}]", machine.levels.size()), level), place.value.size());
    }
    return true;
}

ordered_json memoryIn(const MachineConfig& machine) {
    const MemoryConfig usual = defaultMemory();
    return machine.memory.isBounded() ? written(memoryFields(), machine.memory, &usual) : ordered_json();
}

ordered_json tlbIn(const MachineConfig& machine) {
    if (machine.tlb.entries == 0) return nullptr;
    TlbConfig usual = defaultTlb();
    usual.entries = machine.tlb.entries;
    resolveWays(usual);
    return written(tlbFields(), machine.tlb, &usual);
}

ordered_json conventionsIn(const MachineConfig& machine) {
    const Conventions usual;
    return machine.conventions != usual ? written(conventionFields(), machine.conventions, &usual) : ordered_json();
}

ordered_json levelsIn(const MachineConfig& machine) {
    auto levels = ordered_json::array();
    for (const LevelConfig& level : machine.levels) {
        const LevelConfig usual = defaultLevel(levels.size(), machine.levels.size());
        levels.push_back(written(levelFields(), level, &usual));
    }
    return levels;
}

/// All keys of a machine.
Fields<MachineConfig> wholeFields() {
    static const std::vector<Field<MachineConfig>> kFields = [] {
        std::vector<Field<MachineConfig>> fields(machineFields().begin(), machineFields().end());
        fields.push_back({"memory", {}, setMemory, memoryIn});
        fields.push_back({"tlb", {}, setTlb, tlbIn});
        fields.push_back({"conventions", {}, setConventions, conventionsIn});
        fields.push_back({"levels",
                          "give the levels from the CPU outward, as a list of objects; an empty list is a machine "
                          "without caches",
                          setLevels, levelsIn});
        return fields;
    }();
    return kFields;
}

/// Memory and the TLB have the same page size: if only one of them specifies it, it applies to both.
void sharePages(const JsonPlace& root, MachineConfig& machine) {
    if (!machine.memory.isBounded() || machine.tlb.entries == 0) return;
    UnknownFields& unread = root.faults.unread;
    const bool memoryGives = root.has("memory/page");
    const bool tlbGives = root.has("tlb/page");
    if (tlbGives && !memoryGives) {
        machine.memory.page = machine.tlb.page;
        if (unread.contains("tlb.page")) unread.emplace("memory.page");
    } else if (memoryGives && !tlbGives) {
        machine.tlb.page = machine.memory.page;
        if (unread.contains("memory.page")) unread.emplace("tlb.page");
    }
}

/// Formats a value on one line, like files written by hand.
std::string lineOf(const ordered_json& value) {
    // JSON must be UTF-8, but a name from the command line may not be.
    if (!value.is_object()) return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    std::vector<std::string> members;
    for (const auto& [key, member] : value.items()) members.push_back(fmt::format(R"("{}": {})", key, lineOf(member)));
    return fmt::format("{{{}}}", fmt::join(members, ", "));
}

}  // namespace

Expected<MachineConfig> parseMachineJson(std::string_view text, const std::string& file) {
    if (text.size() > kMaxMachineText) {
        return fail(file, "the text is too long for a machine", bytesInWords(kMaxMachineText) + " is the most");
    }
    MachineConfig machine = defaultMachine();
    const auto read = [&](const JsonPlace& root) {
        readObject(root, wholeFields(), machine);
        sharePages(root, machine);
        // Values that could not be read are already reported, and must not be checked against others.
        for (ConfigError& f : configErrors(machine, root.faults.unread)) {
            root.faultAt(ConfigError::pathOf(f.level, f.key), std::move(f.what), std::move(f.hint));
        }
    };
    const auto errors = jsonFileErrors(text, file, "a machine", R"(it opens with {"levels": [)", read);
    if (!errors.empty()) return tl::unexpected(joinErrors(errors));
    return machine;
}

std::string machineAsJson(const MachineConfig& machine) {
    const MachineConfig usual = defaultMachine();
    const ordered_json all = written(wholeFields(), machine, &usual);
    std::vector<std::string> parts;
    for (const auto& [key, value] : all.items()) {
        std::vector<std::string> levels;
        if (value.is_array()) std::ranges::transform(value, std::back_inserter(levels), lineOf);
        const std::string text =
            levels.empty() ? lineOf(value) : fmt::format("[\n        {}\n    ]", fmt::join(levels, ",\n        "));
        parts.push_back(fmt::format("\"{}\": {}", key, text));
    }
    return fmt::format("{{\n    {}\n}}\n", fmt::join(parts, ",\n    "));
}

}  // namespace whorl::sim
