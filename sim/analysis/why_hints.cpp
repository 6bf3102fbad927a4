#include "sim/analysis/why_hints.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <numeric>

#include "sim/analysis/owner_shape.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {
namespace {

/// What most of something is, and nearly all of it.
constexpr double kMost = 0.5;
constexpr double kNearlyAll = 0.95;
/// Fetches of each block that make a working set.
constexpr double kAgain = 3;
/// Blocks of the heap that are nodes, at least so many, of at most so many blocks of a cache each.
constexpr std::size_t kNodes = 32;
constexpr std::uint64_t kNodeBlocks = 4;
/// Blocks that make a growth worth a hint.
constexpr std::size_t kGrowth = 4;
/// Blocks that the prefetcher fetches ahead.
constexpr std::uint32_t kDegree = 2;

bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// A text without blanks, but for those between words.
std::string withoutBlanks(std::string_view text) {
    std::string out;
    bool isBlank = false;
    for (const char c : text) {
        isBlank = isBlank || c == ' ' || c == '\t';
        if (c == ' ' || c == '\t') continue;
        if (isBlank && !out.empty() && isWord(out.back()) && isWord(c)) out += ' ';
        isBlank = false;
        out += c;
    }
    return out;
}

bool isName(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), isWord) &&
           std::isdigit(static_cast<unsigned char>(text[0])) == 0;
}

/// The indices of an element in a line: i and j of `a[i][j]`, of `a[i * n + j]`, and of Fortran's `a(i, j)`.
std::pair<std::string, std::string> indicesIn(std::string_view line, std::string_view array) {
    const std::string text = withoutBlanks(line);
    for (std::size_t at = text.find(array); at != text.npos; at = text.find(array, at + 1)) {
        const std::size_t end = at + array.size();
        if ((at > 0 && isWord(text[at - 1])) || end >= text.size()) continue;
        const std::size_t close = text.find(text[end] == '[' ? ']' : ')', end);
        if ((text[end] != '[' && text[end] != '(') || close == text.npos) continue;
        const std::string inner = text.substr(end + 1, close - end - 1);
        const std::size_t comma = inner.find(',');
        const std::size_t times = inner.find('*');
        const std::size_t plus = inner.find('+', times == inner.npos ? 0 : times);
        std::pair<std::string, std::string> found;
        if (text[end] == '(' && comma != inner.npos) {
            found = {inner.substr(0, comma), inner.substr(comma + 1)};
        } else if (text[end] == '[' && close + 1 < text.size() && text[close + 1] == '[') {
            found = {inner, text.substr(close + 2, text.find(']', close + 2) - close - 2)};
        } else if (times != inner.npos && plus != inner.npos) {
            found = {inner.substr(0, times), inner.substr(plus + 1)};
        }
        if (isName(found.first) && isName(found.second) && found.first != found.second) return found;
    }
    return {};
}

std::uint64_t bytesOf(const LevelConfig& level) {
    return level.wayBytes() * level.ways;
}

class HintFinder {
  public:
    HintFinder(const StallFacts& facts, std::size_t owner) : facts_(facts), owner_(owner), lines_(facts.trace) {
        const auto gathering = gathered(facts.trace, owner);
        if (gathering) shape_ = shapeOf(facts.trace, owner, *gathering);
        for (const StallTally& tally : facts.tallies) {
            if (tally.owner != owner) continue;
            sum_ += tally;
            if (most_ == nullptr || tally.lost > most_->lost) most_ = &tally;
        }
    }

    WhyHints find() {
        WhyHints hints;
        if (most_ == nullptr || levels().empty()) return hints;
        hints.nodes = nodes();
        if (!hints.nodes) hints.loop = loop();
        hints.workingSet = workingSet();
        hints.fields = fields();
        hints.growth = growthOf(facts_.trace, owner_);
        if (hints.growth && hints.growth->blocks < kGrowth) hints.growth.reset();
        return hints;
    }

  private:
    const std::vector<LevelConfig>& levels() const { return facts_.measures.machine.levels; }
    const TallyTable& rows() const { return facts_.measures.ledger->owners; }
    StaySum stays() const { return rows().stays(owner_, 0); }
    double used() const { return stays().utilization(facts_.measures.machine.blockBytes()); }

