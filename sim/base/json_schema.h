// The keys of JSON objects as rows: the values that each key accepts, and how to read and write them. Reading and
// writing both follow the rows, so that each key is named once. Kinds of rows: sim/base/json_rows.h.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/json_text.h"

namespace whorl::sim {

/// Errors found in a JSON file.
struct JsonFaults {
    std::string file = {};
    std::vector<Error> errors = {};
    std::set<std::string> unread = {};  ///< paths of values that are missing or invalid
};

/// A value of a file, and its path.
struct JsonPlace {
    const nlohmann::json& value;
    std::string path;  ///< "levels[1].ways"; empty: the whole file
    JsonFaults& faults;

    /// The value of a key, or null. A key such as "panels/left" is looked up in an object within this one.
    const nlohmann::json* find(const std::string& key) const;
    bool has(const std::string& key) const { return find(key) != nullptr; }
    /// Whether the key is present and its value could be read.
    bool isGiven(const std::string& key) const { return has(key) && !faults.unread.contains(jsonPath(path, key)); }
    /// Another value of the same file: that of `key` in this object, or of the element "[2]" of this list.
    JsonPlace at(const std::string& key, const nlohmann::json& inner) const;

    /// The next two functions report an error of this value, or of the one with a key in it, and return false.
    bool fault(std::string what, std::string hint = {}) const;
    bool faultAt(const std::string& key, std::string what, std::string hint = {}) const;
    /// Reports, for example, "7 is not a text".
    bool isNot(std::string_view what, std::string hint) const;

    /// Reports each key of the object that is not in `known`.
    void checkKeys(const std::vector<std::string>& known) const;
};

/// A key of the objects that are read into a T.
template <class T>
struct Field {
    std::string key;
    std::string needed = {};  ///< the hint if the key is missing; empty: the key is optional
    /// Stores the value. If it is invalid, reports why, leaves the object unchanged, and returns false.
    std::function<bool(T&, const JsonPlace&)> set = {};
    std::function<nlohmann::ordered_json(const T&)> get = {};
    std::vector<std::string> words = {};  ///< the accepted values, if there are only a few
};

template <class T>
using Fields = std::span<const Field<T>>;

template <class T>
std::vector<std::string> keysOf(Fields<T> fields) {
    std::vector<std::string> keys;
    keys.reserve(fields.size());
    for (const auto& field : fields) keys.push_back(field.key);
    return keys;
}

/// The field with that key, or null.
template <class T>
const Field<T>* fieldOf(Fields<T> fields, std::string_view key) {
    for (const auto& field : fields) {
        if (field.key == key) return &field;
    }
    return nullptr;
}

/// Reads the keys that are present, and reports required ones that are missing.
template <class T>
void readFields(const JsonPlace& object, std::type_identity_t<Fields<T>> fields, T& into) {
    for (const auto& field : fields) {
        const nlohmann::json* const value = object.find(field.key);
        if (value == nullptr && field.needed.empty()) continue;
        const bool isRead = value != nullptr ? field.set(into, object.at(field.key, *value))
                                             : object.faultAt(field.key, "is missing", field.needed);
        if (!isRead) object.faults.unread.insert(jsonPath(object.path, field.key));
    }
}

/// Reads an object as readFields() does, and also reports unknown keys.
template <class T>
void readObject(const JsonPlace& object, std::type_identity_t<Fields<T>> fields, T& into) {
    object.checkKeys(keysOf<T>(fields));
    readFields(object, fields, into);
}

/// The errors of a file that must hold one object. `read` reads that object and is not called for any other value.
/// `what`: "a tour"; `hint`: how the object begins.
std::vector<Error> jsonFileErrors(std::string_view text, const std::string& file, std::string_view what,
                                  const std::string& hint, const std::function<void(const JsonPlace&)>& read);

/// A value as shown in an error message: "a list" and "an object" stand for their contents.
std::string shownValue(const nlohmann::json& value);

}  // namespace whorl::sim
