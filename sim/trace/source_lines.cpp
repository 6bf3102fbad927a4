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
std::tuple<int, std::uint64_t, std::uint64_t, std::uint64_t> lineOf(const Trace& trace, const Site& site) {
    if (site.line != 0) return {0, site.file, site.line, 0};
    if (site.function == 0) return {2, site.pc.value, 0, 0};
    const Site* const from = calledFrom(trace, site);
    return {1, site.function, from == nullptr ? 0 : from->file, from == nullptr ? 0 : from->line};
}

}  // namespace

const Site* calledFrom(const Trace& trace, const Site& site) {
    for (std::uint32_t c = site.call; c != kNoCall; c = trace.calls()[c].parent) {
        const Site& from = trace.site(trace.calls()[c].site);
        if (from.line != 0) return &from;
    }
    return nullptr;
}

bool areOfOneLine(const Trace& trace, const Site& a, const Site& b) {
    return lineOf(trace, a) == lineOf(trace, b);
}

std::string siteName(const Trace& trace, const Site& site) {
    if (site.line != 0) return fmt::format("{}:{}", trace.files()[site.file].path, site.line);
    const std::string& function = trace.functionOf(site);
    if (function.empty()) return site.pc.value != 0 ? fmt::format("{:#x}", site.pc.value) : "(not known)";
    const Site* const from = calledFrom(trace, site);
    if (from == nullptr) return "in " + function;
    // The name of the file alone, so that both fit into a column.
    const std::string_view path = trace.files()[from->file].path;
    return fmt::format("in {}, called from {}:{}", function, path.substr(path.find_last_of('/') + 1), from->line);
}

void eachRunning(const Trace& trace, const Site& site, const std::function<void(std::uint32_t function)>& f) {
    std::vector<std::uint32_t> told;
    const auto tell = [&](std::uint32_t function) {
        if (std::find(told.begin(), told.end(), function) != told.end()) return;
        told.push_back(function);
        f(function);
    };
    tell(site.function);
    for (std::uint32_t c = site.call; c != kNoCall; c = trace.calls()[c].parent) {
        const Call& call = trace.calls()[c];
        tell(trace.site(call.site).function);
        for (const SiteId around : call.around) tell(trace.site(around).function);
    }
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
    std::vector<decltype(lineOf(trace, {}))> keys;
    keys.reserve(sites.size());
    for (const Site& site : sites) keys.push_back(lineOf(trace, site));
    const auto key = [&](std::uint32_t s) { return keys[s]; };
    std::vector<std::uint32_t> order(sites.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || key(order[i - 1]) != key(order[i])) firstSites_.emplace_back(order[i]);
        ofSite_[order[i]] = static_cast<std::uint32_t>(firstSites_.size() - 1);
    }
}

}  // namespace whorl::sim
