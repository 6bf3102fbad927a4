#include "sim/analysis/line_match.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace whorl::sim {

namespace {

/// Numbers for the lines that both traces name; no number for other sites.
using Numbers = std::vector<std::optional<std::uint32_t>>;

class Lines {
  public:
    /// The numbers of a trace's sites.
    Numbers of(const Trace& trace) {
        Numbers out;
        out.reserve(trace.sites().size());
        for (const Site& site : trace.sites()) {
            if (site.line == 0 || site.file >= trace.files().size()) {
                out.emplace_back();
                continue;
            }
            const auto [at, isNew] = numbers_.try_emplace({trace.files()[site.file].path, site.line}, count_);
            count_ += isNew ? 1 : 0;
            out.emplace_back(at->second);
        }
        return out;
    }
    std::uint32_t count() const { return count_; }

  private:
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> numbers_;
    std::uint32_t count_ = 0;
};

/// When each line is executed: every k-th time.
std::vector<std::vector<std::uint64_t>> executions(const Trace& trace, const Numbers& numbers, std::uint32_t lines,
                                                   std::uint64_t every) {
    std::vector<std::vector<std::uint64_t>> out(lines);
    std::vector<std::uint64_t> counts(lines, 0);
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& access) {
        const auto line = access.site.value < numbers.size() ? numbers[access.site.value] : std::nullopt;
        if (line && counts[*line]++ % every == 0) out[*line].push_back(t.value);
    });
    return out;
}

/// The longest sequence of pairs that ascends in both numbers. The pairs must ascend in the first.
template <class Pair>
std::vector<Pair> ascending(const std::vector<Pair>& pairs) {
    constexpr std::size_t kNone = ~std::size_t{0};
    std::vector<std::size_t> lastOf;  // by length of a sequence, less one: the pair that ends it lowest
    std::vector<std::size_t> before(pairs.size(), kNone);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto at = std::lower_bound(lastOf.begin(), lastOf.end(), pairs[i].second,
                                         [&](std::size_t k, std::uint64_t second) { return pairs[k].second < second; });
        if (at != lastOf.begin()) before[i] = *(at - 1);
        if (at == lastOf.end()) {
            lastOf.push_back(i);
        } else {
            *at = i;
        }
    }
    std::vector<Pair> out;
    for (std::size_t i = lastOf.empty() ? kNone : lastOf.back(); i != kNone; i = before[i]) out.push_back(pairs[i]);
    std::reverse(out.begin(), out.end());
    return out;
}

/// Maps a time on the axis `of` to the axis `on`, linearly between the pairs on both sides.
template <class Pair>
double between(const std::vector<Pair>& pairs, double t, std::uint64_t Pair::*of, std::uint64_t Pair::*on) {
    const auto next = std::upper_bound(pairs.begin() + 1, pairs.end() - 1, t,
                                       [&](double time, const Pair& pair) { return time < double(pair.*of); });
    const Pair& to = *next;
    const Pair& from = *(next - 1);
    const auto length = static_cast<double>(to.*of - from.*of);
    const double share = length > 0 ? std::clamp((t - double(from.*of)) / length, 0.0, 1.0) : 0.0;
    return static_cast<double>(from.*on) + share * static_cast<double>(to.*on - from.*on);
}

}  // namespace

LineMatch::LineMatch(const Trace& a, const Trace& b, std::uint64_t mostPairs) {
    Lines lines;
    const Numbers ofA = lines.of(a);
    const Numbers ofB = lines.of(b);
    const std::uint64_t every = 1 + std::min(a.size(), b.size()) / std::max<std::uint64_t>(1, mostPairs);
    const auto inA = executions(a, ofA, lines.count(), every);
    const auto inB = executions(b, ofB, lines.count(), every);
    std::vector<Pair> pairs;
    for (std::uint32_t line = 0; line < lines.count(); ++line) {
        const std::size_t both = std::min(inA[line].size(), inB[line].size());
        for (std::size_t n = 0; n < both; ++n) pairs.emplace_back(inA[line][n], inB[line][n]);
    }
    std::sort(pairs.begin(), pairs.end());
    pairs = ascending(pairs);
    pairs_.emplace_back(0, 0);
    for (const Pair& pair : pairs) {
        if (pair.first > 0 && pair.second > 0) pairs_.push_back(pair);
    }
    pairs_.emplace_back(a.size(), b.size());
}

double LineMatch::at(double t) const {
    return between(pairs_, t, &Pair::first, &Pair::second);
}

double LineMatch::back(double t) const {
    return between(pairs_, t, &Pair::second, &Pair::first);
}

}  // namespace whorl::sim
