// Machine descriptions in JSON: the only file that knows their syntax. The reader collects all errors, so that the user
// can fix them in one go; the writer puts a level on a line, like files written by hand.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/machine/config_schema.h"
#include "sim/machine/machine_config.h"
#include "sim/machine/validation.h"

namespace whorl::sim {

namespace {

using nlohmann::json;

/// A value as shown in an error message.
std::string shown(const json& value) {
    if (value.is_string()) return quotedText(value.get_ref<const std::string&>());
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    return value.dump();
}

Value valueFrom(const json& value) {
    if (value.is_string()) return Value::ofText(value.get_ref<const std::string&>());
    if (value.is_number_unsigned()) return Value::ofNumber(value.get<std::uint64_t>());
    if (value.is_boolean()) return Value::fromWords(value.get<bool>() ? "true" : "false");
    return {.kind = Value::Kind::other, .number = 0, .flag = false, .text = {}, .shown = shown(value)};
}

class MachineReader {
  public:
    /// `errors`: those found so far.
    MachineReader(const std::string& file, std::vector<Error> faults) : file_(file), errors_(std::move(faults)) {}

    Expected<MachineConfig> read(const json& root) {
        MachineConfig machine = defaultMachine();
        if (!root.is_object()) {
            addError("", fmt::format("a machine is an object, not {}", shown(root)), R"(it opens with {"levels": [)");
        } else {
            readMachine(root, machine);
            // Values that could not be read are reported already and must not be judged against others.
            for (const ConfigError& f : configErrors(machine, unread_))
                addError(pathOf(f.level, f.key), f.what, f.hint);
        }
        if (!errors_.empty()) return tl::unexpected(joinErrors(errors_));
        return machine;
    }

  private:
    static constexpr std::size_t kWhole = ConfigError::kWholeMachine;

    void addError(const std::string& path, std::string what, std::string hint) {
        errors_.push_back({.where = path.empty() ? file_ : fmt::format("{}: {}", file_, path),
                           .what = std::move(what),
                           .hint = std::move(hint),
                           .cancelled = false});
    }

    static std::string pathOf(std::size_t level, const std::string& key) {
        if (level == kWhole) return key;
        const std::string path = fmt::format("levels[{}]", level);
        return key.empty() ? path : jsonPath(path, key);
    }

    void addUnreadable(std::size_t level, const std::string& key, std::string what, std::string hint) {
        addError(pathOf(level, key), std::move(what), std::move(hint));
        unread_.emplace(level, key);
    }

    void readMachine(const json& root, MachineConfig& machine) {
        checkKeys(root, "", machineKeys());
        readFields(root, kWhole, "", machineFields(), machine);
        readMemory(root, machine.memory);
        readTlb(root, machine.tlb);
        sharePages(root, machine);
        const auto conventions = root.find("conventions");
        if (conventions != root.end() && isObject("conventions", *conventions, R"({"writeback_first": true})")) {
            checkKeys(*conventions, "conventions", keysOf(conventionFields()));
            readFields(*conventions, kWhole, "conventions", conventionFields(), machine.conventions);
        }
        readLevels(root, machine);
    }

    static std::vector<std::string> machineKeys() {
        std::vector<std::string> keys = keysOf(machineFields());
        keys.insert(keys.end(), {"memory", "tlb", "conventions", "levels"});
        return keys;
    }

    void readMemory(const json& root, MemoryConfig& memory) {
        const auto value = root.find("memory");
        if (value == root.end() || !isObject("memory", *value, R"({"size": "4M", "page": "4K"})")) return;
        memory = defaultMemory();
        checkKeys(*value, "memory", keysOf(memoryFields()));
        readFields(*value, kWhole, "memory", memoryFields(), memory);
        if (memory.size == 0 && !unread_.contains({kWhole, "memory.size"})) memory = {};
    }

    /// The pages of memory and of the TLB are the same: where only one of them gives their size, it holds for both.
    void sharePages(const json& root, MachineConfig& machine) {
        if (!machine.memory.isBounded() || machine.tlb.entries == 0) return;
        const bool memoryGives = root["memory"].contains("page");
        const bool tlbGives = root["tlb"].contains("page");
        if (tlbGives && !memoryGives) {
            machine.memory.page = machine.tlb.page;
            if (unread_.contains({kWhole, "tlb.page"})) unread_.emplace(kWhole, "memory.page");
        } else if (memoryGives && !tlbGives) {
            machine.tlb.page = machine.memory.page;
            if (unread_.contains({kWhole, "memory.page"})) unread_.emplace(kWhole, "tlb.page");
        }
    }

    void readTlb(const json& root, TlbConfig& tlb) {
        const auto value = root.find("tlb");
        if (value == root.end() || !isObject("tlb", *value, R"({"entries": 64, "ways": 4})")) return;
        tlb = defaultTlb();
        checkKeys(*value, "tlb", keysOf(tlbFields()));
        readFields(*value, kWhole, "tlb", tlbFields(), tlb);
        if (tlb.ways == kAllWays && unread_.contains({kWhole, "tlb.entries"})) unread_.emplace(kWhole, "tlb.ways");
        resolveWays(tlb);
        if (tlb.entries == 0 && !unread_.contains({kWhole, "tlb.entries"})) tlb = {};
    }

