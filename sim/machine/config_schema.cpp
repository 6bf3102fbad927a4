#include "sim/machine/config_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "sim/base/json_rows.h"
#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/machine/policies.h"
#include "sim/machine/validation.h"

namespace whorl::sim {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// The keywords for an enumerated field, and the noun for its values in error messages.
template <class T>
struct Words {
    struct Word {
        std::string_view word;
        T value;
    };
    std::string_view noun;
    std::span<const Word> words;
};

constexpr auto kPolicyWords = [] {
    std::array<Words<Policy>::Word, std::size(kPolicyRows)> words;
    std::transform(std::begin(kPolicyRows), std::end(kPolicyRows), words.begin(), [](const PolicyRow& row) {
        return Words<Policy>::Word{row.word, row.policy};
    });
    return words;
}();
constexpr Words<Policy> kPolicies = {"policy", kPolicyWords};

constexpr Words<Inclusion>::Word kInclusionWords[] = {
    {"none", Inclusion::none}, {"inclusive", Inclusion::inclusive}, {"exclusive", Inclusion::exclusive}};
constexpr Words<Inclusion> kInclusions = {"kind of inclusion", kInclusionWords};

constexpr Words<Prefetcher>::Word kPrefetcherWords[] = {
    {"none", Prefetcher::none}, {"next-line", Prefetcher::nextLine}, {"stride", Prefetcher::stride}};
constexpr Words<Prefetcher> kPrefetchers = {"prefetcher", kPrefetcherWords};

constexpr Words<Protocol>::Word kProtocolWords[] = {
    {"none", Protocol::none}, {"msi", Protocol::msi}, {"mesi", Protocol::mesi}};
constexpr Words<Protocol> kProtocols = {"protocol", kProtocolWords};

constexpr Words<bool>::Word kWriteWords[] = {{"back", false}, {"through", true}};
constexpr Words<bool> kWrites = {"write policy", kWriteWords};

// --- the kinds of rows
// -------------------------------------------------------------------------------------------------

std::optional<std::uint64_t> bytesIn(const json& value) {
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    return value.is_string() ? parseBytes(value.get_ref<const std::string&>()) : std::nullopt;
}

template <class Object, class Number>
Field<Object> number(std::string key, Number Object::*member, std::string needed = {}) {
    return {std::move(key), std::move(needed),
            [=](Object& object, const JsonPlace& place) {
                const json& value = place.value;
                if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<Number>::max()) {
                    return place.isNot("a valid whole number", "use a whole number such as 8");
                }
                object.*member = value.get<Number>();
                return true;
            },
            [=](const Object& object) -> ordered_json { return object.*member; }};
}

template <class Object, class Number>
Field<Object> size(std::string key, Number Object::*member, std::string needed = {}) {
    return {std::move(key), std::move(needed),
            [=](Object& object, const JsonPlace& place) {
                const auto bytes = bytesIn(place.value);
                if (!bytes) return place.isNot("a size", std::string(kSizeHint));
                if (*bytes > std::numeric_limits<Number>::max()) {
                    return place.fault(shownValue(place.value) + " is too large", "give a power of two such as 64");
                }
                object.*member = static_cast<Number>(*bytes);
                return true;
            },
            [=](const Object& object) -> ordered_json { return jsonOfWords(formatBytes(object.*member)); }};
}

template <class Object, class T>
Field<Object> word(std::string key, T Object::*member, const Words<T>& of) {
    std::vector<std::string> known;
    for (const auto& [word, meaning] : of.words) known.emplace_back(word);
    return {std::move(key),
            {},
            [=](Object& object, const JsonPlace& place) {
                const json& value = place.value;
                for (const auto& [word, meaning] : of.words) {
                    if (value != word) continue;
                    object.*member = meaning;
                    return true;
                }
                const std::string given = value.is_string() ? value.get<std::string>() : value.dump();
                return place.isNot(fmt::format("a {}", of.noun),
                                   fmt::format("{}it must be {}", didYouMean(given, known), joinNames(known, "or")));
            },
            [=](const Object& object) -> ordered_json {
                return std::ranges::find(of.words, object.*member, &Words<T>::Word::value)->word;
            },
            known};
}

/// A number of ways, or "full" for a fully associative cache.
template <class Object>
Field<Object> ways(std::string needed = {}) {
    return {"ways", std::move(needed),
            [](Object& object, const JsonPlace& place) {
                const json& value = place.value;
                const bool isNumber = value.is_number_unsigned() && value.get<std::uint64_t>() < kAllWays;
                if (!isNumber && value != "full") {
                    return place.isNot("a number of ways",
                                       "give a whole number such as 8, or \"full\" for a fully associative cache");
                }
                object.ways = isNumber ? value.get<std::uint32_t>() : kAllWays;
                return true;
            },
            [](const Object& object) -> ordered_json { return object.ways; }};
}

