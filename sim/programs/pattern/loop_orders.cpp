#include "sim/programs/pattern/loop_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "sim/base/text.h"
#include "sim/programs/pattern/loop_nest.h"
#include "sim/programs/pattern/pattern_text.h"
#include "sim/programs/pattern/run_pattern.h"

namespace whorl::sim {

namespace {

using Kind = PatternStatement::Kind;
using Body = std::vector<PatternStatement>;
using Numbers = std::vector<std::size_t>;

/// Turns of a block; those first that fill a block of a cache, and fit into most.
constexpr std::array<std::int64_t, 4> kBlocks = {16, 32, 8, 64};
/// Steps of a loop that are not longer, so that those of its blocks do not overflow.
constexpr std::int64_t kLongestStep = std::int64_t{1} << 32;

/// An order of the loops of a nest.
struct Order {
    LoopNest nest;
    Numbers path;          ///< where its outermost loop is: the index in each body, from that of the pattern
    Numbers sequence;      ///< of its loops, the outermost first
    Numbers blocked = {};  ///< those of its loops that run in blocks; the loops over the blocks are around all
    std::int64_t block = 0;
};

std::vector<std::string> variablesOf(const Order& order, const Numbers& loops) {
    std::vector<std::string> names;
    for (const std::size_t l : loops) names.push_back(order.nest.loops[l]->variable);
    return names;
}

std::string inWords(const Order& order) {
    Numbers all(order.nest.loops.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (order.block == 0) {
        const std::string loops = "the loops over " + joinNames(variablesOf(order, all));
        if (all.size() == 2) return loops + " the other way round";
        return fmt::format("{} in the order {}", loops, fmt::join(variablesOf(order, order.sequence), ", "));
    }
    // Loops that are next to each other may also be blocked where they stand.
    const std::string around =
        order.blocked.front() == 0 ? std::string() : " around that over " + order.nest.loops.front()->variable;
    return fmt::format("the loops over {} in blocks of {}{}", joinNames(variablesOf(order, order.blocked)), order.block,
                       around);
}

/// A pattern with an order of its loops.
class OrderMaker {
  public:
    OrderMaker(const Pattern& pattern, const Order& order) : out_(pattern), order_(order) {
        for (const PatternArray& array : pattern.arrays) names_.insert(array.name);
        for (const PatternStatement& s : pattern.body) addVariables(s);
        const std::size_t around = order.nest.around;
        numbers_.resize(around + order.nest.loops.size());
        std::iota(numbers_.begin(), numbers_.end(), std::size_t{0});
        for (std::size_t l = 0; l < order.sequence.size(); ++l) {
            numbers_[around + order.sequence[l]] = around + order.blocked.size() + l;
        }
    }

    /// Nothing where the loops cannot be run in such blocks.
    std::optional<Pattern> made() {
        auto loops = nested();
        if (!loops) return std::nullopt;
        PatternStatement* outer = &out_.body[order_.path.front()];
        for (std::size_t p = 1; p < order_.path.size(); ++p) outer = &outer->body[order_.path[p]];
        *outer = *std::move(loops);
        return std::move(out_);
    }

  private:
    /// What a loop does if it is known: its first and last values and its step are constants.
    struct Known {
        std::int64_t step = 1;
        std::optional<std::uint64_t> turns;
    };

    void addVariables(const PatternStatement& s) {
        names_.insert(s.variable);
        for (const PatternStatement& inner : s.body) addVariables(inner);
    }

    std::optional<std::int64_t> constantIn(const Formula& formula) const {
        if (varies(formula, 0, out_.steps)) return std::nullopt;
        try {
            return Calculator(out_.steps).value(formula, {});
        } catch (const PatternFault&) {
            return std::nullopt;
        }
    }

    /// Nothing if the step is not known, or none.
    std::optional<Known> known(const PatternStatement& loop) const {
        const auto step = loop.step ? constantIn(*loop.step) : 1;
        if (!step || *step == 0 || *step > kLongestStep || *step < -kLongestStep) return std::nullopt;
        const auto from = constantIn(loop.from);
        const auto to = constantIn(loop.to);
        Known known{.step = *step, .turns = std::nullopt};
        if (from && to) known.turns = turnsOf(*from, *to, *step, loop.isInclusive);
        return known;
    }

    Formula added(std::initializer_list<FormulaStep> steps) {
        const auto first = static_cast<std::uint32_t>(out_.steps.size());
        out_.steps.insert(out_.steps.end(), steps);
        return {.first = first, .end = static_cast<std::uint32_t>(out_.steps.size())};
    }

    /// A formula with the variables' numbers in the new order.
    Formula renumbered(const Formula& formula) {
        const auto first = static_cast<std::uint32_t>(out_.steps.size());
        for (std::uint32_t s = formula.first; s < formula.end; ++s) {
            FormulaStep step = out_.steps[s];
            if (step.code == FormulaCode::variable) {
                const auto number = static_cast<std::size_t>(step.value);
                step.value = static_cast<std::int64_t>(number < numbers_.size() ? numbers_[number]
                                                                                : number + order_.blocked.size());
            }
            out_.steps.push_back(step);
        }
        return {.first = first, .end = static_cast<std::uint32_t>(out_.steps.size()), .at = formula.at};
    }

    void renumber(Body& body) {
        for (PatternStatement& s : body) {
            for (Formula* f : {&s.from, &s.to, &s.place.indexes[0], &s.place.indexes[1]}) *f = renumbered(*f);
            if (s.step) s.step = renumbered(*s.step);
            renumber(s.body);
        }
    }

    /// "ii" for i, with more letters if that is the name of something else.
    std::string nameOfBlocks(const std::string& variable) {
        std::string name = variable.size() == 1 ? variable + variable : variable + "_block";
        while (!names_.insert(name).second) name += variable.size() == 1 ? variable : "_";
        return name;
    }

    /// The number that ends a loop, beyond its last value. Nothing if 64 bits are too few for it.
    std::optional<Formula> endOf(const PatternStatement& loop, bool isUp) {
        if (!loop.isInclusive) return loop.to;
        const auto last = constantIn(loop.to);
        const auto limit = isUp ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
        if (last == limit) return std::nullopt;
        if (last) return added({{.value = *last + (isUp ? 1 : -1)}});
        const Formula to = renumbered(loop.to);
        return Formula{.first = to.first,
                       .end = added({{.value = 1}, {.code = isUp ? FormulaCode::add : FormulaCode::subtract}}).end};
    }

    /// Splits a loop in two: one over its blocks, whose variable has this number, and one over the turns of a block.
    std::optional<PatternStatement> split(PatternStatement& loop, std::size_t number) {
        const auto its = known(loop);
        // With one block, nothing changes.
        if (!its || (its->turns && *its->turns <= static_cast<std::uint64_t>(order_.block))) return std::nullopt;
        const bool isUp = its->step > 0;
        const auto end = endOf(loop, isUp);
        if (!end) return std::nullopt;
        const std::int64_t length = its->step * order_.block;
        PatternStatement blocks = loop;
        blocks.variable = nameOfBlocks(loop.variable);
        blocks.step = added({{.value = length}});
        const FormulaStep from{.code = FormulaCode::variable, .value = static_cast<std::int64_t>(number)};
        loop.from = added({from});
        const Formula next = added(
            {from, {.value = isUp ? length : -length}, {.code = isUp ? FormulaCode::add : FormulaCode::subtract}});
        renumbered(*end);
        loop.to = {.first = next.first,
                   .end = added({{.code = isUp ? FormulaCode::least : FormulaCode::greatest}}).end};
        loop.isInclusive = false;
        return blocks;
    }

    std::optional<PatternStatement> nested() {
        std::vector<PatternStatement> loops;
        for (const std::size_t l : order_.sequence) {
            PatternStatement& loop = loops.emplace_back(*order_.nest.loops[l]);
            loop.body.clear();
        }
        std::vector<PatternStatement> all;
        for (const std::size_t b : order_.blocked) {
            const auto at = std::find(order_.sequence.begin(), order_.sequence.end(), b) - order_.sequence.begin();
            auto blocks = split(loops[static_cast<std::size_t>(at)], order_.nest.around + all.size());
            if (!blocks) return std::nullopt;
            all.push_back(*std::move(blocks));
        }
        std::move(loops.begin(), loops.end(), std::back_inserter(all));
        all.back().body = order_.nest.body;
        renumber(all.back().body);
        while (all.size() > 1) {
            PatternStatement inner = std::move(all.back());
            all.pop_back();
            all.back().body = {std::move(inner)};
        }
        return std::move(all.front());
    }

    Pattern out_;
    const Order& order_;
    Numbers numbers_;              ///< the new number of each variable of the nest, and around it
    std::set<std::string> names_;  ///< all that the pattern has
};

/// Finds nests, and orders of them.
class OrderFinder {
  public:
    explicit OrderFinder(const Pattern& pattern) : pattern_(pattern) { findIn(pattern.body, 0); }

    std::vector<LoopOrder> found() {
        std::vector<LoopOrder> out;
        const std::string now = asText(pattern_);
        const auto add = [&](const Order& order) {
            if (out.size() == kMaxLoopOrders) return;
            const auto made = OrderMaker(pattern_, order).made();
            if (!made) return;
            LoopOrder found{.words = inWords(order), .line = order.nest.loops.front()->line, .text = asText(*made)};
            // More than the limits of the language are nested, or the name of a loop is that of an array after it.
            if (found.text != now && parsePattern(found.text, pattern_.file)) out.push_back(std::move(found));
        };
        for (const Order& order : permutations_) add(order);
        for (const std::int64_t block : kBlocks) {
            for (Order& order : blocked_) {
                order.block = block;
                add(order);
            }
        }
        return out;
    }

  private:
    void findIn(const Body& body, std::size_t around) {
        path_.push_back(0);
        for (const PatternStatement& s : body) {
            if (s.kind == Kind::loop) findAt(s, around);
            findIn(s.body, around + (s.kind == Kind::loop ? 1 : 0));
            ++path_.back();
        }
        path_.pop_back();
    }

    /// Orders of two and three loops, the outermost of which moves: others are found elsewhere.
    void findAt(const PatternStatement& outer, std::size_t around) {
        if (permutations_.size() >= kMaxLoopOrders) return;
        if (const auto two = permutableNest(outer, around, 2, pattern_.steps)) {
            permutations_.push_back({*two, path_, {1, 0}});
            blocked_.push_back({*two, path_, {0, 1}, {0, 1}});
        }
        if (const auto three = permutableNest(outer, around, 3, pattern_.steps)) {
            for (const Numbers& order : {Numbers{1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
                permutations_.push_back({*three, path_, order});
            }
            for (const Numbers& loops : {Numbers{0, 1, 2}, {0, 2}, {1, 2}}) {
                blocked_.push_back({*three, path_, {0, 1, 2}, loops});
            }
        }
    }

    const Pattern& pattern_;
    Numbers path_;
    std::vector<Order> permutations_;
    std::vector<Order> blocked_;
};

}  // namespace

std::vector<LoopOrder> loopOrders(const Pattern& pattern) {
    return OrderFinder(pattern).found();
}

}  // namespace whorl::sim
