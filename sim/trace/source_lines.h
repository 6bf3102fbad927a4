// Which source line each site of a trace belongs to: the instructions of one line are one. Where the line is not known,
// those of one function are, and an instruction of which nothing else is known is a line of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/trace/access.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Whether anything is known of where it is: its line, or the address of its instruction.
inline bool isNamed(const Site& site) {
    return site.line != 0 || site.pc.value != 0;
}

bool areOfOneLine(const Site& a, const Site& b);

/// "mm.c:12"; the function, or the address of the instruction, where the line is not known, or else that nothing is.
std::string siteName(const Trace& trace, const Site& site);

class SourceLines {
  public:
    explicit SourceLines(const Trace& trace);

    /// How many there are, by file and line, then by instruction.
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