bool setSharedBy(LevelConfig& level, const JsonPlace& place) {
    const json& value = place.value;
    const bool isNumber =
        value.is_number_unsigned() && value.get<std::uint64_t>() >= 1 && value.get<std::uint64_t>() <= kMaxCpus;
    if (!isNumber && value != "all") {
        return place.isNot("a number of CPUs that share a cache",
                           fmt::format("give one from 1 to {}, or \"all\"", kMaxCpus));
    }
    level.sharedBy = isNumber ? value.get<std::uint32_t>() : 0;
    return true;
}

ordered_json getSharedBy(const LevelConfig& level) {
    return level.sharedBy == 0 ? ordered_json("all") : ordered_json(level.sharedBy);
}

}  // namespace

// --- the tables
// --------------------------------------------------------------------------------------------------------

Fields<MachineConfig> machineFields() {
    using M = MachineConfig;
    static const std::vector<Field<M>> kFields = {
        row::text("name", &M::name),
        row::text("note", &M::note),
        row::text("source", &M::source),
        number("cpus", &M::cpus),
        word("protocol", &M::protocol, kProtocols),
        number("memory_latency", &M::memoryLatency),
        number("upgrade_latency", &M::upgradeLatency),
        number("writeback_latency", &M::writebackLatency),
    };
    return kFields;
}

Fields<LevelConfig> levelFields() {
    using L = LevelConfig;
    constexpr const char* kOfALevel = "a level has a size, ways and a block";
    static const std::vector<Field<L>> kFields = {
        row::text("name", &L::name),
        size("size", &L::size, kOfALevel),
        ways<L>(kOfALevel),
        size("block", &L::block, kOfALevel),
        {"shared_by", {}, setSharedBy, getSharedBy},
        word("policy", &L::policy, kPolicies),
        number("seed", &L::seed),
        word("write", &L::writeThrough, kWrites),
        row::flag("allocate", &L::allocate),
        word("inclusion", &L::inclusion, kInclusions),
        word("prefetch", &L::prefetch, kPrefetchers),
        number("degree", &L::degree),
        number("latency", &L::latency),
    };
    return kFields;
}

Fields<MemoryConfig> memoryFields() {
    using M = MemoryConfig;
    static const std::vector<Field<M>> kFields = {
        size("size", &M::size, "a memory of bounded size has a size"),
        size("page", &M::page),
        number("fault", &M::fault),
    };
    return kFields;
}

Fields<TlbConfig> tlbFields() {
    using T = TlbConfig;
    static const std::vector<Field<T>> kFields = {
        number("entries", &T::entries, "a TLB has a number of entries"),
        ways<T>(),
        size("page", &T::page),
        number("walk", &T::walk),
    };
    return kFields;
}

Fields<Conventions> conventionFields() {
    using C = Conventions;
    static const std::vector<Field<C>> kFields = {
        row::flag("writeback_first", &C::writebackFirst),
        row::flag("modify_counts_once", &C::modifyCountsOnce),
        row::flag("straddle_counts_once", &C::straddleCountsOnce),
        row::flag("full_write_fetches", &C::fullWriteFetches),
    };
    return kFields;
}

json jsonOfWords(std::string_view words) {
    if (const auto number = wholeNumber(words)) return *number;
    if (words == "true" || words == "false") return words == "true";
    return words;
}

MachineConfig defaultMachine() {
    MachineConfig machine;
    machine.memoryLatency = 200;
    machine.upgradeLatency = 30;
    return machine;
}

LevelConfig defaultLevel(std::size_t index, std::size_t levels) {
    constexpr std::uint32_t kLatencies[] = {4, 14, 40};
    LevelConfig level;
    level.name = fmt::format("L{}", index + 1);
    level.sharedBy = index > 0 && index + 1 == levels ? 0 : 1;
    level.latency = index < std::size(kLatencies) ? kLatencies[index]
                                                  : 20 * static_cast<std::uint32_t>(std::min(index, kMaxLevels));
    return level;
}

MemoryConfig defaultMemory() {
    return {.size = 0, .page = 4096, .fault = 100'000};
}

TlbConfig defaultTlb() {
    return {.entries = 0, .ways = kAllWays, .page = 4096, .walk = 30};
}

void resolveWays(LevelConfig& level) {
    if (level.ways != kAllWays) return;
    const std::uint64_t blocks = level.block == 0 ? 0 : level.blocks();
    level.ways = static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, kAllWays - 1));
}

void resolveWays(TlbConfig& tlb) {
    if (tlb.ways == kAllWays) tlb.ways = std::min(tlb.entries, kAllWays - 1);
}

}  // namespace whorl::sim
