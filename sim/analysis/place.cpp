#include "sim/analysis/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/text.h"
#include "sim/cache/cache.h"
#include "sim/trace/memory_names.h"

namespace whorl::sim {

namespace {

constexpr const char* kHint =
    "write a variable as B or B[3][4], an address as 0x1040 or 0x1040+64, a cell of a cache as L1:set:way";

Expected<Place> memory(std::string_view words, std::uint64_t from, std::uint64_t bytes) {
    if (bytes == 0) return fail("", fmt::format("{} has no bytes", quotedText(words)), "give at least one");
    if (from + (bytes - 1) < from) {
        return fail("", fmt::format("{} reaches beyond the end of the address space", quotedText(words)));
    }
    return Place{.from = ByteAddress{from}, .bytes = bytes};
}

/// "0x1040" or "0x1040+64"; nothing if the text is not of this form.
std::optional<Expected<Place>> addressNamed(std::string_view words) {
    const std::size_t plus = words.find('+');
    const auto from = numberNamed(trimmed(words.substr(0, plus)));
    if (!from) return std::nullopt;
    if (plus == std::string_view::npos) return memory(words, *from, 1);
    const auto bytes = numberNamed(trimmed(words.substr(plus + 1)));
    if (!bytes) return std::nullopt;
    return memory(words, *from, *bytes);
}

/// "L1:3:0" or "L1@2:3:0"; nothing if the text does not begin as such.
class CacheCellName {
  public:
    CacheCellName(std::string_view words, const MachineConfig& machine) : words_(words), machine_(machine) {}

    std::optional<Expected<Place>> find() const {
        const std::size_t colon = words_.find(':');
        if (colon == std::string_view::npos) return std::nullopt;
        const std::string_view of = words_.substr(0, colon);
        const std::size_t at = of.find('@');
        const auto& levels = machine_.levels;
        const auto level = std::find_if(levels.begin(), levels.end(), [&](const LevelConfig& l) {
            return sameName(l.name, trimmed(of.substr(0, at)));
        });
        if (level == levels.end()) return std::nullopt;
        std::uint64_t cpu = 0;
        if (at != std::string_view::npos) {
            const auto number = wholeNumber(trimmed(of.substr(at + 1)));
            if (!number) return wrongForm();
            cpu = *number;
        }
        return in(static_cast<std::size_t>(level - levels.begin()), cpu, words_.substr(colon + 1));
    }

  private:
    tl::unexpected<Error> wrongForm() const {
        return fail("", fmt::format("{} is no cell of a cache", quotedText(words_)),
                    "write L1:set:way or L1@cpu:set:way");
    }
    /// The error for a number that is too large: `count` things exist, numbered from 0.
    tl::unexpected<Error> tooMany(const std::string& has, std::string_view thing, std::uint64_t number,
                                  std::uint64_t count) const {
        return fail("", fmt::format("{} has no {} {}", has, thing, number), fmt::format("it has {}, from 0", count));
    }

    Expected<Place> in(std::size_t level, std::uint64_t cpu, std::string_view numbers) const {
        const LevelConfig& of = machine_.levels[level];
        const std::size_t colon = numbers.find(':');
        if (colon == std::string_view::npos) return wrongForm();
        const auto set = wholeNumber(trimmed(numbers.substr(0, colon)));
        const auto way = wholeNumber(trimmed(numbers.substr(colon + 1)));
        if (!set || !way) return wrongForm();
        if (cpu >= machine_.cpus) return tooMany("the machine", "CPU", cpu, machine_.cpus);
        if (*set >= of.sets()) return tooMany(of.name, "set", *set, of.sets());
        if (*way >= of.ways) return tooMany("a set of " + of.name, "way", *way, of.ways);
        return Place{.kind = Place::Kind::cache,
                     .level = static_cast<std::uint8_t>(level),
                     .cache = static_cast<std::uint8_t>(machine_.cacheOf(level, static_cast<std::uint32_t>(cpu))),
                     .set = SetIndex{static_cast<std::uint32_t>(*set)},
                     .way = WayIndex{static_cast<std::uint32_t>(*way)}};
    }

