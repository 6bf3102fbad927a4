// The keys of JSON objects as rows: what the value of each may be, how it is read and how it is written. Reading and
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

/// What is wrong with a JSON file.
struct JsonFaults {
    std::string file = {};
    std::vector<Error> errors = {};
    std::set<std::string> unread = {};  ///< the paths of values that are missing, or not what they should be
};

/// A value of a file, and where it stands.
struct JsonPlace {
    const nlohmann::json& value;
    std::string path;  ///< "levels[1].ways"; empty: the whole file
    JsonFaults& faults;

    /// The value of a key, or null; of a key such as "panels/left" in an object within this one.
    const nlohmann::json* find(const std::string& key) const;
    bool has(const std::string& key) const { return find(key) != nullptr; }
    /// Whether it has the key, and its value could be read.
    bool isGiven(const std::string& key) const { return has(key) && !faults.unread.contains(jsonPath(path, key)); }
    /// Another value of the same file: of a key of this one, or "[2]" of a list.
    JsonPlace at(const std::string& key, const nlohmann::json& inner) const;

    /// Each reports an error of the value, or of the one with a key in it, and returns false.
    bool fault(std::string what, std::string hint = {}) const;
    bool faultAt(const std::string& key, std::string what, std::string hint = {}) const;
    /// "7 is not a text".
    bool isNot(std::string_view what, std::string hint) const;

    /// Reports keys of the object that are not known.
    void checkKeys(const std::vector<std::string>& known) const;
};

/// A key of the objects that are read into a T.
template <class T>
struct Field {
    std::string key;
    std::string needed = {};  ///< the hint where it is missing; empty: it may be left out
    /// Takes the value; or reports why it cannot be, leaves the object as it is, and returns false.
    std::function<bool(T&, const JsonPlace&)> set = {};
    std::function<nlohmann::ordered_json(const T&)> get = {};
    std::vector<std::string> words = {};  ///< that it can be, if it is one of a few
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

/// Reads the keys that the object has, and reports those that it lacks.
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

/// The same; keys that are not known are errors.
template <class T>
void readObject(const JsonPlace& object, std::type_identity_t<Fields<T>> fields, T& into) {
    object.checkKeys(keysOf<T>(fields));
    readFields(object, fields, into);
}

/// What is wrong with the text of a file that holds one object, which `read` reads unless it is none. `what`: "a tour";
/// `hint`: how it begins.
std::vector<Error> jsonFileErrors(std::string_view text, const std::string& file, std::string_view what,
                                  const std::string& hint, const std::function<void(const JsonPlace&)>& read);

/// A value as shown in an error message: a list and an object are named only.
std::string shownValue(const nlohmann::json& value);

}  // namespace whorl::sim
