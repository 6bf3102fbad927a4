#include "sim/capture/function_names.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace whorl::sim {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";

/// Rust's older mangling ends in a hash: "::h0123456789abcdef".
std::string_view withoutHash(std::string_view name) {
    constexpr std::size_t kHash = 19;
    if (name.size() <= kHash) return name;
    const std::string_view end = name.substr(name.size() - kHash);
    const bool isHash = end.starts_with("::h") && std::all_of(end.begin() + 3, end.end(), [](char c) {
                            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                        });
    return isHash ? name.substr(0, name.size() - kHash) : name;
}

/// The part of a demangled name before its parameters; stores where it begins, after a return type.
std::string_view withoutParameters(std::string_view name, std::size_t& begin) {
    int depth = 0;
    begin = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (depth == 0 && name.substr(i).starts_with(kAnonymous)) {
            i += kAnonymous.size() - 1;
            continue;
        }
        // Names of operators contain characters that are brackets elsewhere, and those of conversion and allocation a
        // blank.
        if (depth == 0 && name.substr(i).starts_with("operator")) {
            const std::size_t end = name.find('(', i + 8 + (name.substr(i + 8).starts_with("()") ? 2 : 0));
            return name.substr(0, end);
        }
        const char c = name[i];
        if (c == '<') ++depth;
        if (c == '>') --depth;
        if (depth > 0) continue;
        if (c == '(') return name.substr(0, i);
        if (c == ' ') begin = i + 1;
    }
    return name;
}

}  // namespace

std::string readableFunction(std::string_view symbol) {
    if (!symbol.starts_with("_Z")) return std::string(symbol);
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> demangled(
        abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
    if (demangled == nullptr || status != 0) return std::string(symbol);
    const std::string_view whole = withoutHash(demangled.get());
    std::size_t begin = 0;
    const std::string_view name = withoutParameters(whole, begin);
    return std::string(name.substr(std::min(begin, name.size())));
}

}  // namespace whorl::sim
