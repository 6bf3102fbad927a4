#include "sim/report/callgrind_writer.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sim/cache/cost.h"
#include "sim/replay/replay.h"

namespace whorl::sim {

namespace {

constexpr std::array<std::string_view, 7> kEvents = {"Dr", "Dw", "D1mr", "D1mw", "DLmr", "DLmw", "Cycles"};
using Counts = std::array<std::uint64_t, kEvents.size()>;

void addTo(Counts& sums, const Counts& more) {
    for (std::size_t e = 0; e < sums.size(); ++e) sums[e] += more[e];
}

/// Adds up the events of each site.
class SiteEvents {
  public:
    SiteEvents(const Trace& trace, const MachineConfig& machine) : machine_(machine), ofSite_(trace.sites().size()) {}

    void take(const PackedAccess& access, std::span<const Event> events) {
        if (access.unrecorded()) return;
        Counts& counts = ofSite_[access.site().value];
        const std::size_t kind = access.isWrite() ? 1 : 0;
        counts[kind] += countOf(access.unpack(), machine_);
        for (const Event& e : events) {
            counts.back() += costOf(e, machine_);
            if (e.kind != EventKind::miss || !e.demand || !e.counts()) continue;
            if (e.level == 0) ++counts[2 + kind];
            if (e.level + 1U == machine_.levels.size()) ++counts[4 + kind];
        }
    }
    const std::vector<Counts>& ofSites() const { return ofSite_; }

  private:
    const MachineConfig& machine_;
    std::vector<Counts> ofSite_;
};

std::string inWords(const Counts& counts) {
    return fmt::format("{}", fmt::join(counts, " "));
}

/// On one line, as the format has no quotes.
std::string oneLine(std::string text) {
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20) c = '?';
    }
    return text;
}

}  // namespace

std::optional<std::string> callgrindText(const Run& run, Range range, Progress& progress) {
    const Trace& trace = run.trace();
    const MachineConfig& machine = run.machine();
    Run::Resumed resumed = run.resumeAt(range.from);
    SiteEvents events(trace, machine);
    CallingObserver observer(Observer::Wants::events, [&](const Batch& batch) {
        batch.forEach([&](Tick, const PackedAccess& access, std::span<const Event> of) { events.take(access, of); });
    });
    if (!replay(trace, resumed.machine, range, observer, progress)) return std::nullopt;

    // By file and function, then by line.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::uint32_t, Counts>> functions;
    Counts all{};
    for (std::size_t s = 0; s < events.ofSites().size(); ++s) {
        const Counts& counts = events.ofSites()[s];
        if (counts == Counts{}) continue;
        const Site& site = trace.sites()[s];
        addTo(functions[{site.file, site.function}][site.line], counts);
        addTo(all, counts);
    }
    std::string out =
        fmt::format("version: 1\ncreator: whorl\ncmd: {}\ndesc: Machine: {}\npositions: line\nevents: {}\n",
                    oneLine(trace.name()), oneLine(machine.name), fmt::join(kEvents, " "));
    out += fmt::format("summary: {}\n", inWords(all));
    for (const auto& [place, lines] : functions) {
        const std::string file = place.first < trace.files().size() ? trace.files()[place.first].path : std::string();
        const std::string name = place.second == 0 ? std::string() : trace.functions()[place.second];
        out +=
            fmt::format("\nfl={}\nfn={}\n", file.empty() ? "???" : oneLine(file), name.empty() ? "???" : oneLine(name));
        for (const auto& [line, counts] : lines) out += fmt::format("{} {}\n", line, inWords(counts));
    }
    return out + fmt::format("\ntotals: {}\n", inWords(all));
}

}  // namespace whorl::sim
