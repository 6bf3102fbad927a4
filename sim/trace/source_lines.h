// Maps the sites of a trace to source lines: the instructions of one line form one. If the line is unknown, those of
// one function that one line called form one, and an instruction of unknown function is a line of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/trace/access.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Whether the location of a site is known: its line, or the address of its instruction.
inline bool isNamed(const Site& site) {
    return site.line != 0 || site.pc.value != 0;
}

bool areOfOneLine(const Trace& trace, const Site& a, const Site& b);

/// "mm.c:12"; if the line is unknown, the function and the innermost known line of the calls that led to it, such as
/// "in memset, called from mm.c:8", or else the address of the instruction, or else "(not known)".
std::string siteName(const Trace& trace, const Site& site);

/// Calls f for every function that is running when a site's accesses are made, once for each: the site's own first,
/// then those of its callers from the innermost outward.
void eachRunning(const Trace& trace, const Site& site, const std::function<void(std::uint32_t function)>& f);

/// The innermost call by a known line that led to a site; null if there is none.
const Site* calledFrom(const Trace& trace, const Site& site);

/// Whether a site belongs to a function of a library that fills or copies memory, whatever lies there, such as memset
/// and std::fill.
bool fillsOrCopies(const Trace& trace, const Site& site);

class SourceLines {
  public:
    explicit SourceLines(const Trace& trace);

    /// The number of lines. They are ordered by file and line, then by function, then by instruction.
    std::size_t size() const { return firstSites_.size(); }
    /// The line of a site: a number below size().
    std::uint32_t of(SiteId site) const { return ofSite_[site.value]; }
    /// The first site of a line.
    SiteId siteOf(std::uint32_t line) const { return firstSites_[line]; }

  private:
    std::vector<std::uint32_t> ofSite_;
    std::vector<SiteId> firstSites_;
};

}  // namespace whorl::sim
