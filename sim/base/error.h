// An error that the user caused or can fix: a value, never an exception. It is shown as one sentence.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace whorl::sim {

struct Error {
    std::string
        where;  ///< file and line ("mm.trace:12"), or file and JSON path ("my.json: levels[1].ways"); may be empty
    std::string what;        ///< what is wrong, with the offending text in quotes
    std::string hint;        ///< what was expected and what to do; may be empty
    bool cancelled = false;  ///< stopped by the user: not a failure, shows no message

    /// "where: what; hint", without the empty parts.
    std::string sentence() const;

    static Error byUser() { return {.where = {}, .what = "cancelled", .hint = {}, .cancelled = true}; }
};

template <class T>
using Expected = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(std::string where, std::string what, std::string hint = {}) {
    return tl::unexpected<Error>(
        Error{.where = std::move(where), .what = std::move(what), .hint = std::move(hint), .cancelled = false});
}

/// The value that an Expected without an error holds.
template <class T>
T unwrapped(Expected<T>&& expected) {
    return *std::move(expected);
}
inline void unwrapped(Expected<void>&& /*expected*/) {}

}  // namespace whorl::sim

/// Evaluates to the value of an Expected; on an error, returns it from the calling function. After Rust's `?`.
#define WHORL_TRY(...)                                                         \
    __extension__({                                                            \
        auto whorlTried = __VA_ARGS__;                                         \
        if (!whorlTried) return tl::unexpected(std::move(whorlTried).error()); \
        ::whorl::sim::unwrapped(std::move(whorlTried));                        \
    })
