#include "app/tours/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/json_text.h"
#include "sim/base/text.h"

namespace whorl::app {

using nlohmann::json;

std::string shownValue(const json& value) {
    if (value.is_string()) return sim::quotedText(value.get_ref<const std::string&>());
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    return value.dump();
}

void JsonFields::fault(const std::string& path, std::string what, std::string hint) {
    faults_.push_back({.where = path.empty() ? file_ : fmt::format("{}: {}", file_, path),
                       .what = std::move(what),
                       .hint = std::move(hint),
                       .cancelled = false});
}

void JsonFields::checkKeys(const json& object, const std::string& path, const std::vector<std::string>& known) {
    for (const auto& [key, value] : object.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        fault(path, fmt::format("the key {} is not known", sim::quotedText(key)),
              sim::didYouMean(key, known) + fmt::format("the keys here are {}", sim::joinNames(known)));
    }
}

bool JsonFields::isObject(const json& value, const std::string& path, const std::string& what,
                          const std::string& such) {
    if (value.is_object()) return true;
    fault(path, fmt::format("{} is not {}", shownValue(value), what),
          fmt::format("{} is an object such as {}", what, such));
    return false;
}

bool JsonFields::text(const json& object, const std::string& path, const char* key, std::string& into,
                      const std::string& ifEmpty) {
    const auto value = object.find(key);
    const std::string where = sim::jsonPath(path, key);
    if (value == object.end()) return false;
    if (!value->is_string()) {
        fault(where, shownValue(*value) + " is not a text", "put it in quotes");
    } else if (sim::trimmed(value->get_ref<const std::string&>()).empty()) {
        fault(where, "is empty", ifEmpty);
    } else {
        into = value->get<std::string>();
        return true;
    }
    return false;
}

bool JsonFields::flag(const json& object, const std::string& path, const char* key, std::optional<bool>& into) {
    const auto value = object.find(key);
    if (value == object.end()) return false;
    if (value->is_boolean()) {
        into = value->get<bool>();
        return true;
    }
    fault(sim::jsonPath(path, key), shownValue(*value) + " is neither true nor false", "give one of them");
    return false;
}

bool JsonFields::number(const json& object, const std::string& path, const char* key, const Number& kind,
                        double& into) {
    const auto value = object.find(key);
    if (value == object.end()) return false;
    if (value->is_number()) {
        const auto given = value->get<double>();
        if (std::isfinite(given) && given >= kind.least && given <= kind.most) {
            into = given;
            return true;
        }
    }
    fault(sim::jsonPath(path, key), fmt::format("{} is not {}", shownValue(*value), kind.what), kind.hint);
    return false;
}

JsonFields::Number JsonFields::seconds(double least, double most) {
    return {.least = least,
            .most = most,
            .what = "a number of seconds",
            .hint = fmt::format("give a number from {:g} to {:g}", least, most)};
}

}  // namespace whorl::app
