#include "sim/reference/happening.h"

namespace whorl::reference {

namespace {

const char* wordOf(What what) {
    switch (what) {
        case What::hit:
            return "hit";
        case What::miss:
            return "miss";
        case What::fill:
            return "fill";
        case What::eviction:
            return "eviction";
        case What::writeback:
            return "writeback";
        case What::invalidation:
            return "invalidation";
        case What::downgrade:
            return "downgrade";
        case What::upgrade:
            return "upgrade";
        case What::moved:
            return "moved";
        case What::prefetch:
            return "prefetch";
        case What::writeThrough:
            return "writeThrough";
        case What::memory:
            return "memory";
        case What::tlbMiss:
            return "tlbMiss";
        case What::pageFault:
            return "pageFault";
        case What::pageOut:
            return "pageOut";
        case What::touch:
            return "touch";
    }
    return "";
}

}  // namespace

bool inCache(What what) {
    return what != What::memory && what != What::tlbMiss && what != What::pageFault && what != What::pageOut &&
           what != What::touch;
}

std::string lineOf(const Happening& h) {
    const std::string block = " block " + std::to_string(h.block);
    const std::string demand = h.demand ? " demand" : "";
    const std::string way = h.write ? " write" : " read";
    if (h.what == What::memory) return "memory" + way + block + demand;
    if (h.what == What::tlbMiss || h.what == What::pageFault || h.what == What::pageOut) {
        std::string line =
            std::string(wordOf(h.what)) + " cpu " + std::to_string(h.cache) + " page " + std::to_string(h.block);
        if (h.what != What::tlbMiss) line += " frame " + std::to_string(h.frame);
        if (h.what == What::pageOut) line += h.dirty ? " dirty" : " clean";
        return line;
    }
    std::string line = std::string(wordOf(h.what)) + " L" + std::to_string(h.level) + "." + std::to_string(h.cache);
    line += block;
    if (h.what == What::hit || h.what == What::miss) line += way;
    if (h.what == What::eviction || h.what == What::invalidation || h.what == What::downgrade) {
        line += h.dirty ? " dirty" : " clean";
    }
    if (h.what == What::invalidation) line += h.inclusion ? " inclusion" : h.paging ? " paging" : " coherence";
    if (h.what == What::writeThrough) line += " " + std::to_string(h.bytes) + " bytes";
    return line + demand;
}

std::vector<std::string> linesOf(const std::vector<Happening>& happenings) {
    std::vector<std::string> lines;
    lines.reserve(happenings.size());
    for (const Happening& h : happenings) {
        if (h.told) lines.push_back(lineOf(h));
    }
    return lines;
}

}  // namespace whorl::reference