    std::optional<LoopHint> loop() const {
        const StrideSummary stride = most_->strides.summary();
        const auto step = static_cast<std::uint64_t>(std::llabs(stride.bytes));
        // Of an array of unknown shape, any long step is a row.
        const std::uint64_t row = shape_.pitch() != 0 ? shape_.pitch() : step;
        const bool isDown = stride.stride == StrideClass::constant && step >= facts_.measures.machine.blockBytes() &&
                            step % row == 0 && step / 2 > shape_.region.elementSize &&
                            shape_.region.origin != RegionOrigin::inferred;
        if (!isDown) return std::nullopt;
        const Site& site = facts_.trace.site(lines_.siteOf(most_->line));
        LoopHint hint{.line = siteName(facts_.trace, site), .step = stride.bytes, .indices = {}};
        if (site.line == 0) return std::nullopt;
        if (site.file >= facts_.trace.files().size()) return hint;
        const SourceText& text = facts_.trace.files()[site.file].lines;
        if (site.line > text.size()) return hint;
        const std::string& name = facts_.trace.owners().name(owner_);
        hint.indices = indicesIn(text[site.line - 1], std::string_view(name).substr(name.find_last_of(":.") + 1));
        return hint;
    }

    /// The level that is fetched into again and again at the highest cost.
    std::optional<WorkingSetHint> workingSet() const {
        std::optional<WorkingSetHint> best;
        Cycles most = 0;
        for (std::size_t l = 0; l < levels().size(); ++l) {
            const std::uint64_t misses = rows().misses(owner_, l);
            const std::uint64_t first = rows().misses(owner_, l, MissKind::compulsory);
            const std::uint64_t capacity = rows().misses(owner_, l, MissKind::capacity);
            const std::uint64_t bytes = first * levels()[l].block;
            const bool isSet = first > 0 && bytes > bytesOf(levels()[l]) &&
                               static_cast<double>(misses) >= kAgain * static_cast<double>(first) &&
                               static_cast<double>(capacity) >= kMost * static_cast<double>(misses);
            const bool isLast = l + 1 == levels().size();
            const Cycles cost = capacity * (isLast ? facts_.measures.machine.memoryLatency : levels()[l + 1].latency);
            if (!isSet || cost <= most) continue;
            most = cost;
            best = WorkingSetHint{
                .level = l, .bytes = bytes, .times = static_cast<double>(misses) / static_cast<double>(first)};
            const std::uint64_t unit =
                shape_.pitch() > 0 ? shape_.pitch() : std::max<std::uint64_t>(shape_.region.elementSize, 1);
            best->areRows = shape_.pitch() > 0;
            best->fit = bytesOf(levels()[l]) / 2 / unit;
        }
        return best;
    }

    std::optional<FieldsHint> fields() const {
        const ElementType* const type = shape_.region.type.get();
        if (type == nullptr || type->fields.size() < 3 || sum_.fields.size() > type->fields.size() || used() > kMost) {
            return std::nullopt;
        }
        const auto all = std::accumulate(sum_.fields.begin(), sum_.fields.end(), std::uint64_t{0});
        std::vector<std::size_t> order(sum_.fields.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return sum_.fields[a] > sum_.fields[b]; });
        FieldsHint hint{.hot = {}, .element = type->size};
        std::uint64_t counted = 0;
        for (const std::size_t f : order) {
            if (static_cast<double>(counted) >= kNearlyAll * static_cast<double>(all)) break;
            counted += sum_.fields[f];
            hint.hot.push_back(type->fields[f].name);
            hint.bytes += type->fields[f].size;
        }
        hint.share = all == 0 ? 0 : static_cast<double>(counted) / static_cast<double>(all);
        return hint.bytes > 0 && 2 * hint.bytes <= type->size ? std::optional(std::move(hint)) : std::nullopt;
    }

    std::optional<double> nodes() const {
        const auto& blocks = facts_.trace.owners().objects(owner_);
        if (blocks.size() < kNodes || stays().fills == 0 || used() > kMost) return std::nullopt;
        const std::uint64_t most = kNodeBlocks * facts_.measures.machine.blockBytes();
        const bool areSmall = std::all_of(blocks.begin(), blocks.end(),
                                          [&](std::uint32_t o) { return facts_.trace.objects()[o].size <= most; });
        return areSmall ? std::optional(used()) : std::nullopt;
    }

    const StallFacts& facts_;
    std::size_t owner_;
    SourceLines lines_;
    OwnerShape shape_;
    StallTally sum_;
    const StallTally* most_ = nullptr;  ///< that of the line that loses most
};

}  // namespace

WhyHints hintsFor(const StallFacts& facts, std::size_t owner) {
    return owner < facts.trace.owners().count() ? HintFinder(facts, owner).find() : WhyHints();
}

std::optional<MachineConfig> prefetching(const MachineConfig& machine) {
    const bool hasOne = std::any_of(machine.levels.begin(), machine.levels.end(),
                                    [](const LevelConfig& level) { return level.prefetch != Prefetcher::none; });
    if (hasOne || machine.levels.empty()) return std::nullopt;
    MachineConfig with = machine;
    with.levels[0].prefetch = Prefetcher::stride;
    with.levels[0].degree = kDegree;
    return with;
}

}  // namespace whorl::sim
