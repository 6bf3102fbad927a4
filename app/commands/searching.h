// What is searched for, by what is selected: the queries for the open run, and their words.
#pragma once

#include <cstdint>
#include <string>

#include "app/session/requests.h"
#include "app/session/session.h"
#include "sim/base/error.h"

namespace whorl::app {

/// Describes a search, with the names of what is selected: "eviction of A[3][0]". The error states what must be
/// selected first.
sim::Expected<std::string> wordsFor(const Session& session, SearchKind searchKind);

/// The search for the session's current selection; errors as above.
sim::Expected<Search> searchFor(const Session& session, SearchKind searchKind, sim::Direction direction);

/// The name of a region as numbered in the ledger; "elsewhere" for addresses outside all regions.
std::string regionName(const sim::Trace& trace, std::uint32_t region);

}  // namespace whorl::app
