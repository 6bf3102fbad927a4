// A machine as a JSON file. Every fault is collected, so that a person mends them in one go.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/machine/faults.h"
#include "sim/machine/machine_config.h"
#include "sim/machine/words.h"

namespace whorl::sim {

namespace {

using nlohmann::json;

const std::vector<std::string> kMachineKeys = {"name", "note", "source", "cpus", "levels"};
const std::vector<std::string> kLevelKeys = {"name", "size", "ways", "block"};

/// A value as it may stand in a sentence.
std::string shown(const json& value) {
    if (value.is_string()) return inQuotes(value.get_ref<const std::string&>());
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    return value.dump();
}

class Reader {
  public:
    explicit Reader(const std::string& file) : file_(file) {}

    Expected<MachineConfig> read(const json& root) {
        MachineConfig machine;
        if (!root.is_object()) {
            fault("", fmt::format("a machine is an object, not {}", shown(root)), R"(it opens with {"levels": [)");
        } else {
            readMachine(root, machine);
        }
        // What could not be read is told already; nothing can be said of how it goes with the rest.
        for (const Fault& f : unreadLevels_ ? std::vector<Fault>{} : faultsOf(machine)) {
            if (f.level == Fault::kWholeMachine) {
                fault(f.key, f.what, f.hint);
            } else if (!unread_.contains(f.level) && !(f.level > 0 && unread_.contains(f.level - 1))) {
                fault(fmt::format("levels[{}].{}", f.level, f.key), f.what, f.hint);
            }
        }
        if (!errors_.empty()) return tl::unexpected(joined(errors_));
        return machine;
    }

    void fault(const std::string& path, std::string what, std::string hint) {
        errors_.push_back({.where = path.empty() ? file_ : fmt::format("{}: {}", file_, path),
                           .what = std::move(what),
                           .hint = std::move(hint),
                           .cancelled = false});
    }

  private:
    void readMachine(const json& root, MachineConfig& machine) {
        checkKeys(root, "", kMachineKeys);
        machine.name = text(root, "", "name").value_or("");
        text(root, "", "note");
        text(root, "", "source");
        if (root.contains("cpus")) machine.cpus = number(root, "", "cpus").value_or(1);
        const auto levels = root.find("levels");
        unreadLevels_ = levels == root.end() || !levels->is_array();
        if (levels == root.end()) {
            fault("levels", "is missing", "give the levels from the CPU outward, as a list of objects");
        } else if (!levels->is_array()) {
            fault("levels", fmt::format("{} is not a list", shown(*levels)), "give the levels from the CPU outward");
        } else {
            for (const json& level : *levels) machine.levels.push_back(readLevel(level, machine.levels.size()));
        }
    }

    LevelConfig readLevel(const json& value, std::size_t index) {
        const std::string path = fmt::format("levels[{}]", index);
        LevelConfig level{.name = fmt::format("L{}", index + 1)};
        if (!value.is_object()) {
            fault(path, fmt::format("{} is not a level", shown(value)),
                  R"(a level is an object such as {"name": "L1", "size": "32K", "ways": 8, "block": 64})");
            unread_.insert(index);
        } else {
            const std::size_t before = errors_.size();
            if (auto name = text(value, path, "name")) level.name = *name;
            level.size = size(value, path, "size").value_or(0);
            level.ways = number(value, path, "ways").value_or(0);
            const auto block = size(value, path, "block");
            if (block && *block > ~std::uint32_t{0}) {
                fault(path + ".block", fmt::format("a block of {} bytes", *block),
                      fmt::format("a block is a power of two from 1 to {} bytes", kMaxBlockSize));
            }
            level.block = static_cast<std::uint32_t>(block.value_or(0));
            if (errors_.size() != before) unread_.insert(index);
            checkKeys(value, path, kLevelKeys);
        }
        return level;
    }

