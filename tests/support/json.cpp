#include "support/json.h"

#include <nlohmann/json.hpp>
#include <ostream>

namespace whorl::sim::test {
namespace {

using Value = nlohmann::ordered_json;

const Value& valueOf(const std::shared_ptr<const void>& value) {
    return *static_cast<const Value*>(value.get());
}

}  // namespace

Json::Json(std::string_view text) : value_(std::make_shared<const Value>(Value::parse(text))) {}

bool Json::accepts(std::string_view text) {
    return Value::accept(text);
}

Json Json::operator[](std::string_view key) const {
    return Json(std::shared_ptr<const void>(value_, &valueOf(value_).at(std::string(key))));
}

Json Json::operator[](std::size_t index) const {
    return Json(std::shared_ptr<const void>(value_, &valueOf(value_).at(index)));
}

std::size_t Json::size() const {
    return valueOf(value_).size();
}

bool Json::contains(std::string_view key) const {
    return valueOf(value_).contains(std::string(key));
}

std::vector<std::string> Json::keys() const {
    std::vector<std::string> out;
    for (const auto& [key, value] : valueOf(value_).items()) out.push_back(key);
    return out;
}

std::string Json::dump() const {
    return nlohmann::json::parse(dumpInOrder()).dump();
}

std::string Json::dumpInOrder() const {
    return valueOf(value_).dump();
}

bool Json::isNull() const {
    return valueOf(value_).is_null();
}

bool Json::isReal(double value) const {
    return valueOf(value_) == value;
}

bool Json::isCount(std::uint64_t value) const {
    return valueOf(value_) == value;
}

bool Json::isInteger(std::int64_t value) const {
    return valueOf(value_) == value;
}

bool Json::isText(std::string_view value) const {
    return valueOf(value_) == std::string(value);
}

void PrintTo(const Json& json, std::ostream* out) {
    *out << json.dump();
}

}  // namespace whorl::sim::test
