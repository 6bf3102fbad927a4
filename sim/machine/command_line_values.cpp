// Machines on the command line: geometries such as "32K/8/64", assignments such as "L2.policy=fifo", and the value
// lists of sweeps.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/machine/config_schema.h"
#include "sim/machine/machine_config.h"
#include "sim/machine/validation.h"

namespace whorl::sim {

namespace {

constexpr std::size_t kMaxValues = 10'000;
constexpr std::string_view kLevels = "levels";

bool sameLetters(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

/// A parsed assignment such as "L2.policy=fifo".
class Assignment {
  public:
    Assignment(std::string_view place, std::string_view words) : place_(place), value_(jsonOfWords(words)) {
        const std::size_t dot = place.rfind('.');
        owner_ = dot == std::string_view::npos ? "" : trimmed(place.substr(0, dot));
        key_ = dot == std::string_view::npos ? place : trimmed(place.substr(dot + 1));
        if (hasText(key_)) value_ = words;
    }

    Expected<void> applyTo(MachineConfig& machine) {
        if (owner_.empty() && key_ == kLevels) return setLevels(machine);
        if (owner_.empty()) {
            if (const auto* field = fieldOf(machineFields(), key_)) return set(*field, machine);
        }
        if (owner_.empty() || owner_ == "conventions") {
            if (const auto* field = fieldOf(conventionFields(), key_)) return set(*field, machine.conventions);
        }
        if (owner_ == "tlb") {
            if (const auto* field = fieldOf(tlbFields(), key_)) return setInTlb(*field, machine);
        }
        if (owner_ == "memory") {
            if (const auto* field = fieldOf(memoryFields(), key_)) return setInMemory(*field, machine);
        }
        return setInLevels(machine);
    }

  private:
    template <class Object>
    Expected<void> set(const Field<Object>& field, Object& object) {
        JsonFaults faults{std::string(place_)};
        if (field.set(object, {value_, "", faults})) return {};
        return tl::unexpected(faults.errors.front());
    }

    /// Levels that are added hold eight times as much as the one before them.
    Expected<void> setLevels(MachineConfig& machine) {
        if (!value_.is_number_unsigned() || value_ > kMaxLevels) {
            return fail(std::string(place_), fmt::format("{} is not a number of levels", shownValue(value_)),
                        fmt::format("give 0 to {}", kMaxLevels));
        }
        auto& levels = machine.levels;
        const auto wanted = value_.get<std::size_t>();
        if (wanted < levels.size()) levels.resize(wanted);
        while (levels.size() < wanted) {
            LevelConfig level = defaultLevel(levels.size(), wanted);
            level.size = std::uint64_t{32} * 1024;
            level.ways = 8;
            level.block = 64;
            if (!levels.empty()) {
                const LevelConfig& nearer = levels.back();
                const std::uint64_t most = kMaxBlocksPerLevel / std::max(1u, machine.cpus) * nearer.block;
                const std::uint64_t way = std::max<std::uint64_t>(1, std::uint64_t{nearer.ways} * nearer.block);
                level.size = std::max(nearer.size, std::min(8 * nearer.size, most / way * way));
                level.ways = nearer.ways;
                level.block = nearer.block;
            }
            if (!levels.empty() && levels.back().sharedBy == 0) level.sharedBy = 0;
            levels.push_back(std::move(level));
        }
        return {};
    }

    Expected<void> setInTlb(const Field<TlbConfig>& field, MachineConfig& machine) {
        TlbConfig& tlb = machine.tlb;
        const bool entries = field.key == "entries";
        if (!entries && tlb.entries == 0) {
            return fail(std::string(place_), "this machine has no TLB", "give it one first, as with tlb.entries=64");
        }
        if (entries && tlb.entries == 0) {
            tlb = defaultTlb();
            if (machine.memory.isBounded()) tlb.page = machine.memory.page;
        }
        if (entries && tlb.ways == tlb.entries) tlb.ways = kAllWays;
        auto done = set(field, tlb);
        resolveWays(tlb);
        if (field.key == "page" && machine.memory.isBounded()) machine.memory.page = tlb.page;
        if (tlb.entries == 0) tlb = {};
        return done;
    }

    Expected<void> setInMemory(const Field<MemoryConfig>& field, MachineConfig& machine) {
        MemoryConfig& memory = machine.memory;
        const bool size = field.key == "size";
        if (!size && !memory.isBounded()) {
            return fail(std::string(place_), "the memory of this machine is not bounded",
                        "give it a size first, as with memory.size=4M");
        }
        if (size && !memory.isBounded()) {
            memory = defaultMemory();
            if (machine.tlb.entries != 0) memory.page = machine.tlb.page;
        }
        auto done = set(field, memory);
        if (field.key == "page" && machine.tlb.entries != 0) machine.tlb.page = memory.page;
        if (!memory.isBounded()) memory = {};
        return done;
    }

    Expected<void> setInLevels(MachineConfig& machine) {
        const auto levels = levelsOf(machine);
        if (levels.empty()) return noLevel(machine);
        const auto* field = fieldOf(levelFields(), key_);
        if (field == nullptr) return noKey();
        for (LevelConfig* level : levels) {
            WHORL_TRY(set(*field, *level));
            resolveWays(*level);
        }
        return {};
    }

    /// The levels the assignment refers to: by exact name if one matches, else ignoring case.
    std::vector<LevelConfig*> levelsOf(MachineConfig& machine) const {
        const auto named = [&](const LevelConfig& level) { return level.name == owner_; };
        const bool exactly = std::any_of(machine.levels.begin(), machine.levels.end(), named);
        std::vector<LevelConfig*> levels;
        levels.reserve(machine.levels.size());
        for (LevelConfig& level : machine.levels) {
            if (owner_.empty()) {
                levels.push_back(&level);
                break;
            }
            const bool meant = exactly ? named(level) : sameLetters(level.name, owner_);
            if (meant || owner_ == "*") levels.push_back(&level);
        }
        return levels;
    }

    tl::unexpected<Error> noLevel(const MachineConfig& machine) const {
        if (owner_ == "tlb") return unknownKey(keysOf(tlbFields()), "the keys of a TLB are");
        if (owner_ == "memory") return unknownKey(keysOf(memoryFields()), "the keys of a memory are");
        if (owner_ == "conventions") return unknownKey(keysOf(conventionFields()), "the conventions are");
        if (machine.levels.empty() && fieldOf(levelFields(), key_) != nullptr) {
            return fail(std::string(place_), "this machine has no caches", "give it some first, as with levels=1");
        }
        std::vector<std::string> names;
        names.reserve(machine.levels.size() + 1);
        for (const LevelConfig& level : machine.levels) names.push_back(level.name);
        const std::string hint = didYouMean(owner_, names);
        names.emplace_back("* for all");
        return fail(std::string(place_), fmt::format("there is no level {}", quotedText(owner_)),
                    fmt::format("{}the levels are {}", hint, joinNames(names)));
    }

    tl::unexpected<Error> noKey() const {
        std::vector<std::string> keys = keysOf(levelFields());
        if (!owner_.empty()) {
            const bool ofMachine = fieldOf(machineFields(), key_) != nullptr;
            if (!ofMachine) return unknownKey(keys, "the keys of a level are");
            return fail(std::string(place_), fmt::format("{} is not a level's", quotedText(key_)),
                        fmt::format("it is the machine's: write {}=", key_));
        }
        std::vector<std::string> ofMachine = keysOf(machineFields());
        ofMachine.emplace_back(kLevels);
        for (const std::string& key : keysOf(memoryFields())) ofMachine.push_back("memory." + key);
        for (const std::string& key : keysOf(tlbFields())) ofMachine.push_back("tlb." + key);
        for (std::string& key : keysOf(conventionFields())) ofMachine.push_back(std::move(key));
        const std::string ending = fmt::format("; those of the machine are {}", joinNames(ofMachine));
        std::vector<std::string> all = keys;
        all.insert(all.end(), ofMachine.begin(), ofMachine.end());
        return fail({}, fmt::format("the key {} is not known", quotedText(key_)),
                    fmt::format("{}the keys of a level are {}{}", didYouMean(key_, all), joinNames(keys), ending));
    }

    tl::unexpected<Error> unknownKey(const std::vector<std::string>& known, std::string_view these) const {
        return fail(std::string(place_), fmt::format("the key {} is not known", quotedText(key_)),
                    fmt::format("{}{} {}", didYouMean(key_, known), these, joinNames(known)));
    }

    std::string_view place_;  ///< everything before "="
    std::string_view owner_;  ///< everything before its last dot: a level's name, "*", "memory", "tlb" or "conventions"
    std::string_view key_;
    nlohmann::json value_;
};

// --- values of a sweep
// -------------------------------------------------------------------------------------------------

constexpr std::string_view kValuesHint =
    "give a list such as 1,2,4,8, or a range from:to:xFACTOR or from:to:+STEP, such as 16K:1M:x2 or 1:8:+1";

tl::unexpected<Error> notValues(std::string_view text, std::string_view why) {
    return fail({}, fmt::format("{} {}", quotedText(text), why), std::string(kValuesHint));
}

Expected<void> addRange(std::string_view text, std::vector<std::string>& values) {
    const std::size_t first = text.find(':');
    const std::size_t second = text.find(':', first + 1);
    if (second == std::string_view::npos) return notValues(text, "lacks the factor or step of its range");
    const std::string_view fromWords = trimmed(text.substr(0, first));
    const std::string_view toWords = trimmed(text.substr(first + 1, second - first - 1));
    const std::string_view step = trimmed(text.substr(second + 1));
    const auto from = parseBytes(fromWords);
    const auto to = parseBytes(toWords);
    const bool factor = step.starts_with('x');
    const auto number = parseBytes(step.substr(step.empty() ? 0 : 1));
    if (!from || !to || !number || (!factor && !step.starts_with('+')))
        return notValues(text, "is not a range of numbers");
    const std::uint64_t by = *number;
    if (*from > *to) return notValues(text, "goes down: a range goes up");
    if (factor ? by < 2 || *from == 0 : by == 0) return notValues(text, "would never end");
    const bool sizes = !wholeNumber(fromWords) || !wholeNumber(toWords);
    for (std::uint64_t value = *from;;) {
        if (values.size() == kMaxValues) return notValues(text, fmt::format("makes more than {} values", kMaxValues));
        values.push_back(sizes ? formatBytes(value) : fmt::format("{}", value));
        if (factor ? value > *to / by : by > *to - value) return {};
        value = factor ? value * by : value + by;
    }
}

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

/// The number behind a letter at the front of a text, which is removed with it; nothing if that is not there.
std::optional<std::uint32_t> takeNumber(std::string_view& text, char letter) {
    if (!text.starts_with(letter)) return std::nullopt;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    const auto number = smallNumber(text.substr(1, end - 1));
    text.remove_prefix(end);
    return number;
}

/// "s4E2b4": 2 to the power of 4 sets of 2 ways, blocks of 2 to the power of 4 bytes. Nothing for any other form.
std::optional<LevelConfig> levelOfBits(std::string_view text, LevelConfig level) {
    constexpr std::uint32_t kMaxBits = 31;
    const auto sets = takeNumber(text, 's');
    const auto ways = takeNumber(text, 'E');
    const auto offset = takeNumber(text, 'b');
    if (!sets || !ways || !offset || !text.empty() || *sets > kMaxBits || *offset > kMaxBits) return std::nullopt;
    level.ways = *ways;
    level.block = std::uint32_t{1} << *offset;
    level.size = (std::uint64_t{*ways} << *sets) << *offset;
    return level;
}

/// "32K/8/64".
Expected<LevelConfig> parseLevel(std::string_view text, std::size_t number, std::size_t levels) {
    const std::string where = fmt::format("level {} of the geometry", number);
    if (text.empty()) return notAGeometry(where + " is empty");
    if (const auto level = levelOfBits(text, defaultLevel(number - 1, levels))) return *level;
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
    const auto ways = sameLetters(parts[1], "full") ? kAllWays : smallNumber(parts[1]);
    if (!ways) return notAGeometry(fmt::format("{}: {} is not a number of ways", where, quotedText(parts[1])));
    const auto block = parseBytes(parts[2]);
    if (!block || *block > ~std::uint32_t{0}) {
        return notAGeometry(fmt::format("{}: {} is not a block size", where, quotedText(parts[2])));
    }
    LevelConfig level = defaultLevel(number - 1, levels);
    level.size = *size;
    level.ways = *ways;
    level.block = static_cast<std::uint32_t>(*block);
    resolveWays(level);
    return level;
}

}  // namespace

Expected<MachineConfig> parseGeometry(std::string_view text) {
    if (trimmed(text).empty()) return notAGeometry("the geometry is empty");
    MachineConfig machine = defaultMachine();
    const auto parts = split(text, ',');
    machine.levels.reserve(parts.size());
    for (const std::string_view part : parts) {
        machine.levels.push_back(WHORL_TRY(parseLevel(part, machine.levels.size() + 1, parts.size())));
    }
    machine.name = geometryOf(machine);
    return checked(std::move(machine), {});
}

Expected<MachineConfig> withValue(MachineConfig machine, std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    const std::string_view place = trimmed(assignment.substr(0, equals));
    if (equals == std::string_view::npos || place.empty()) {
        return fail({}, fmt::format("{} does not set a value", quotedText(assignment)),
                    "write a key, =, and the value, as in L2.policy=fifo or cpus=4");
    }
    WHORL_TRY(Assignment(place, trimmed(assignment.substr(equals + 1))).applyTo(machine));
    return machine;
}

std::optional<std::string> valueIn(const MachineConfig& machine, std::string_view place) {
    const std::size_t dot = place.rfind('.');
    const std::string_view owner = dot == std::string_view::npos ? "" : trimmed(place.substr(0, dot));
    const std::string_view key = dot == std::string_view::npos ? place : trimmed(place.substr(dot + 1));
    std::optional<std::string> found;
    const auto look = [&](const auto& fields, const auto& object) {
        const auto* const field = found ? nullptr : fieldOf(fields, key);
        if (field == nullptr) return;
        const nlohmann::ordered_json value = field->get(object);
        found = value.is_string() ? value.get<std::string>() : value.dump();
    };
    if (owner.empty() && key == kLevels) return fmt::format("{}", machine.levels.size());
    if (owner.empty()) look(machineFields(), machine);
    if (owner.empty() || owner == "conventions") look(conventionFields(), machine.conventions);
    if (owner == "tlb") look(tlbFields(), machine.tlb);
    if (owner == "memory") look(memoryFields(), machine.memory);
    for (const LevelConfig& level : machine.levels) {
        if (owner.empty() || owner == level.name) look(levelFields(), level);
    }
    for (const LevelConfig& level : machine.levels) {
        if (sameLetters(owner, level.name)) look(levelFields(), level);
    }
    return found;
}

Expected<std::vector<std::string>> parseSweepValues(std::string_view text) {
    std::vector<std::string> values;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string_view part = trimmed(text.substr(at, end - at));
        if (part.empty()) return notValues(text, "has an empty value");
        if (part.find(':') != std::string_view::npos) {
            WHORL_TRY(addRange(part, values));
        } else if (values.size() == kMaxValues) {
            return notValues(text, fmt::format("makes more than {} values", kMaxValues));
        } else {
            values.emplace_back(part);
        }
        at = end + 1;
    }
    return values;
}

}  // namespace whorl::sim
