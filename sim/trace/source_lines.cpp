#include "sim/trace/source_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <tuple>

namespace whorl::sim {

namespace {

/// The key that all sites of a line share.
std::tuple<int, std::uint64_t, std::uint64_t> lineOf(const Site& site) {
    if (site.line != 0) return {0, site.file, site.line};
    if (site.function != 0) return {1, site.function, 0};
    return {2, site.pc.value, 0};
}

}  // namespace

bool areOfOneLine(const Site& a, const Site& b) {
    return lineOf(a) == lineOf(b);
}

std::string siteName(const Trace& trace, const Site& site) {
    if (site.line != 0) return fmt::format("{}:{}", trace.files()[site.file].path, site.line);
    if (const std::string& function = trace.functionOf(site); !function.empty()) return "in " + function;
    return site.pc.value != 0 ? fmt::format("{:#x}", site.pc.value) : "(not known)";
}

bool fillsOrCopies(const Trace& trace, const Site& site) {
    // The C library has several of each: __memset_avx2_unaligned_erms.
    static constexpr std::array<std::string_view, 5> kOfC = {"memset", "memcpy", "memmove", "mempcpy", "bzero"};
    static constexpr std::array<std::string_view, 6> kOfCpp = {
        "std::fill", "std::__fill", "std::copy", "std::__copy_move", "std::uninitialized_", "std::__uninitialized_"};
    const std::string_view name = trace.functionOf(site);
    const auto begins = [](std::string_view text, const auto& with) {
        return std::any_of(with.begin(), with.end(), [&](std::string_view w) { return text.starts_with(w); });
    };
    return begins(name.substr(std::min(name.find_first_not_of('_'), name.size())), kOfC) || begins(name, kOfCpp);
}

SourceLines::SourceLines(const Trace& trace) : ofSite_(trace.sites().size()) {
    const std::vector<Site>& sites = trace.sites();
    const auto key = [&](std::uint32_t s) { return lineOf(sites[s]); };
    std::vector<std::uint32_t> order(sites.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || key(order[i - 1]) != key(order[i])) firstSites_.emplace_back(order[i]);
        ofSite_[order[i]] = static_cast<std::uint32_t>(firstSites_.size() - 1);
    }
}

}  // namespace whorl::sim
