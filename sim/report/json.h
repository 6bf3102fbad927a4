// JSON: the values that answers are made of, and their text; and the shards of sweeps read back.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/report/table.h"

namespace whorl::sim {

class JsonValue;
using JsonArray = std::vector<JsonValue>;
/// Keys and values, in the order in which they are written.
using JsonObject = std::vector<std::pair<std::string, JsonValue>>;

/// A value of JSON: null, unless it is made of something. A table is an array with an object for each row.
class JsonValue {
  public:
    using Variant = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, JsonArray,
                                 JsonObject, Table>;

    JsonValue() = default;
    JsonValue(std::string text) : value_(std::move(text)) {}
    JsonValue(std::string_view text) : value_(std::string(text)) {}
    JsonValue(const char* text) : value_(std::string(text)) {}
    JsonValue(JsonArray array) : value_(std::move(array)) {}
    JsonValue(JsonObject object) : value_(std::move(object)) {}
    JsonValue(Table table) : value_(std::move(table)) {}
    template <class Number>
    requires std::is_arithmetic_v<Number> JsonValue(Number number) : value_(stored(number)) {}
    /// Null if the value is empty.
    template <class T>
    JsonValue(const std::optional<T>& value) : JsonValue(value ? JsonValue(*value) : JsonValue()) {}
    template <class T>
    JsonValue(const std::vector<T>& values) : value_(JsonArray(values.begin(), values.end())) {}

    /// The member of an object with this key, added unless there is one. A null value becomes an object.
    JsonValue& operator[](std::string_view key);

    const Variant& get() const { return value_; }

  private:
    template <class Number>
    static auto stored(Number number) {
        if constexpr (std::is_same_v<Number, bool> || std::is_floating_point_v<Number>)
            return number;
        else if constexpr (std::is_signed_v<Number>)
            return std::int64_t{number};
        else
            return std::uint64_t{number};
    }

    Variant value_;
};

/// An array with the value of(thing) for each thing.
template <class Things, class Of>
JsonArray jsonArrayOf(const Things& things, const Of& of) {
    JsonArray array;
    array.reserve(std::size(things));
    for (const auto& thing : things) array.emplace_back(of(thing));
    return array;
}

/// The text of a value: indented, or on one line. Invalid UTF-8 is replaced.
std::string jsonText(const JsonValue& value);
std::string jsonLine(const JsonValue& value);

/// The lines of a sweep in JSON: its subject, and a result for each point.
struct SweepLines {
    std::string head;
    std::vector<std::string> results;
};

/// A parsed shard of a sweep, as written by sweepAsJson.
struct SweepPartJson {
    std::map<std::string, std::string> subject;  ///< the subject of the sweep, by key, each value as JSON
    std::uint64_t points = 0;                    ///< number of points of the whole sweep
    std::vector<std::uint64_t> numbers;          ///< numbers of the points, from 1, one for each result
    SweepLines lines;                            ///< lines without the shard
};
/// Empty when the text is not a shard.
std::optional<SweepPartJson> sweepPartFromJson(std::string_view text);

}  // namespace whorl::sim
