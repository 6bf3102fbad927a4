// The complete reference: the machine, its counts and clocks, and the kinds of its misses, fed one access at a time.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/reference/machine.h"
#include "sim/reference/miss_kinds.h"
#include "sim/reference/stay_uses.h"
#include "sim/reference/tally.h"

namespace whorl::reference {

/// The future requests of the caches with the OPT policy when this machine plays these accesses. OPT at a level does
/// not change that level's requests, so each is played with LRU first, the nearest level before the farther ones.
Futures futureOf(const sim::MachineConfig& config, std::span<const sim::Access> accesses);

class Reference {
  public:
    /// A machine with the OPT policy needs the future.
    explicit Reference(const sim::MachineConfig& config, const Futures& futures = {});
    /// The state after all these accesses.
    Reference(const sim::MachineConfig& config, std::span<const sim::Access> accesses);

    /// Plays one access; returns its events, which it also appends to the list of all.
    std::vector<Happening> play(const sim::Access& access);

    const Machine& machine() const { return *machine_; }
    const Tally& tally() const { return tally_; }
    const std::vector<Miss>& misses() const { return kinds_.misses(); }
    const StayUses& uses() const { return uses_; }
    /// All reported events so far.
    const std::vector<Happening>& told() const { return told_; }

  private:
    std::unique_ptr<Machine> machine_;  ///< stays at its address: the miss kinds refer to it
    Tally tally_;
    MissKinds kinds_;
    StayUses uses_;
    std::vector<Happening> told_;
};

}  // namespace whorl::reference
