// The texts of JSON, and the shards of sweeps read back: the only file here that uses the library.
#include "sim/report/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace whorl::sim {

namespace {

using Json = nlohmann::ordered_json;

std::string lineOf(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json inLibrary(const JsonValue& value);

/// The library's form of a value that it takes as it is, and of null.
template <class Value>
Json inLibrary(const Value& value) {
    if constexpr (std::is_same_v<Value, std::monostate>)
        return nullptr;
    else
        return value;
}

Json inLibrary(const JsonArray& array) {
    Json out = Json::array();
    for (const JsonValue& value : array) out.push_back(inLibrary(value));
    return out;
}

Json inLibrary(const JsonObject& object) {
    Json out = Json::object();
    for (const auto& [key, value] : object) out[key] = inLibrary(value);
    return out;
}

Json inLibrary(const Table& table) {
    Json out = Json::array();
    for (const std::vector<Cell>& cells : table.rows) {
        Json row = Json::object();
        for (std::size_t c = 0; c < cells.size(); ++c) {
            row[table.columns[c].key] = std::visit([](const auto& cell) { return inLibrary(cell); }, cells[c]);
        }
        out.push_back(std::move(row));
    }
    return out;
}

Json inLibrary(const JsonValue& value) {
    return std::visit([](const auto& of) { return inLibrary(of); }, value.get());
}

bool isSweepPart(const Json& part) {
    return part.is_object() && part.contains("sweep") && part["sweep"].is_object() &&
           part["sweep"].contains("points") && part["sweep"]["points"].is_number_unsigned() &&
           part.contains("results") && part["results"].is_array();
}

std::optional<std::uint64_t> pointOf(const Json& result) {
    if (!result.is_object() || !result.contains("point") || !result["point"].is_number_unsigned()) return std::nullopt;
    return result["point"].get<std::uint64_t>();
}

}  // namespace

JsonValue& JsonValue::operator[](std::string_view key) {
    if (std::holds_alternative<std::monostate>(value_)) value_ = JsonObject{};
    JsonObject& members = std::get<JsonObject>(value_);
    const auto known = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == key; });
    return known != members.end() ? known->second : members.emplace_back(key, JsonValue()).second;
}

std::string jsonText(const JsonValue& value) {
    return inLibrary(value).dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string jsonLine(const JsonValue& value) {
    return lineOf(inLibrary(value));
}

std::optional<SweepPartJson> sweepPartFromJson(std::string_view text) {
    Json part = Json::parse(text, nullptr, false);
    if (!isSweepPart(part)) return std::nullopt;
    part["sweep"].erase("shard");
    SweepPartJson out{.points = part["sweep"]["points"].get<std::uint64_t>()};
    for (const auto& [key, value] : part["sweep"].items()) out.subject[key] = lineOf(value);
    out.lines.head = lineOf(part["sweep"]);
    for (const Json& result : part["results"]) {
        const auto number = pointOf(result);
        if (!number) return std::nullopt;
        out.numbers.push_back(*number);
        out.lines.results.push_back(lineOf(result));
    }
    return out;
}

}  // namespace whorl::sim
