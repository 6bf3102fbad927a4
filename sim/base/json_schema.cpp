#include "sim/base/json_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"

namespace whorl::sim {

using nlohmann::json;

std::string shownValue(const json& value) {
    if (value.is_string()) return quotedText(value.get_ref<const std::string&>());
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    return value.dump();
}

const json* JsonPlace::find(const std::string& key) const {
    if (key.find('/') != std::string::npos) {
        const json::json_pointer inner("/" + key);
        return value.contains(inner) ? &value.at(inner) : nullptr;
    }
    const auto found = value.find(key);
    return found == value.end() ? nullptr : &*found;
}

JsonPlace JsonPlace::at(const std::string& key, const json& inner) const {
    return {inner, key.starts_with('[') ? path + key : jsonPath(path, key), faults};
}

bool JsonPlace::fault(std::string what, std::string hint) const {
    faults.errors.push_back({.where = faults.file + (path.empty() || faults.file.empty() ? "" : ": ") + path,
                             .what = std::move(what),
                             .hint = std::move(hint),
                             .cancelled = false});
    return false;
}

bool JsonPlace::faultAt(const std::string& key, std::string what, std::string hint) const {
    return at(key, value).fault(std::move(what), std::move(hint));
}

bool JsonPlace::isNot(std::string_view what, std::string hint) const {
    return fault(fmt::format("{} is not {}", shownValue(value), what), std::move(hint));
}

void JsonPlace::checkKeys(const std::vector<std::string>& known) const {
    for (const auto& [key, member] : value.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        fault(fmt::format("the key {} is not known", quotedText(key)),
              didYouMean(key, known) + fmt::format("the keys here are {}", joinNames(known)));
    }
}

std::vector<Error> jsonFileErrors(std::string_view text, const std::string& file, std::string_view what,
                                  const std::string& hint, const std::function<void(const JsonPlace&)>& read) {
    JsonFaults faults{file, jsonErrors(text, file)};
    const json root = json::parse(text, nullptr, false);
    const JsonPlace whole{root, "", faults};
    if (root.is_object()) {
        read(whole);
    } else if (!root.is_discarded()) {
        whole.fault(fmt::format("{} is an object, not {}", what, shownValue(root)), hint);
    }
    return std::move(faults.errors);
}

}  // namespace whorl::sim