    void checkKeys(const json& object, const std::string& path, const std::vector<std::string>& known) {
        for (const auto& [key, value] : object.items()) {
            if (std::find(known.begin(), known.end(), key) != known.end()) continue;
            fault(path, fmt::format("the key {} is not known", inQuotes(key)),
                  didYouMean(key, known) + fmt::format("the keys here are {}", listed(known)));
        }
    }

    std::optional<std::string> text(const json& object, const std::string& path, const std::string& key) {
        const auto value = object.find(key);
        if (value == object.end()) return std::nullopt;
        if (value->is_string()) return value->get<std::string>();
        fault(inside(path, key), fmt::format("{} is not a text", shown(*value)), "put it in quotes");
        return std::nullopt;
    }

    std::optional<std::uint32_t> number(const json& object, const std::string& path, const std::string& key) {
        const auto value = object.find(key);
        if (value == object.end()) return missing(path, key);
        if (value->is_number_unsigned() && value->get<std::uint64_t>() <= ~std::uint32_t{0}) {
            return value->get<std::uint32_t>();
        }
        fault(inside(path, key), fmt::format("{} is not a whole number that can stand here", shown(*value)),
              "give one such as 8");
        return std::nullopt;
    }

    std::optional<std::uint64_t> size(const json& object, const std::string& path, const std::string& key) {
        const auto value = object.find(key);
        if (value == object.end()) return missing(path, key);
        if (value->is_number_unsigned()) return value->get<std::uint64_t>();
        if (value->is_string()) {
            if (auto bytes = bytesFrom(value->get_ref<const std::string&>())) return bytes;
        }
        fault(inside(path, key), fmt::format("{} is not a size", shown(*value)), std::string(kSizeHint));
        return std::nullopt;
    }

    std::nullopt_t missing(const std::string& path, const std::string& key) {
        fault(inside(path, key), "is missing", "a level has a size, ways and a block");
        return std::nullopt;
    }

    static std::string inside(const std::string& path, const std::string& key) {
        return path.empty() ? key : path + "." + key;
    }

    const std::string& file_;
    std::vector<Error> errors_;
    std::set<std::size_t> unread_;  ///< levels with faults of their own
    bool unreadLevels_ = true;
};

/// The line and column, from 1, of the byte at which the parser stopped.
std::pair<std::size_t, std::size_t> lineAndColumn(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, byte == 0 ? 0 : std::min(byte - 1, text.size()));
    const std::size_t lineStart = before.rfind('\n');
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    return {line, before.size() - (lineStart == std::string_view::npos ? 0 : lineStart + 1) + 1};
}

/// What the parser said, without its numbers: "unexpected end of input; expected ']'".
std::string reasonIn(std::string_view message) {
    const std::size_t at = message.find(" - ");
    if (at != std::string_view::npos) message.remove_prefix(at + 3);
    return std::string(message);
}

}  // namespace

Expected<MachineConfig> parseMachineJson(std::string_view text, const std::string& file) {
    Reader reader(file);
    std::vector<std::set<std::string>> keys;  ///< of the objects that are open, outermost first
    const json::parser_callback_t callback = [&](int, json::parse_event_t event, json& value) {
        if (event == json::parse_event_t::object_start) {
            keys.emplace_back();
        } else if (event == json::parse_event_t::object_end) {
            keys.pop_back();
        } else if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
            reader.fault("", fmt::format("the key {} stands twice in one object", shown(value)),
                         "leave one of them out");
        }
        return true;
    };
    try {
        return reader.read(json::parse(text, callback));
    } catch (const json::parse_error& e) {
        const auto [line, column] = lineAndColumn(text, e.byte);
        return fail(fmt::format("{}:{}:{}", file, line, column),
                    fmt::format("this is not JSON: {}", reasonIn(e.what())), "mend it here or shortly before");
    } catch (const json::exception& e) {
        return fail(file, fmt::format("this is not JSON: {}", reasonIn(e.what())));
    }
}

}  // namespace whorl::sim
