#include "sim/analysis/collisions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "sim/replay/totals/ledger.h"
#include "sim/trace/trace_cursor.h"

namespace whorl::sim {

namespace {

constexpr std::array<std::string_view, 3> kSorts = {"region", "object", "class"};
/// Moments that a table for people names.
constexpr std::size_t kFewMoments = 5;

/// Gives names to what is at an address, and numbers to the names. Things of one name that are not the same have
/// numbers of their own, but for classes.
class Names {
  public:
    Names(const Trace& trace, CollisionsOf of) : trace_(trace), of_(of) {}

    std::uint32_t ofAccess(ByteAddress address, Tick t) {
        return of_ == CollisionsOf::region ? region(trace_.regionAt(address)) : object(address, t);
    }
    /// Of a block, as the ledger sees it.
    std::uint32_t ofBlock(ByteAddress base, std::uint64_t size, Tick t) {
        return of_ == CollisionsOf::region ? region(regionOfBlock(trace_, base, size)) : object(base, t);
    }
    std::vector<std::string> take() { return std::move(names_); }

  private:
    std::uint32_t region(std::size_t r) {
        const bool any = r < trace_.regions().size();
        return numbered(r, any ? trace_.regions()[r].name : "(no region)");
    }
    std::uint32_t object(ByteAddress a, Tick t) {
        const Object* const o = trace_.objectAt(a, t);
        if (of_ == CollisionsOf::object) {
            const auto index =
                o == nullptr ? trace_.objects().size() : static_cast<std::size_t>(o - trace_.objects().data());
            return numbered(index, o == nullptr ? "(no object)" : o->name);
        }
        if (o != nullptr) return named(o->className.empty() ? o->name : o->className);
        const std::size_t r = trace_.regionAt(a);
        const bool isDeclared = r < trace_.regions().size() && trace_.regions()[r].origin == RegionOrigin::declared;
        return named(isDeclared ? trace_.regions()[r].name : "(no class)");
    }
    std::uint32_t numbered(std::size_t thing, const std::string& name) {
        const auto [at, isNew] = ofThing_.try_emplace(thing, static_cast<std::uint32_t>(names_.size()));
        if (isNew) names_.push_back(name);
        return at->second;
    }
    std::uint32_t named(const std::string& name) {
        const auto [at, isNew] = ofName_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
        if (isNew) names_.push_back(name);
        return at->second;
    }

    const Trace& trace_;
    CollisionsOf of_;
    std::vector<std::string> names_;
    std::map<std::size_t, std::uint32_t> ofThing_;
    std::map<std::string, std::uint32_t> ofName_;
};

/// A stay that ended for want of room.
struct End {
    Tick tick;
    std::uint32_t level;
    std::uint32_t block;
};

std::vector<End> endsOf(const History& history) {
    std::vector<End> ends;
    for (std::uint32_t l = 0; l < history.levels.size(); ++l) {
        for (const Stay& s : history.levels[l].stays) {
            if (s.leaving == Leaving::replaced) ends.push_back({s.out, l, s.block});
        }
    }
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
        return std::tie(a.tick, a.level, a.block) < std::tie(b.tick, b.level, b.block);
    });
    return ends;
}

void rank(std::vector<Collision>& cells) {
    std::stable_sort(cells.begin(), cells.end(), [](const Collision& a, const Collision& b) {
        return a.level != b.level ? a.level < b.level : a.count() > b.count();
    });
}

std::string inWords(const std::vector<Tick>& moments) {
    std::string out;
    for (std::size_t i = 0; i < std::min(moments.size(), kFewMoments); ++i) {
        out += fmt::format("{}{}", i == 0 ? "" : ", ", moments[i].value);
    }
    return moments.size() > kFewMoments ? out + ", …" : out;
}

/// The collisions of a level that each name has its part in.
std::vector<std::uint64_t> sumsBy(std::uint32_t Collision::*name, const Collisions& collisions, std::size_t level) {
    std::vector<std::uint64_t> sums(collisions.names.size(), 0);
    for (const Collision& c : collisions.cells) sums[c.*name] += c.level == level ? c.count() : 0;
    return sums;
}

