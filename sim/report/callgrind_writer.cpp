#include "sim/report/callgrind_writer.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <set>
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

/// Costs by function and line, and those of calls with all that they called.
class Profile {
  public:
    explicit Profile(const Trace& trace) : trace_(trace) {}

    void add(const Site& site, const Counts& counts) {
        addTo(all_, counts);
        addTo(functions_[placeOf(site)].lines[site.line], counts);
        Function called = placeOf(site);
        std::set<std::pair<Function, Calling>> told;  // the costs of a call within itself count once
        for (std::uint32_t c = site.call; c != kNoCall; c = trace_.calls()[c].parent) {
            const Site& from = trace_.site(trace_.calls()[c].site);
            const Calling calling{from.line, called};
            Call& call = functions_[placeOf(from)].calls[calling];
            if (told.emplace(placeOf(from), calling).second) addTo(call.inclusive, counts);
            call.numbers.insert(c);
            called = placeOf(from);
        }
    }

    std::string text(const MachineConfig& machine) const {
        std::string out = fmt::format(
            "version: 1\ncreator: whorl\ncmd: {}\ndesc: Machine: {}\n{}positions: line\nevents: {}\nsummary: {}\n",
            oneLine(trace_.name()), oneLine(machine.name),
            trace_.calls().empty() ? "" : "desc: Calls: counted over the whole recording\n", fmt::join(kEvents, " "),
            inWords(all_));
        for (const auto& [function, costs] : functions_) {
            out += fmt::format("\nfl={}\nfn={}\n", fileName(function), functionName(function));
            for (const auto& [line, counts] : costs.lines) out += fmt::format("{} {}\n", line, inWords(counts));
            for (const auto& [calling, call] : costs.calls) {
                if (calling.called.first != function.first) out += fmt::format("cfi={}\n", fileName(calling.called));
                out += fmt::format("cfn={}\ncalls={} {}\n{} {}\n", functionName(calling.called), timesOf(call),
                                   firstLine(calling.called), calling.line, inWords(call.inclusive));
            }
        }
        return out + fmt::format("\ntotals: {}\n", inWords(all_));
    }

  private:
    using Function = std::pair<std::uint32_t, std::uint32_t>;  ///< a file and a function
    struct Calling {
        std::uint32_t line = 0;  ///< where it is called
        Function called;
        auto operator<=>(const Calling&) const = default;
    };
    struct Call {
        Counts inclusive{};
        std::set<std::uint32_t> numbers;  ///< in Trace::calls()
    };
    struct Costs {
        std::map<std::uint32_t, Counts> lines;
        std::map<Calling, Call> calls;
    };

    const Trace& trace_;
    std::map<Function, Costs> functions_;
    Counts all_{};

    static Function placeOf(const Site& site) { return {site.line == 0 ? kNoFile : site.file, site.function}; }
    std::string fileName(const Function& function) const {
        return function.first < trace_.files().size() ? oneLine(trace_.files()[function.first].path) : "???";
    }
    std::string functionName(const Function& function) const {
        return function.second == 0 ? "???" : oneLine(trace_.functions()[function.second]);
    }
    std::uint32_t firstLine(const Function& function) const {
        const auto of = functions_.find(function);
        return of == functions_.end() || of->second.lines.empty() ? 0 : of->second.lines.begin()->first;
    }
    std::uint64_t timesOf(const Call& call) const {
        std::uint64_t times = 0;
        for (const std::uint32_t c : call.numbers) times += trace_.calls()[c].count;
        return times;
    }
    static constexpr std::uint32_t kNoFile = ~std::uint32_t{0};
};

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

    Profile profile(trace);
    for (std::uint32_t site = 0; site < events.ofSites().size(); ++site) {
        if (events.ofSites()[site] != Counts{}) profile.add(trace.sites()[site], events.ofSites()[site]);
    }
    return profile.text(machine);
}

}  // namespace whorl::sim
