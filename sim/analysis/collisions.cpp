#include "sim/analysis/collisions.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "sim/replay/totals/ledger.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

namespace {

constexpr std::array<std::string_view, 3> kSorts = {"region", "object", "class"};

/// Names the things at addresses, and numbers the names. Different things with the same name get separate numbers,
/// except classes.
class Names {
  public:
    Names(const Trace& trace, CollisionsOf of) : trace_(trace), of_(of) {}

    std::uint32_t ofAccess(ByteAddress address, Tick t) {
        return of_ == CollisionsOf::region ? region(trace_.regionAt(address)) : object(address, t);
    }
    /// The name for a block; its region is the one that the ledger attributes it to.
    std::uint32_t ofBlock(ByteAddress base, std::uint64_t size, Tick t) {
        return of_ == CollisionsOf::region ? region(regionOfBlock(trace_, base, size)) : object(base, t);
    }
    std::vector<std::string> takeNames() { return std::move(names_); }
    std::vector<std::size_t> takeThings() { return std::move(things_); }

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
        if (isNew) {
            names_.push_back(name);
            things_.push_back(thing);
        }
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
    std::vector<std::size_t> things_;
    std::map<std::size_t, std::uint32_t> ofThing_;
    std::map<std::string, std::uint32_t> ofName_;
};

/// A stay that ended with an eviction.
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

}  // namespace

std::optional<CollisionsOf> collisionsNamed(std::string_view word) {
    const auto at = std::find(kSorts.begin(), kSorts.end(), word);
    if (at == kSorts.end()) return std::nullopt;
    return static_cast<CollisionsOf>(at - kSorts.begin());
}

std::string_view wordFor(CollisionsOf of) {
    return kSorts[static_cast<std::size_t>(of)];
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
        const std::uint32_t evictor = names.ofAccess(access.address, end.tick);
        const std::uint32_t victim = names.ofBlock(base, level.blockSize, end.tick);
        const auto [at, isNew] = placeOf.try_emplace({end.level, evictor, victim}, out.cells.size());
        if (isNew) out.cells.push_back({.level = end.level, .evictor = evictor, .victim = victim});
        out.cells[at->second].moments.push_back(end.tick);
    }
    out.names = names.takeNames();
    out.things = names.takeThings();
    rank(out.cells);
    for (const HistoryLevel& level : history.levels) out.leftOut += level.leftOut;
    return out;
}

CollisionThing collisionThing(const Collisions& collisions, const Trace& trace, ByteAddress byte, Tick tick) {
    Names names(trace, collisions.of);
    names.ofAccess(byte, tick);
    CollisionThing thing{names.takeNames().front(), {}};
    const auto indexIn = [&](const auto& all, const auto& what) {
        const auto at = std::find(all.begin(), all.end(), what);
        if (at != all.end()) thing.index = static_cast<std::uint32_t>(at - all.begin());
    };
    if (collisions.of == CollisionsOf::className) {
        indexIn(collisions.names, thing.name);
    } else {
        indexIn(collisions.things, names.takeThings().front());
    }
    return thing;
}

std::vector<CollisionSum> collisionSums(const Collisions& collisions, std::size_t level,
                                        std::uint32_t Collision::*side) {
    std::vector<CollisionSum> sums(collisions.names.size());
    for (std::uint32_t n = 0; n < sums.size(); ++n) sums[n].name = n;
    for (const Collision& c : collisions.cells) {
        if (c.level == level) sums[c.*side].count += c.count();
    }
    std::erase_if(sums, [](const CollisionSum& s) { return s.count == 0; });
    std::stable_sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
    return sums;
}

}  // namespace whorl::sim
