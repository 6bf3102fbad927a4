// The keys of a machine's description: what each is called, and how its value is read and told. The JSON reader, the
// JSON writer and `withValue` share them, so that they know the same words and tell the same faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/machine_config.h"

namespace whorl::sim {

/// A value as a person wrote it, in a file or on a command line.
struct Value {
    enum class Kind : std::uint8_t { number, flag, text, other };

    Kind kind = Kind::other;
    std::uint64_t number = 0;
    bool flag = false;
    std::string text;   ///< the words themselves, without quotes
    std::string shown;  ///< as it may stand in a sentence

    /// A whole number, true or false, or a text.
    static Value fromWords(std::string_view words);
    static Value ofNumber(std::uint64_t number);
    static Value ofText(std::string_view text);
};

/// Why a value cannot stand where it stands.
struct ValueError {
    std::string what;
    std::string hint;
};

template <class Object>
struct Field {
    std::string key;
    bool needed = false;                                                ///< it has no default
    std::optional<ValueError> (*set)(Object&, const Value&) = nullptr;  ///< changes nothing when the value is wrong
    Value (*get)(const Object&) = nullptr;
};

/// The keys with plain values; those of the machine without "note" and "source", which it does not keep.
std::span<const Field<MachineConfig>> machineFields();
std::span<const Field<LevelConfig>> levelFields();
std::span<const Field<TlbConfig>> tlbFields();
std::span<const Field<Conventions>> conventionFields();

template <class Object>
std::vector<std::string> keysOf(std::span<const Field<Object>> fields) {
    std::vector<std::string> keys;
    keys.reserve(fields.size());
    for (const auto& field : fields) keys.push_back(field.key);
    return keys;
}

/// The field of that key, or null.
template <class Object>
const Field<Object>* fieldOf(std::span<const Field<Object>> fields, std::string_view key) {
    for (const auto& field : fields) {
        if (field.key == key) return &field;
    }
    return nullptr;
}

/// What holds where a description says nothing.
MachineConfig defaultMachine();
LevelConfig defaultLevel(std::size_t index, std::size_t levels);
TlbConfig defaultTlb();

/// The ways of what was described as fully associative, until the size is known; then `resolveWays` puts the number.
inline constexpr std::uint32_t kAllWays = ~std::uint32_t{0};
void resolveWays(LevelConfig& level);
void resolveWays(TlbConfig& tlb);

}  // namespace whorl::sim