    std::string_view words_;
    const MachineConfig& machine_;
};

/// The names that a place in memory may have, the best first.
std::vector<std::string> candidates(const Place& place, const Trace& trace) {
    std::vector<std::string> out;
    // What a word is a part of: "orders[12].id", "orders[12]".
    const auto addParts = [&](std::string word) {
        while (!word.empty()) {
            out.push_back(word);
            const std::size_t part = word.find_last_of("[.");
            word.resize(part == std::string::npos ? 0 : part);
        }
    };
    const auto& objects = trace.objects();
    const std::size_t region = trace.regionAt(place.from);
    if (region < trace.regions().size()) out.push_back(trace.regions()[region].name);
    const auto above = std::upper_bound(objects.begin(), objects.end(), place.from,
                                        [](ByteAddress a, const Object& b) { return a < b.base; });
    if (above != objects.begin() && place.from.value - std::prev(above)->base.value < std::prev(above)->size) {
        addParts(trace.placeIn(*std::prev(above), place.from));
    }
    if (region < trace.regions().size()) addParts(trace.placeInRegion(place.from));
    for (auto o = std::lower_bound(objects.begin(), objects.end(), place.from,
                                   [](const Object&a, ByteAddress b) { return a.base < b; });
         o != objects.end() && o->base == place.from; ++o) {
        if (o->size == place.bytes) out.push_back(o->name);
    }
    return out;
}

}  // namespace

bool holds(const Place& place, ByteAddress from, std::uint64_t bytes, const MachineConfig& machine) {
    if (place.kind == Place::Kind::memory) return overlap(place.from, place.bytes, from, bytes);
    const LevelConfig& level = machine.levels[place.level];
    const std::uint64_t first = from.value / level.block;
    const std::uint64_t blocks = (from.value + (bytes - 1)) / level.block - first + 1;
    const Sets sets(level.sets());
    return blocks >= sets.count() || (place.set.value + sets.count() - sets.of(first)) % sets.count() < blocks;
}

Expected<Place> placeNamed(std::string_view words, const Trace& trace, const MachineConfig& machine) {
    words = trimmed(words);
    if (words.empty()) return fail("", "a place is needed", kHint);
    if (const auto named = memoryNamed(words, trace)) {
        return named->and_then([&](const NamedMemory& found) { return memory(words, found.from.value, found.bytes); });
    }
    if (auto place = addressNamed(words)) return *std::move(place);
    if (auto place = CacheCellName(words, machine).find()) return *std::move(place);
    return fail("", fmt::format("{} is no place of this trace or machine", quotedText(words)), kHint);
}

std::string nameOf(const Place& place, const Trace& trace, const MachineConfig& machine) {
    if (place.kind == Place::Kind::cache) {
        const std::string cpu = machine.caches(place.level) > 1
                                    ? fmt::format("@{}", machine.firstCpu(place.level, place.cache))
                                    : std::string();
        return fmt::format("{}{}:{}:{}", machine.levels[place.level].name, cpu, place.set.value, place.way.value);
    }
    for (const std::string& name : candidates(place, trace)) {
        if (const auto found = placeNamed(name, trace, machine); found && *found == place) return name;
    }
    return place.bytes == 1 ? fmt::format("{:#x}", place.from.value)
                            : fmt::format("{:#x}+{}", place.from.value, place.bytes);
}

std::string inWords(const Place& place, const Trace& trace, const MachineConfig& machine, Tick at) {
    if (place.kind == Place::Kind::cache) {
        return fmt::format("{}, set {}, way {}", cacheInWords(machine, place.level, place.cache), place.set.value,
                           place.way.value);
    }
    std::string first = trace.placeOf(place.from, at);
    const std::string last = trace.placeOf(place.last(), at);
    return first == last ? first : fmt::format("{} … {}", first, last);
}

std::string cacheInWords(const MachineConfig& machine, std::size_t level, std::uint32_t cache) {
    const std::string& name = machine.levels[level].name;
    return machine.caches(level) > 1 ? fmt::format("{} of CPU {}", name, machine.firstCpu(level, cache)) : name;
}

}  // namespace whorl::sim
