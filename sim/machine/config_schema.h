// The keys of a machine description: the name of each, and how its value is parsed and formatted. The JSON reader, the
// JSON writer and `withValue` share them, so that they accept the same words and report the same errors.
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

/// A value as written by the user, in a file or on a command line.
struct Value {
    enum class Kind : std::uint8_t { number, flag, text, other };

    Kind kind = Kind::other;
    std::uint64_t number = 0;
    bool flag = false;
    std::string text;   ///< the value's text, without quotes
    std::string shown;  ///< as shown in an error message

    /// Parses a whole number, `true` or `false`; anything else is text.
    static Value fromWords(std::string_view words);
    static Value ofNumber(std::uint64_t number);
    static Value ofText(std::string_view text);
};

/// Why a value is not valid for its field.
struct ValueError {
    std::string what;
    std::string hint;
};

template <class Object>
struct Field {
    std::string key;
    bool needed = false;  ///< required: has no default
    std::optional<ValueError> (*set)(Object&,
                                     const Value&) = nullptr;  ///< leaves the object unchanged if the value is invalid
    Value (*get)(const Object&) = nullptr;
    std::vector<std::string> words;  ///< that it can be; empty: a number, a size or a text
};

/// The keys with scalar values.
std::span<const Field<MachineConfig>> machineFields();
std::span<const Field<LevelConfig>> levelFields();
std::span<const Field<MemoryConfig>> memoryFields();
std::span<const Field<TlbConfig>> tlbFields();
std::span<const Field<Conventions>> conventionFields();

template <class Object>
std::vector<std::string> keysOf(std::span<const Field<Object>> fields) {
    std::vector<std::string> keys;
    keys.reserve(fields.size());
    for (const auto& field : fields) keys.push_back(field.key);
    return keys;
}

/// The field with that key, or null.
template <class Object>
const Field<Object>* fieldOf(std::span<const Field<Object>> fields, std::string_view key) {
    for (const auto& field : fields) {
        if (field.key == key) return &field;
    }
    return nullptr;
}

/// The defaults for keys that a description leaves out.
MachineConfig defaultMachine();
LevelConfig defaultLevel(std::size_t index, std::size_t levels);
MemoryConfig defaultMemory();
TlbConfig defaultTlb();

/// Stands for the ways of a fully associative cache until its size is known; `resolveWays` then replaces it by the
/// number of blocks.
inline constexpr std::uint32_t kAllWays = ~std::uint32_t{0};
void resolveWays(LevelConfig& level);
void resolveWays(TlbConfig& tlb);

}  // namespace whorl::sim
