#include "app/panels/regions/region_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "sim/trace/owners.h"

namespace whorl::app {

namespace {

/// Bytes, accesses, and misses by level.
struct Sums {
    std::uint64_t bytes = 0;
    std::uint64_t accesses = 0;
    std::vector<std::uint64_t> misses = {};

    void add(const sim::TallyTable& table, std::size_t row) {
        accesses += table.accesses(row);
        misses.resize(table.levels());
        for (std::size_t l = 0; l < misses.size(); ++l) misses[l] += table.misses(row, l);
    }
    Sums& operator+=(const Sums& more) {
        bytes += more.bytes;
        accesses += more.accesses;
        misses.resize(std::max(misses.size(), more.misses.size()));
        for (std::size_t l = 0; l < more.misses.size(); ++l) misses[l] += more.misses[l];
        return *this;
    }
    std::uint64_t ranking() const { return misses.empty() ? accesses : misses.front(); }
};

using Objects = std::vector<std::uint32_t>;

class TreeMaker {
  public:
    TreeMaker(const sim::Trace& trace, const sim::MachineConfig& machine, const sim::Ledger* ledger)
        : trace_(trace), machine_(machine), ledger_(ledger) {
        tree_.table = {.name = "regions",
                       .title = {},
                       .columns = {{"region", "name"}, {"bytes", "bytes"}, {"accesses", "acc."}},
                       .rows = {}};
        for (std::size_t l = 0; l < machine.levels.size(); ++l) {
            const std::string& level = machine.levels[l].name;
            tree_.table.columns.push_back({l == 0 ? "misses" : level + "_misses", level + " miss"});
            if (l == 0) tree_.table.columns.push_back({"share", "%"});
        }
        if (machine.levels.empty()) tree_.table.columns.push_back({"share", "%"});
    }

    RegionTree make() && {
        const sim::Owners& owners = trace_.owners();
        for (std::uint32_t owner = 0; owner < owners.count(); ++owner) {
            Objects objects;
            std::ranges::copy_if(owners.objects(owner), std::back_inserter(objects),
                                 [&](std::uint32_t o) { return trace_.objects()[o].size > 0; });
            if (owner >= trace_.regions().size()) {
                addVariable(owners.name(owner), objects);
            } else if (owners.ofRegion(owner) == owner && (!objects.empty() || !isOthers(owner))) {
                addRegion(owner, objects);  // several regions of a variable are one
            }
        }
        addShares();
        return std::move(tree_);
    }

  private:
    /// Whether memory that has no name of its own was only accessed as blocks of other owners.
    bool isOthers(std::uint32_t region) const {
        return ledger_ != nullptr && ledger_->owners.accesses(region) == 0 &&
               trace_.regions()[region].origin != sim::RegionOrigin::declared;
    }
    Sums sumsOf(std::uint32_t object) const {
        Sums sums{.bytes = trace_.objects()[object].size};
        if (ledger_ != nullptr) sums.add(ledger_->objects, object);
        return sums;
    }
    Sums sumsOf(const Objects& objects) const {
        Sums sums;
        for (const std::uint32_t o : objects) sums += sumsOf(o);
        return sums;
    }

    void addRow(std::string name, const Sums& sums, std::uint8_t depth, RegionTree::Row row) {
        std::vector<sim::Cell> cells{std::move(name), sums.bytes};
        const auto figure = [&](std::uint64_t n) { cells.push_back(ledger_ == nullptr ? sim::Cell() : sim::Cell(n)); };
        figure(sums.accesses);
        for (std::size_t l = 0; l < machine_.levels.size(); ++l) {
            figure(l < sums.misses.size() ? sums.misses[l] : 0);
            if (l == 0) cells.emplace_back();
        }
        if (machine_.levels.empty()) cells.emplace_back();
        tree_.table.rows.push_back(std::move(cells));
        tree_.depths.push_back(depth);
        tree_.rows.push_back(row);
        if (depth == 0) all_ += sums.ranking();
        ranking_.push_back(sums.ranking());
    }

    void addRegion(std::uint32_t r, const Objects& objects) {
        Sums sums;
        for (std::uint32_t other = r; other < trace_.regions().size(); ++other) {
            if (trace_.owners().ofRegion(other) == r) sums.bytes += trace_.regions()[other].size;
        }
        if (ledger_ != nullptr) sums.add(ledger_->owners, r);
        const std::string& name = trace_.regions()[r].name;
        addRow(name, sums, 0, {RegionTree::Kind::region, r});
        const bool isItself = objects.size() == 1 && trace_.objects()[objects.front()].name == name;
        if (!isItself) addClasses(objects, 1);
    }

