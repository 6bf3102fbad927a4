// Common kinds of rows for the keys of JSON objects, and writing by rows. Slow to compile: include it only in source
// files that read or write a file format.
#pragma once

#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/json_schema.h"

namespace whorl::sim {

/// The object with its keys in the order of the rows. Optional keys whose values equal those of `usual` are left out;
/// if `usual` is null, all are written.
template <class T>
nlohmann::ordered_json written(std::type_identity_t<Fields<T>> fields, const T& object,
                               std::type_identity_t<const T*> usual) {
    auto out = nlohmann::ordered_json::object();
    for (const auto& field : fields) {
        nlohmann::ordered_json value = field.get(object);
        if (usual != nullptr && field.needed.empty() && value == field.get(*usual)) continue;
        out[nlohmann::ordered_json::json_pointer("/" + field.key)] = std::move(value);
    }
    return out;
}
template <class T>
nlohmann::ordered_json written(std::type_identity_t<Fields<T>> fields, const T& object, const T& usual = {}) {
    return written(fields, object, &usual);
}

namespace row {

/// Checks that the value is a text. An empty text is an error with the hint `ifEmpty`, unless that hint is empty.
bool isTextIn(const JsonPlace& place, const std::string& ifEmpty);
template <class T>
Field<T> text(std::string key, std::string T::*member, const std::string& ifEmpty = {}, std::string needed = {}) {
    return {std::move(key), std::move(needed),
            [=](T& object, const JsonPlace& place) {
                if (!isTextIn(place, ifEmpty)) return false;
                object.*member = place.value.get<std::string>();
                return true;
            },
            [=](const T& object) -> nlohmann::ordered_json { return object.*member; }};
}

bool isFlagIn(const JsonPlace& place, std::string_view hint = "write true or false");
template <class T>
Field<T> flag(std::string key, bool T::*member) {
    return {std::move(key),
            {},
            [=](T& object, const JsonPlace& place) {
                if (!isFlagIn(place)) return false;
                object.*member = place.value.get<bool>();
                return true;
            },
            [=](const T& object) -> nlohmann::ordered_json { return object.*member; },
            {"true", "false"}};
}

/// A number within limits.
struct NumberRule {
    double least = 0;
    double most = 0;
    std::string what = {};  ///< "a number of accesses"
    std::string hint = {};

    std::optional<double> in(const JsonPlace& place) const;
};
NumberRule seconds(double least, double most);
/// Formats a whole number without a decimal point.
nlohmann::ordered_json plain(double number);

/// `Number` is an arithmetic type, or an optional of one.
template <class T, class Number>
Field<T> number(std::string key, Number T::*member, const NumberRule& rule, std::string needed = {}) {
    return {std::move(key), std::move(needed),
            [=](T& object, const JsonPlace& place) {
                const auto given = rule.in(place);
                if (!given) return false;
                if constexpr (std::is_arithmetic_v<Number>) {
                    object.*member = static_cast<Number>(*given);
                } else {
                    object.*member = *given;
                }
                return true;
            },
            [=](const T& object) -> nlohmann::ordered_json {
                if constexpr (std::is_arithmetic_v<Number>) {
                    return plain(static_cast<double>(object.*member));
                } else {
                    return object.*member ? plain(*(object.*member)) : nlohmann::ordered_json();
                }
            }};
}

bool isListOfTexts(const nlohmann::json& value);
struct TextsRule {
    std::string what = "a list of texts";
    std::string hint = {};
    std::size_t least = 0;
    std::size_t most = std::numeric_limits<std::size_t>::max();
};
template <class T>
Field<T> texts(std::string key, std::vector<std::string> T::*member, const TextsRule& rule) {
    return {std::move(key),
            {},
            [=](T& object, const JsonPlace& place) {
                const std::size_t count = place.value.size();
                if (!isListOfTexts(place.value) || count < rule.least || count > rule.most) {
                    return place.isNot(rule.what, rule.hint);
                }
                object.*member = place.value.get<std::vector<std::string>>();
                return true;
            },
            [=](const T& object) -> nlohmann::ordered_json { return object.*member; }};
}

/// An object with rows of its own. `what`: "a camera"; `such`: an example of one. `check` runs after the object is
/// read.
template <class T, class Member>
Field<T> object(std::string key, std::optional<Member> T::*member, std::vector<Field<Member>> fields,
                const std::string& what, const std::string& such,
                std::function<void(Member&, const JsonPlace&)> check) {
    return {std::move(key),
            {},
            [=](T& object, const JsonPlace& place) {
                if (!place.value.is_object()) return place.isNot(what, what + " is an object such as " + such);
                Member& inner = (object.*member).emplace();
                readObject(place, fields, inner);
                if (check) check(inner, place);
                return true;
            },
            [=](const T& object) -> nlohmann::ordered_json {
                return object.*member ? written(fields, *(object.*member)) : nlohmann::ordered_json();
            }};
}

/// A list of objects with rows of their own; `hint` describes its elements.
template <class T, class Element>
Field<T> objects(std::string key, std::vector<Element> T::*member, std::vector<Field<Element>> fields,
                 const std::string& hint, std::string needed = {}) {
    return {std::move(key), std::move(needed),
            [=](T& object, const JsonPlace& place) {
                if (!place.value.is_array()) return place.isNot("a list", hint);
                for (const auto& element : place.value) {
                    const JsonPlace at = place.at("[" + std::to_string((object.*member).size()) + "]", element);
                    if (!element.is_object()) return at.isNot("an object", hint);
                    readFields(at, fields, (object.*member).emplace_back());
                }
                return true;
            },
            [=](const T& object) {
                auto out = nlohmann::ordered_json::array();
                for (const Element& element : object.*member) out.push_back(written(fields, element));
                return out;
            }};
}

}  // namespace row

}  // namespace whorl::sim