    void readLevels(const json& root, MachineConfig& machine) {
        const auto levels = root.find("levels");
        if (levels == root.end()) {
            addUnreadable(kWhole, "levels", "is missing",
                          "give the levels from the CPU outward, as a list of objects; an empty list is a machine "
                          "without caches");
        } else if (!levels->is_array()) {
            addUnreadable(kWhole, "levels", shown(*levels) + " is not a list", "give the levels from the CPU outward");
        } else {
            for (const json& level : *levels) {
                if (errors_.size() >= kManyErrors) break;
                readLevel(level, machine, levels->size());
            }
        }
    }

    void readLevel(const json& value, MachineConfig& machine, std::size_t levels) {
        const std::size_t index = machine.levels.size();
        LevelConfig& level = machine.levels.emplace_back(defaultLevel(index, levels));
        if (!value.is_object()) {
            addUnreadable(index, "", shown(value) + " is not a level",
                          R"(a level is an object such as {"name": "L1", "size": "32K", "ways": 8, "block": 64})");
            return;
        }
        readFields(value, index, "", levelFields(), level);
        if (level.ways == kAllWays && (unread_.contains({index, "size"}) || unread_.contains({index, "block"}))) {
            unread_.emplace(index, "ways");
        }
        resolveWays(level);
        checkKeys(value, fmt::format("levels[{}]", index), keysOf(levelFields()));
    }

    /// Reads the fields that the object has; `prefix` is its path within the machine or level.
    template <class Object>
    void readFields(const json& object, std::size_t level, const std::string& prefix,
                    std::span<const Field<Object>> fields, Object& into) {
        for (const auto& field : fields) {
            const std::string key = jsonPath(prefix, field.key);
            const auto value = object.find(field.key);
            if (value == object.end()) {
                if (!field.needed) continue;
                addUnreadable(level, key, "is missing", std::string(whyNeeded(prefix)));
            } else if (auto wrong = field.set(into, valueFrom(*value))) {
                addUnreadable(level, key, std::move(wrong->what), std::move(wrong->hint));
            }
        }
    }

    static std::string_view whyNeeded(std::string_view prefix) {
        if (prefix == "tlb") return "a TLB has a number of entries";
        if (prefix == "memory") return "a memory of bounded size has a size";
        return "a level has a size, ways and a block";
    }

    bool isObject(const std::string& path, const json& value, std::string_view example) {
        if (value.is_object()) return true;
        addError(path, shown(value) + " is not an object", fmt::format("write it as in {}", example));
        return false;
    }

    void checkKeys(const json& object, const std::string& path, const std::vector<std::string>& known) {
        for (const auto& [key, value] : object.items()) {
            if (std::find(known.begin(), known.end(), key) != known.end()) continue;
            addError(path, fmt::format("the key {} is not known", quotedText(key)),
                     didYouMean(key, known) + fmt::format("the keys here are {}", joinNames(known)));
        }
    }

    const std::string& file_;
    std::vector<Error> errors_;
    UnknownFields unread_;
};

// --- writing ---

std::string inJson(const Value& value) {
    if (value.kind != Value::Kind::text) return value.text;
    // JSON must be UTF-8, but a name from the command line may not be.
    return nlohmann::json(value.text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The required fields and those that differ from their default, as "key": value.
template <class Object>
std::vector<std::string> nonDefault(std::span<const Field<Object>> fields, const Object& object,
                                    const Object& standard) {
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

Expected<MachineConfig> parseMachineJson(std::string_view text, const std::string& file) {
    if (text.size() > kMaxMachineText) {
        return fail(file, "the text is too long for a machine", bytesInWords(kMaxMachineText) + " is the most");
    }
    std::vector<Error> faults = jsonErrors(text, file);
    const json root = json::parse(text, nullptr, false);
    if (root.is_discarded()) return tl::unexpected(joinErrors(faults));
    return MachineReader(file, std::move(faults)).read(root);
}

std::string machineAsJson(const MachineConfig& machine) {
    std::vector<std::string> parts = nonDefault(machineFields(), machine, defaultMachine());
    if (machine.memory.isBounded()) {
        parts.push_back(R"("memory": )" + asObject(nonDefault(memoryFields(), machine.memory, defaultMemory())));
    }
    if (machine.tlb.entries != 0) {
        TlbConfig standard = defaultTlb();
        standard.entries = machine.tlb.entries;
        resolveWays(standard);
        parts.push_back(R"("tlb": )" + asObject(nonDefault(tlbFields(), machine.tlb, standard)));
    }
    if (machine.conventions != Conventions{}) {
        parts.push_back(R"("conventions": )" + asObject(nonDefault(conventionFields(), machine.conventions, {})));
    }
    std::vector<std::string> levels;
    levels.reserve(machine.levels.size());
    for (std::size_t i = 0; i < machine.levels.size(); ++i) {
        levels.push_back(
            asObject(nonDefault(levelFields(), machine.levels[i], defaultLevel(i, machine.levels.size()))));
    }
    parts.push_back(levels.empty() ? R"("levels": [])"
                                   : fmt::format("\"levels\": [\n        {}\n    ]", fmt::join(levels, ",\n        ")));
    return fmt::format("{{\n    {}\n}}\n", fmt::join(parts, ",\n    "));
}

}  // namespace whorl::sim