/// The names that have any, what has most first.
std::vector<std::uint32_t> ranked(const std::vector<std::uint64_t>& sums) {
    std::vector<std::uint32_t> out;
    out.reserve(sums.size());
    for (std::uint32_t n = 0; n < sums.size(); ++n) {
        if (sums[n] > 0) out.push_back(n);
    }
    std::stable_sort(out.begin(), out.end(), [&](auto a, auto b) { return sums[a] > sums[b]; });
    return out;
}

}  // namespace

std::optional<CollisionsOf> collisionsNamed(std::string_view word) {
    const auto at = std::find(kSorts.begin(), kSorts.end(), word);
    if (at == kSorts.end()) return std::nullopt;
    return static_cast<CollisionsOf>(at - kSorts.begin());
}

Collisions collisionsOf(const History& history, const Trace& trace, CollisionsOf of) {
    Collisions out{.of = of};
    Names names(trace, of);
    std::map<std::tuple<std::size_t, std::uint32_t, std::uint32_t>, std::size_t> placeOf;
    const CursorLoan loan(trace);
    for (const End& end : endsOf(history)) {
        const Access access = loan.cursor().at(end.tick);
        if (access.unrecorded) continue;
        const HistoryLevel& level = history.levels[end.level];
        const ByteAddress base{level.blocks[end.block].block.value * level.blockSize};
        const std::uint32_t culprit = names.ofAccess(access.address, end.tick);
        const std::uint32_t victim = names.ofBlock(base, level.blockSize, end.tick);
        const auto [at, isNew] = placeOf.try_emplace({end.level, culprit, victim}, out.cells.size());
        if (isNew) out.cells.push_back({.level = end.level, .culprit = culprit, .victim = victim});
        out.cells[at->second].moments.push_back(end.tick);
    }
    out.names = names.take();
    rank(out.cells);
    for (const HistoryLevel& level : history.levels) out.leftOut += level.leftOut;
    return out;
}

Table collisionMatrix(const Collisions& collisions, const History& history, std::size_t level, std::size_t top) {
    const std::vector<std::uint64_t> sums = sumsBy(&Collision::culprit, collisions, level);
    const std::vector<std::uint32_t> culprits = ranked(sums);
    const std::vector<std::uint32_t> victims = ranked(sumsBy(&Collision::victim, collisions, level));
    const std::size_t columns = std::min(top, victims.size());
    Table table{
        .name = "collisions_" + history.levels[level].name,
        .title = fmt::format("Who throws whom out of {}: a row throws out a column", history.levels[level].name),
        .columns = {{"culprit", std::string(kSorts[static_cast<std::size_t>(collisions.of)])}},
        .rows = {}};
    for (std::size_t v = 0; v < columns; ++v) {
        table.columns.push_back({collisions.names[victims[v]], collisions.names[victims[v]]});
    }
    if (columns < victims.size()) table.columns.push_back({"others", "others"});
    table.columns.push_back({"in_all", "in all"});
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
    for (const Collision& c : collisions.cells) {
        if (c.level == level) counts[{c.culprit, c.victim}] = c.count();
    }
    for (const std::uint32_t culprit : culprits) {
        std::uint64_t others = sums[culprit];
        std::vector<Cell> cells{collisions.names[culprit]};
        for (std::size_t v = 0; v < columns; ++v) {
            const auto at = counts.find({culprit, victims[v]});
            const std::uint64_t count = at == counts.end() ? 0 : at->second;
            cells.emplace_back();
            if (count > 0) cells.back() = count;
            others -= count;
        }
        if (columns < victims.size()) cells.emplace_back(others);
        cells.emplace_back(sums[culprit]);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table collisionPairs(const Collisions& collisions, const History& history, std::optional<std::size_t> level) {
    Table table{.name = "collisions",
                .title = "The pairs that collide most",
                .columns = {{"level", "level"},
                            {"culprit", "culprit"},
                            {"victim", "victim"},
                            {"evictions", "evictions"},
                            {"moments", "first at access"}},
                .rows = {}};
    for (const Collision& c : collisions.cells) {
        if (level && c.level != *level) continue;
        table.rows.push_back({history.levels[c.level].name, collisions.names[c.culprit], collisions.names[c.victim],
                              c.count(), inWords(c.moments)});
    }
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
        return std::get<std::uint64_t>(a[3]) > std::get<std::uint64_t>(b[3]);
    });
    return table;
}

}  // namespace whorl::sim
