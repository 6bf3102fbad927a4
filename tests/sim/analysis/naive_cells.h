// The sums of cells as their definitions say, from the events of the slow reference simulator.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "sim/analysis/cell_table.h"
#include "sim/analysis/history_help.h"
#include "sim/reference/reference.h"

namespace whorl::sim::test {

class NaiveCells {
  public:
    struct Cell {
        CellSums sums;
        std::vector<std::set<std::uint32_t>> conflicts;  ///< by level; without those of evicted blocks
    };

    NaiveCells(const sim::Run& run, Range range, std::uint64_t grain)
        : machine_(run.machine()),
          trace_(run.trace()),
          grain_(grain),
          requests_(machine_.levels.size()),
          evictedBy_(machine_.levels.size()) {
        std::vector<Access> accesses;
        trace_.forEach(Tick{0}, Tick{trace_.size()}, [&](Tick, const Access& a) { accesses.push_back(a); });
        reference::Reference reference(machine_, reference::futureOf(machine_, accesses));
        std::vector<Fill> fills;
        std::vector<std::size_t> filled(machine_.levels.size(), 0);
        for (std::size_t t = 0; t < accesses.size(); ++t) {
            const std::uint64_t before = reference.tally().clock(accesses[t].cpu);
            const auto happenings = reference.play(accesses[t]);
            const std::uint64_t cost = reference.tally().clock(accesses[t].cpu) - before;
            const bool counts = range.contains(Tick{t}) && !accesses[t].unrecorded;
            if (counts) take(accesses[t], happenings, cost);
            for (const auto& h : happenings) {
                if (h.what != reference::What::fill) continue;
                const std::size_t number = filled[h.level]++;
                if (counts) fills.push_back({h.level, number, fillerOf(accesses[t], h)});
            }
        }
        const auto used = reference.uses().used();
        for (const Fill& f : fills)
            at(f.address).sums.stays[f.level] += {.fills = 1, .usedBytes = used[f.level][f.number]};
    }

    /// By address.
    const std::map<std::uint64_t, Cell>& cells() const { return cells_; }
    CellSums sums(std::uint64_t from, std::uint64_t last) const {
        CellSums sum;
        for (const auto& [address, cell] : cells_) {
            if (from <= address && address <= last) sum += cell.sums;
        }
        return sum;
    }
    /// Of the cells that begin in this memory.
    std::vector<std::uint32_t> conflicts(std::size_t level, std::uint64_t from, std::uint64_t last) const {
        std::set<std::uint32_t> regions;
        const std::uint64_t size = machine_.levels[level].block;
        for (const auto& [address, cell] : cells_) {
            if (from <= address && address <= last)
                regions.insert(cell.conflicts[level].begin(), cell.conflicts[level].end());
        }
        if (from > ~std::uint64_t{0} - (grain_ - 1)) return {};
        const std::uint64_t first = (from + (grain_ - 1)) / grain_ * grain_;
        const std::uint64_t end = last / grain_ * grain_ + (grain_ - 1);
        for (const auto& [block, evictors] : evictedBy_[level]) {
            const std::uint64_t lastOfBlock = block * size + (size - 1);
            if (first < end && block * size <= end && lastOfBlock >= first)
                regions.insert(evictors.begin(), evictors.end());
        }
        return {regions.begin(), regions.end()};
    }

  private:
    struct Fill {
        std::size_t level;
        std::size_t number;  ///< among all fills of the level
        std::uint64_t address;
    };
    struct Request {
        bool counted = false;
        bool missed = false;
    };

    Cell& at(std::uint64_t address) {
        Cell& cell = cells_[address / grain_ * grain_];
        cell.conflicts.resize(machine_.levels.size());
        return cell;
    }
    std::uint64_t fillerOf(const Access& a, const reference::Happening& fill) const {
        const std::uint64_t size = machine_.levels[fill.level].block;
        const std::uint64_t base = fill.block * size;
        for (std::uint64_t byte = 0; byte < a.size; ++byte) {
            if ((a.address.value + byte) / size == fill.block) return a.address.value + byte;
        }
        return base;
    }
    std::uint32_t regionAt(std::uint64_t address) const {
        const auto& regions = trace_.regions();
        for (std::uint32_t r = 0; r < regions.size(); ++r) {
            if (regions[r].base.value <= address && address - regions[r].base.value < regions[r].size) return r;
        }
        return static_cast<std::uint32_t>(regions.size());
    }
    std::uint32_t regionOfBlock(std::uint64_t base, std::uint64_t size) const {
        for (std::uint64_t byte = 0; byte < size; ++byte) {
            const std::uint32_t region = regionAt(base + byte);
            if (region < trace_.regions().size()) return region;
        }
        return static_cast<std::uint32_t>(trace_.regions().size());
    }
    void take(const Access& a, const std::vector<reference::Happening>& happenings, std::uint64_t cost) {
        using reference::What;
        Cell& own = at(a.address.value);
        const std::uint64_t counts = a.isWrite() && a.modify && machine_.conventions.modifyCountsOnce ? 0 : 1;
        own.sums.accesses += counts;
        own.sums.writes += a.isWrite() ? counts : 0;
        own.sums.cycles += cost;
        own.sums.penalty += cost - counts * machine_.levels[0].latency;
        std::size_t served = 0;
        std::fill(requests_.begin(), requests_.end(), Request{});
        for (const auto& h : happenings) {
            const std::uint64_t size = h.level < machine_.levels.size() ? machine_.levels[h.level].block : 1;
            if (h.what == What::tlbMiss) own.sums.tlbMisses += 1;
            if (h.what == What::pageFault) own.sums.pageFaults += 1;
            if (h.what == What::hit || h.what == What::miss) {
                const bool isMiss = h.what == What::miss;
                count(isMiss, h.level, h.demand, h.demand ? own : at(h.block * size));
                if (h.demand) served = h.level + (isMiss ? 1 : 0);
            }
            if (h.what == What::eviction) {
                own.conflicts[h.level].insert(regionOfBlock(h.block * size, size));
                if (size <= grain_) at(h.block * size);
                evictedBy_[h.level][h.block].insert(regionAt(a.address.value));
            }
        }
        own.sums.served[served] += counts;
    }
    void count(bool isMiss, std::size_t level, bool demand, Cell& cell) {
        Request once;
        Request& request = machine_.conventions.straddleCountsOnce && demand ? requests_[level] : once;
        std::uint64_t& hits = cell.sums.hits[level];
        std::uint64_t& misses = cell.sums.misses[level];
        if (!request.counted) {
            ++(isMiss ? misses : hits);
        } else if (isMiss && !request.missed) {
            --hits;
            ++misses;
        }
        request.counted = true;
        request.missed = request.missed || isMiss;
    }

    const MachineConfig& machine_;
    const Trace& trace_;
    std::uint64_t grain_;
    std::map<std::uint64_t, Cell> cells_;
    std::vector<Request> requests_;  ///< by level, of the CPU's own within an access
    /// By level, by block: the regions whose accesses evicted it.
    std::vector<std::map<std::uint64_t, std::set<std::uint32_t>>> evictedBy_;
};

}  // namespace whorl::sim::test
