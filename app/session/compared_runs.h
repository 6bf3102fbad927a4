// The runs that are open beside the first, and what the pictures of each are made of.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/session/player.h"
#include "app/session/session.h"

namespace whorl::app {

/// The open run and one beside it, for their lock.
LockedTraces lockedTraces(const Session& session, const ComparedRun& compared);

/// What the pictures of a run (an index into openRuns()) are made of: the playhead, ranges and what pictures over time
/// show are where they belong in it, and regions have the hues of those of the same name in the open run.
RunContext contextOf(const Session& session, std::size_t run);

/// Picks the same memory in another layout of the same accesses.
void movePicks(RunContext& context, const sim::Trace& from, const sim::Trace& to);

/// The playhead of the session at which the playhead of a run is at `t`, in accesses of that run, or as near as the
/// lock allows.
double openRunTime(const Session& session, std::size_t run, double t);
/// The time span of the open run that corresponds to the span `seen` of another run. May extend beyond the end of the
/// open run.
scene::TimeSpan openRunSeen(const Session& session, std::size_t run, const scene::TimeSpan& seen);

/// The order in which pictures of the runs stand, as indices into openRuns(): what was, before what is; then
/// the others. The first two change places while they are exchanged.
std::vector<std::size_t> orderOfRuns(const Session& session);

/// What tells each of the open runs from the others, by index: "in blocks", "2 ways in L1", "laptop", a file's name;
/// of more than two "variant=blocked", "L1.ways=2".
std::vector<std::string> titlesOfRuns(const Session& session);

/// All of a run: "matmul:n=16,variant=blocked on machine paper"; of two, after the words for what differs: "2 ways in
/// L1: matmul:n=16 on machine paper, L1.ways=2".
std::string fullTitleOfRun(const Session& session, std::size_t run);
/// What all of them have in common: "matmul:n=16 on machine paper", "matmul on machine paper"; the number of runs where
/// that is nothing.
std::string commonTitleOfRuns(const Session& session);

}  // namespace whorl::app
