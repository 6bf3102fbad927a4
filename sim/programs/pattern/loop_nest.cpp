#include "sim/programs/pattern/loop_nest.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace whorl::sim {

namespace {

using Kind = PatternStatement::Kind;
using Body = std::vector<PatternStatement>;

/// Statements of a nest, all of which are compared with each other.
constexpr std::size_t kMostStatements = 1000;

/// Calls `take` with a statement and all statements in it.
template <class F>
void forEachIn(const PatternStatement& statement, F&& take) {
    take(statement);
    for (const PatternStatement& inner : statement.body) forEachIn(inner, take);
}

bool draws(const Formula& formula, const FormulaSteps& steps) {
    const auto all = stepsOf(formula, steps);
    return std::any_of(all.begin(), all.end(), [](const FormulaStep& s) { return s.code == FormulaCode::random; });
}

bool isSame(const Formula& a, const Formula& b, const FormulaSteps& steps) {
    const auto of = stepsOf(a, steps);
    const auto other = stepsOf(b, steps);
    return std::equal(of.begin(), of.end(), other.begin(), other.end(), [](const FormulaStep& x, const FormulaStep& y) {
        return x.code == y.code && x.value == y.value;
    });
}

bool isSame(const PatternPlace& a, const PatternPlace& b, const FormulaSteps& steps) {
    return a.array == b.array && a.size == b.size && isSame(a.indexes[0], b.indexes[0], steps) &&
           isSame(a.indexes[1], b.indexes[1], steps);
}

/// Whether several variables with at least this number are in a formula.
bool mixes(const Formula& formula, std::size_t from, const FormulaSteps& steps) {
    std::optional<std::int64_t> only;
    for (const FormulaStep& step : stepsOf(formula, steps)) {
        if (step.code != FormulaCode::variable || static_cast<std::size_t>(step.value) < from) continue;
        if (only && *only != step.value) return true;
        only = step.value;
    }
    return false;
}

/// Whether all that a loop does is made by one CPU, without random numbers, and in few statements.
bool isPlain(const PatternStatement& outer, const FormulaSteps& steps) {
    bool out = true;
    std::size_t count = 0;
    forEachIn(outer, [&](const PatternStatement& s) {
        out = out && ++count <= kMostStatements && s.kind != Kind::cpu && !(s.step && draws(*s.step, steps));
        for (const Formula* f : {&s.from, &s.to, &s.place.indexes[0], &s.place.indexes[1]}) {
            out = out && !draws(*f, steps);
        }
    });
    return out;
}

/// The only loop in a loop, with accesses beside it; null if there is none.
const PatternStatement* innerLoop(const PatternStatement& loop) {
    const PatternStatement* inner = nullptr;
    for (const PatternStatement& s : loop.body) {
        if (s.kind == Kind::access) continue;
        if (s.kind != Kind::loop || inner != nullptr) return nullptr;
        inner = &s;
    }
    return inner;
}

/// The accesses beside the inner loops of a nest, in the order in which they are made.
struct Beside {
    Body before;
    Body after;
};

Beside besideOf(const std::vector<const PatternStatement*>& loops) {
    Beside beside;
    for (std::size_t l = 0; l + 1 < loops.size(); ++l) {
        const Body& body = loops[l]->body;
        const auto inner = body.begin() + (loops[l + 1] - body.data());
        beside.before.insert(beside.before.end(), body.begin(), inner);
        beside.after.insert(beside.after.begin(), inner + 1, body.end());
    }
    return beside;
}

/// The body of the innermost loop, with the accesses beside it. Nothing where what is written beside it is no sum: it
/// is written before the loop, or accessed in it.
std::optional<Body> sunkBody(const std::vector<const PatternStatement*>& loops, const FormulaSteps& steps) {
    const Beside beside = besideOf(loops);
    const Body& inner = loops.back()->body;
    const auto isRead = [](const PatternStatement& s) { return s.action == PatternAction::read; };
    if (!std::all_of(beside.before.begin(), beside.before.end(), isRead)) return std::nullopt;
    Body sums;
    const auto isSum = [&](const PatternStatement& s) {
        return std::any_of(sums.begin(), sums.end(),
                           [&](const PatternStatement& sum) { return isSame(sum.place, s.place, steps); });
    };
    for (const PatternStatement& s : beside.after) {
        if (isRead(s) || isSum(s)) continue;
        sums.push_back(s);
        sums.back().action = PatternAction::update;
    }
    bool isInside = false;
    for (const PatternStatement& s : inner) {
        forEachIn(s, [&](const PatternStatement& of) {
            for (const PatternStatement& sum : sums) {
                isInside = isInside || (of.kind == Kind::access && of.place.array == sum.place.array);
            }
        });
    }
    if (isInside) return std::nullopt;
    Body out;
    const auto addReads = [&](const Body& from) {
        std::copy_if(from.begin(), from.end(), std::back_inserter(out),
                     [&](const PatternStatement& s) { return isRead(s) && !isSum(s); });
    };
    addReads(beside.before);
    out.insert(out.end(), inner.begin(), inner.end());
    addReads(beside.after);
    std::move(sums.begin(), sums.end(), std::back_inserter(out));
    return out;
}

/// Whether each element that is written is accessed in the same order, or only updated, in any order of the loops: then
/// its accesses are those of all combinations of some turns of each loop, the last of which is the same in any order.
bool isAnyOrder(const Body& body, std::size_t around, const FormulaSteps& steps) {
    std::vector<const PatternStatement*> all;
    for (const PatternStatement& s : body) {
        forEachIn(s, [&](const PatternStatement& of) {
            if (of.kind == Kind::access) all.push_back(&of);
        });
    }
    const auto isAddress = [](const PatternStatement* s) { return !s->place.array; };
    const auto writes = [](const PatternStatement* s) { return s->action != PatternAction::read; };
    if (!std::any_of(all.begin(), all.end(), writes)) return true;
    if (std::any_of(all.begin(), all.end(), isAddress)) return false;
    return std::all_of(all.begin(), all.end(), [&](const PatternStatement* a) {
        if (!writes(a)) return true;
        const bool isMixed = mixes(a->place.indexes[0], around, steps) || mixes(a->place.indexes[1], around, steps);
        return std::all_of(all.begin(), all.end(), [&](const PatternStatement* b) {
            if (b->place.array != a->place.array) return true;
            const bool isSum = a->action == PatternAction::update && b->action == PatternAction::update;
            return isSame(a->place, b->place, steps) && (isSum || !isMixed);
        });
    });
}

}  // namespace