    template <class NameOf>
    std::map<std::string, Objects> grouped(const Objects& objects, const NameOf& nameOf) const {
        std::map<std::string, Objects> groups;
        for (const std::uint32_t o : objects) groups[std::string(nameOf(trace_.objects()[o]))].push_back(o);
        return groups;
    }

    static std::string_view variable(const sim::Object& object) { return sim::variableOf(object.name); }

    void addClasses(const Objects& objects, std::uint8_t depth) {
        const auto classOf = [](const sim::Object& o) -> std::string_view {
            return o.className.empty() ? variable(o) : std::string_view(o.className);
        };
        for (const auto& [name, those] : grouped(objects, classOf)) {
            const auto variables = grouped(those, variable);
            // A class of one variable is one row: "orders: Order".
            const std::string& only = variables.begin()->first;
            const bool isBoth = variables.size() == 1 && only != name;
            if (those.size() == 1) {
                addObject(those.front(), depth);
            } else if (variables.size() == 1) {
                addGroup(isBoth ? fmt::format("{}: {}", only, name) : name, those, depth);
            } else {
                addRow(name, sumsOf(those), depth, {RegionTree::Kind::group, those.front()});
                addVariables(variables, static_cast<std::uint8_t>(depth + 1));
            }
        }
    }

    void addVariable(const std::string& name, const Objects& objects) {
        if (objects.empty()) return;
        const std::uint32_t first = objects.front();
        if (objects.size() == 1) return addRow(name, sumsOf(first), 0, {RegionTree::Kind::object, first});
        const std::string& type = trace_.objects()[first].className;
        const bool isOfOne = !type.empty() && type != name && std::ranges::all_of(objects, [&](std::uint32_t o) {
            return trace_.objects()[o].className == type;
        });
        addGroup(isOfOne ? fmt::format("{}: {}", name, type) : name, objects, 0);
    }

    void addVariables(const std::map<std::string, Objects>& variables, std::uint8_t depth) {
        for (const auto& [name, those] : variables) {
            if (those.size() == 1) {
                addObject(those.front(), depth);
            } else {
                addGroup(name, those, depth);
            }
        }
    }

    void addObject(std::uint32_t o, std::uint8_t depth) {
        addRow(trace_.objects()[o].name, sumsOf(o), depth, {RegionTree::Kind::object, o});
    }

    void addGroup(const std::string& name, const Objects& objects, std::uint8_t depth) {
        addRow(name, sumsOf(objects), depth, {RegionTree::Kind::group, objects.front()});
        std::vector<std::pair<std::uint64_t, std::uint32_t>> costs;
        for (const std::uint32_t o : objects) costs.emplace_back(~sumsOf(o).ranking(), o);
        if (costs.size() > RegionTree::kMaxListed) std::sort(costs.begin(), costs.end());
        Sums rest;
        for (std::size_t i = 0; i < costs.size(); ++i) {
            if (i < RegionTree::kMaxListed) {
                addObject(costs[i].second, static_cast<std::uint8_t>(depth + 1));
            } else {
                rest += sumsOf(costs[i].second);
            }
        }
        if (costs.size() <= RegionTree::kMaxListed) return;
        addRow(fmt::format("and {} more", sim::grouped(costs.size() - RegionTree::kMaxListed)), rest,
               static_cast<std::uint8_t>(depth + 1), {RegionTree::Kind::leftOut, 0});
    }

    void addShares() {
        if (ledger_ == nullptr || all_ == 0) return;
        const std::size_t column = sim::columnOf(tree_.table.columns, "share");
        for (std::size_t r = 0; r < ranking_.size(); ++r) {
            tree_.table.rows[r][column] = 100 * static_cast<double>(ranking_[r]) / static_cast<double>(all_);
        }
    }

    const sim::Trace& trace_;
    const sim::MachineConfig& machine_;
    const sim::Ledger* ledger_;
    RegionTree tree_;
    std::uint64_t all_ = 0;
    std::vector<std::uint64_t> ranking_;  ///< by row: what its share is of
};

}  // namespace

RegionTree regionTree(const sim::Trace& trace, const sim::MachineConfig& machine, const sim::Ledger* ledger) {
    return TreeMaker(trace, machine, ledger).make();
}

}  // namespace whorl::app
