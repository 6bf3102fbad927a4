// Documents in JSON, for tests of what is written. The library behind takes long to compile, and is known only to
// json.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace whorl::sim::test {

/// A value in a document, which it keeps. What is asked for must be there.
class Json {
  public:
    explicit Json(std::string_view text);
    /// Whether a text is such a document.
    static bool accepts(std::string_view text);

    Json operator[](std::string_view key) const;
    Json operator[](std::size_t index) const;
    std::size_t size() const;
    bool contains(std::string_view key) const;
    std::vector<std::string> keys() const;

    /// As text, the keys sorted, and in their order.
    std::string dump() const;
    std::string dumpInOrder() const;

    template <class T>
    friend bool operator==(const Json& json, const T& value) {
        if constexpr (std::is_same_v<T, std::nullptr_t>) {
            return json.isNull();
        } else if constexpr (std::is_floating_point_v<T>) {
            return json.isReal(value);
        } else if constexpr (std::is_unsigned_v<T>) {
            return json.isCount(value);
        } else if constexpr (std::is_integral_v<T>) {
            return json.isInteger(value);
        } else {
            return json.isText(value);
        }
    }
    friend void PrintTo(const Json& json, std::ostream* out);

  private:
    explicit Json(std::shared_ptr<const void> value) : value_(std::move(value)) {}

    bool isNull() const;
    bool isReal(double value) const;
    bool isCount(std::uint64_t value) const;
    bool isInteger(std::int64_t value) const;
    bool isText(std::string_view value) const;

    std::shared_ptr<const void> value_;
};

}  // namespace whorl::sim::test