std::span<const FormulaStep> stepsOf(const Formula& formula, const FormulaSteps& steps) {
    return std::span(steps).subspan(formula.first, formula.end - formula.first);
}

bool varies(const Formula& formula, std::size_t from, const FormulaSteps& steps) {
    const auto all = stepsOf(formula, steps);
    return std::any_of(all.begin(), all.end(), [&](const FormulaStep& step) {
        return step.code == FormulaCode::variable && static_cast<std::size_t>(step.value) >= from;
    });
}

std::optional<LoopNest> permutableNest(const PatternStatement& outer, std::size_t around, std::size_t count,
                                       const FormulaSteps& steps) {
    LoopNest nest{.loops = {&outer}, .around = around, .body = {}};
    while (nest.loops.size() < count) {
        const PatternStatement* const inner = innerLoop(*nest.loops.back());
        if (inner == nullptr) return std::nullopt;
        nest.loops.push_back(inner);
    }
    const auto isFree = [&](const PatternStatement* loop) {
        return !varies(loop->from, around, steps) && !varies(loop->to, around, steps) &&
               !(loop->step && varies(*loop->step, around, steps));
    };
    if (!isPlain(outer, steps) || !std::all_of(nest.loops.begin(), nest.loops.end(), isFree)) return std::nullopt;
    auto body = sunkBody(nest.loops, steps);
    if (!body || !isAnyOrder(*body, around, steps)) return std::nullopt;
    nest.body = *std::move(body);
    return nest;
}

}  // namespace whorl::sim
