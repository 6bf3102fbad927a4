#include "sim/machine/config_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/machine/policies.h"
#include "sim/machine/validation.h"

namespace whorl::sim {

namespace {

using ValueKind = Value::Kind;

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

// --- setters and getters, by the kind of the member
// --------------------------------------------------------------------

template <auto kMember, class Object>
std::optional<ValueError> setNumber(Object& object, const Value& value) {
    using Number = std::remove_reference_t<decltype(object.*kMember)>;
    if (value.kind != ValueKind::number || value.number > std::numeric_limits<Number>::max()) {
        return ValueError{value.shown + " is not a valid whole number", "use a whole number such as 8"};
    }
    object.*kMember = static_cast<Number>(value.number);
    return std::nullopt;
}

template <auto kMember, class Object>
Value getNumber(const Object& object) {
    return Value::ofNumber(object.*kMember);
}

std::optional<std::uint64_t> bytesIn(const Value& value) {
    if (value.kind == ValueKind::number) return value.number;
    return value.kind == ValueKind::text ? parseBytes(value.text) : std::nullopt;
}

template <auto kMember, class Object>
std::optional<ValueError> setSize(Object& object, const Value& value) {
    using Number = std::remove_reference_t<decltype(object.*kMember)>;
    const auto bytes = bytesIn(value);
    if (!bytes) return ValueError{value.shown + " is not a size", std::string(kSizeHint)};
    if (*bytes > std::numeric_limits<Number>::max()) {
        return ValueError{fmt::format("{} is too large", value.shown), "give a power of two such as 64"};
    }
    object.*kMember = static_cast<Number>(*bytes);
    return std::nullopt;
}

template <auto kMember, class Object>
Value getSize(const Object& object) {
    return Value::fromWords(formatBytes(object.*kMember));
}

template <auto kMember, class Object>
std::optional<ValueError> setFlag(Object& object, const Value& value) {
    if (value.kind != ValueKind::flag)
        return ValueError{value.shown + " is neither true nor false", "write true or false"};
    object.*kMember = value.flag;
    return std::nullopt;
}

template <auto kMember, class Object>
Value getFlag(const Object& object) {
    return Value::fromWords(object.*kMember ? "true" : "false");
}

template <auto kMember, class Object>
std::optional<ValueError> setText(Object& object, const Value& value) {
    if (value.kind != ValueKind::text) return ValueError{value.shown + " is not a text", "put it in quotes"};
    object.*kMember = value.text;
    return std::nullopt;
}

template <auto kMember, class Object>
Value getText(const Object& object) {
    return Value::ofText(object.*kMember);
}

template <auto kMember, const auto& kWords, class Object>
std::optional<ValueError> setWord(Object& object, const Value& value) {
    std::vector<std::string> known;
    known.reserve(kWords.words.size());
    for (const auto& [word, meaning] : kWords.words) {
        if (value.kind == ValueKind::text && value.text == word) {
            object.*kMember = meaning;
            return std::nullopt;
        }
        known.emplace_back(word);
    }
    return ValueError{fmt::format("{} is not a {}", value.shown, kWords.noun),
                      fmt::format("{}it must be {}", didYouMean(value.text, known), joinNames(known, "or"))};
}

template <auto kMember, const auto& kWords, class Object>
Value getWord(const Object& object) {
    for (const auto& [word, meaning] : kWords.words) {
        if (object.*kMember == meaning) return Value::ofText(word);
    }
    return {};
}

/// A number of ways, or "full" for a fully associative cache.
template <class Object>
std::optional<ValueError> setWays(Object& object, const Value& value) {
    if (value.kind == ValueKind::text && value.text == "full") {
        object.ways = kAllWays;
    } else if (value.kind == ValueKind::number && value.number < kAllWays) {
        object.ways = static_cast<std::uint32_t>(value.number);
    } else {
        return ValueError{value.shown + " is not a number of ways",
                          "give a whole number such as 8, or \"full\" for a fully associative cache"};
    }
    return std::nullopt;
}

std::optional<ValueError> setSharedBy(LevelConfig& level, const Value& value) {
    if (value.kind == ValueKind::text && value.text == "all") {
        level.sharedBy = 0;
    } else if (value.kind == ValueKind::number && value.number >= 1 && value.number <= kMaxCpus) {
        level.sharedBy = static_cast<std::uint32_t>(value.number);
    } else {
        return ValueError{value.shown + " is not a number of CPUs that share a cache",
                          fmt::format("give one from 1 to {}, or \"all\"", kMaxCpus)};
    }
    return std::nullopt;
}

Value getSharedBy(const LevelConfig& level) {
    return level.sharedBy == 0 ? Value::ofText("all") : Value::ofNumber(level.sharedBy);
}

// --- the tables
// --------------------------------------------------------------------------------------------------------

template <auto kMember, class Object>
Field<Object> number(std::string key, bool needed = false) {
    return {std::move(key), needed, setNumber<kMember, Object>, getNumber<kMember, Object>};
}
template <auto kMember, class Object>
Field<Object> size(std::string key, bool needed = false) {
    return {std::move(key), needed, setSize<kMember, Object>, getSize<kMember, Object>};
}
template <auto kMember, class Object>
Field<Object> flag(std::string key) {
    return {std::move(key), false, setFlag<kMember, Object>, getFlag<kMember, Object>, {"true", "false"}};
}
template <auto kMember, class Object>
Field<Object> text(std::string key) {
    return {std::move(key), false, setText<kMember, Object>, getText<kMember, Object>};
}
template <auto kMember, const auto& kWords, class Object>
Field<Object> word(std::string key) {
    Field<Object> field{std::move(key), false, setWord<kMember, kWords, Object>, getWord<kMember, kWords, Object>};
    for (const auto& [word, meaning] : kWords.words) field.words.emplace_back(word);
    return field;
}

}  // namespace

std::span<const Field<MachineConfig>> machineFields() {
    using M = MachineConfig;
    static const std::vector<Field<M>> kFields = {
        text<&M::name, M>("name"),
        text<&M::note, M>("note"),
        text<&M::source, M>("source"),
        number<&M::cpus, M>("cpus"),
        word<&M::protocol, kProtocols, M>("protocol"),
        number<&M::memoryLatency, M>("memory_latency"),
        number<&M::upgradeLatency, M>("upgrade_latency"),
        number<&M::writebackLatency, M>("writeback_latency"),
    };
    return kFields;
}

std::span<const Field<LevelConfig>> levelFields() {
    using L = LevelConfig;
    static const std::vector<Field<L>> kFields = {
        text<&L::name, L>("name"),
        size<&L::size, L>("size", true),
        {"ways", true, setWays<L>, getNumber<&L::ways, L>},
        size<&L::block, L>("block", true),
        {"shared_by", false, setSharedBy, getSharedBy},
        word<&L::policy, kPolicies, L>("policy"),
        number<&L::seed, L>("seed"),
        word<&L::writeThrough, kWrites, L>("write"),
        flag<&L::allocate, L>("allocate"),
        word<&L::inclusion, kInclusions, L>("inclusion"),
        word<&L::prefetch, kPrefetchers, L>("prefetch"),
        number<&L::degree, L>("degree"),
        number<&L::latency, L>("latency"),
    };
    return kFields;
}

std::span<const Field<MemoryConfig>> memoryFields() {
    using M = MemoryConfig;
    static const std::vector<Field<M>> kFields = {
        size<&M::size, M>("size", true),
        size<&M::page, M>("page"),
        number<&M::fault, M>("fault"),
    };
    return kFields;
}

std::span<const Field<TlbConfig>> tlbFields() {
    using T = TlbConfig;
    static const std::vector<Field<T>> kFields = {
        number<&T::entries, T>("entries", true),
        {"ways", false, setWays<T>, getNumber<&T::ways, T>},
        size<&T::page, T>("page"),
        number<&T::walk, T>("walk"),
    };
    return kFields;
}

std::span<const Field<Conventions>> conventionFields() {
    using C = Conventions;
    static const std::vector<Field<C>> kFields = {
        flag<&C::writebackFirst, C>("writeback_first"),
        flag<&C::modifyCountsOnce, C>("modify_counts_once"),
        flag<&C::straddleCountsOnce, C>("straddle_counts_once"),
        flag<&C::fullWriteFetches, C>("full_write_fetches"),
    };
    return kFields;
}

Value Value::fromWords(std::string_view words) {
    if (const auto number = wholeNumber(words)) return ofNumber(*number);
    Value value = ofText(words);
    if (words == "true" || words == "false") {
        value.kind = ValueKind::flag;
        value.flag = words == "true";
        value.shown = words;
    }
    return value;
}

Value Value::ofNumber(std::uint64_t number) {
    const std::string words = fmt::format("{}", number);
    return {.kind = ValueKind::number, .number = number, .flag = false, .text = words, .shown = words};
}

Value Value::ofText(std::string_view text) {
    return {.kind = ValueKind::text, .number = 0, .flag = false, .text = std::string(text), .shown = quotedText(text)};
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
