// Texts that compare runs beside each other: their hits and misses, the accesses over which these are counted, and the
// differences.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/views/run_views.h"
#include "sim/replay/measures.h"

namespace whorl::app {

/// Replaces the words that all titles end with, and then the words that all titles begin with, by an ellipsis; removes
/// only as much as the titles need to fit.
std::vector<std::string> withoutAlike(std::vector<std::string> titles,
                                      const std::function<bool(const std::string&)>& fits);

/// The counts of a run: of the selected range, or of the accesses that its picture shows. None while a scene asks
/// something of the runs, as the counts would give the answer away.
std::optional<sim::Measures> countsOf(const Shown& c, std::size_t run);

/// The detail of a level's text. all: "L1 hits 42.0 %, 2 811 misses of 4 849", with the rate as it stands beside the
/// rings; brief: without the last number; misses: "L1 2 811 misses".
enum class LevelWords : std::uint8_t { all, brief, misses };
std::vector<std::string> hitsAndMisses(const sim::MachineConfig& machine, const sim::Counters& counters,
                                       LevelWords detail);

/// The heading of a run. For two runs with equal misses and different memory traffic, first the traffic: "64 writes to
/// memory"; then its hits and misses. Empty while there are no counts.
std::vector<std::string> headingWords(const Shown& c, std::size_t run, LevelWords detail);

/// "L1 misses: 2 811 against 355, -2 456 (-87.4 %)": the first two runs, in the order of their pictures.
std::vector<std::string> differences(const Shown& c);
/// The region whose misses in the nearest level differ most, at the end of both; else nothing.
std::string mostDifferent(const Shown& c);

/// "so far", "in all", "in the range".
std::string spanInAWord(const Shown& c);
/// The accesses that are counted: "after 4 849 of 8 448 and 4 849 of 10 240 accesses", "in accesses 100 – 200; the
/// rings after 500 of 8 448 accesses of each".
std::string spanInWords(const Shown& c);
/// "locked by share"; and why it is not as chosen.
std::string lockInWords(const Shown& c);

/// Under which circumstances runs are compared: the accesses that are counted, what differs most, the lock.
std::vector<std::string> circumstances(const Shown& c);

/// A sentence that compares the misses: of two runs by how much they differ at each level, of more in the nearest one;
/// empty while there are no counts.
std::string comparisonSentence(const Shown& c);

}  // namespace whorl::app
