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

/// Writes a value as the library would, which a table of a million rows need not become first.
class JsonWriter {
  public:
    explicit JsonWriter(bool indents) : indents_(indents) {}

    std::string take() { return std::move(text_); }

    void write(const JsonValue& value) {
        std::visit([this](const auto& of) { write(of); }, value.get());
    }

  private:
    void write(std::monostate) { text_ += "null"; }
    void write(bool is) { text_ += is ? "true" : "false"; }
    void write(std::int64_t number) { text_ += std::to_string(number); }
    void write(std::uint64_t number) { text_ += std::to_string(number); }
    void write(double number) { text_ += lineOf(number); }
    void write(const std::string& text) {
        const bool isPlain = std::all_of(text.begin(), text.end(),
                                         [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; });
        text_ += isPlain ? '"' + text + '"' : lineOf(text);
    }
    void write(const JsonArray& array) {
        list("[]", array.size(), [&](std::size_t i) { write(array[i]); });
    }
    void write(const JsonObject& object) {
        list("{}", object.size(), [&](std::size_t i) { member(object[i].first, object[i].second); });
    }
    void write(const Table& table) {
        list("[]", table.rows.size(), [&](std::size_t row) {
            const std::vector<Cell>& cells = table.rows[row];
            list("{}", cells.size(), [&](std::size_t c) { member(table.columns[c].key, cells[c]); });
        });
    }
    void write(const Cell& cell) {
        std::visit([this](const auto& of) { write(of); }, cell);
    }

    template <class Value>
    void member(const std::string& key, const Value& value) {
        write(key);
        text_ += indents_ ? ": " : ":";
        write(value);
    }
    template <class WriteItem>
    void list(const char (&brackets)[3], std::size_t items, const WriteItem& writeItem) {
        ++depth_;
        for (std::size_t i = 0; i < items; ++i) {
            text_ += i == 0 ? brackets[0] : ',';
            breakLine();
            writeItem(i);
        }
        --depth_;
        if (items == 0) text_ += brackets[0];
        if (items > 0) breakLine();
        text_ += brackets[1];
    }
    void breakLine() {
        if (indents_) text_.append(1, '\n').append(2 * depth_, ' ');
    }

    bool indents_;
    std::size_t depth_ = 0;
    std::string text_;
};

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
    JsonWriter writer(true);
    writer.write(value);
    return writer.take();
}

std::string jsonLine(const JsonValue& value) {
    JsonWriter writer(false);
    writer.write(value);
    return writer.take();
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
