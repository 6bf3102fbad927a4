#include "sim/trace/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/base/text.h"
#include "sim/trace/formats/text_words.h"
#include "sim/trace/timing.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {
namespace {

constexpr std::string_view kFilterForms = "use cpu=0,2, region=A,B, file=mm.c or 0x1000-0x1fff";

tl::unexpected<Error> notUnderstood(std::string_view words) {
    return fail("", fmt::format("--only \"{}\" is not valid", shown(words)), std::string(kFilterForms));
}

bool touches(const Access& a, const TraceFilter::Range& range) {
    return a.address <= range.second && a.last() >= range.first;
}

bool touchesOne(const Access& a, const std::vector<TraceFilter::Range>& ranges) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) { return touches(a, range); });
}

/// Calls f for each item of a comma-separated list; false if an item is empty or f rejects it.
template <class F>
bool eachOf(std::string_view list, F&& f) {
    while (true) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (comma == 0 || !f(list.substr(0, comma))) return false;
        if (comma == list.size()) return true;
        list.remove_prefix(comma + 1);
    }
}

bool takeCpu(TraceFilter& filter, std::string_view word) {
    const auto cpu = decimalNumber(word);
    if (!cpu || *cpu >= kMaxCpus) return false;
    filter.cpus.push_back(static_cast<std::uint8_t>(*cpu));
    return true;
}

bool takeRange(TraceFilter& filter, std::string_view words) {
    const std::size_t dash = words.find('-');
    if (dash == std::string_view::npos) return false;
    const auto from = anyNumber(words.substr(0, dash));
    const auto to = anyNumber(words.substr(dash + 1));
    if (!from || !to || *from > *to) return false;
    filter.ranges.emplace_back(ByteAddress{*from}, ByteAddress{*to});
    return true;
}

/// Whether `name` is a path or its last components.
bool isCalled(std::string_view path, std::string_view name) {
    return path == name ||
           (path.ends_with(name) && path.size() > name.size() && path[path.size() - name.size() - 1] == '/');
}

/// An error for an unknown name, with the known ones as a hint.
tl::unexpected<Error> noSuch(const std::string& name, std::string_view kind, const std::string& wanted,
                             const std::vector<std::string>& known) {
    constexpr std::size_t kNamed = 8;
    std::string hint;
    if (const std::string* near = nearestName(wanted, known)) {
        hint = fmt::format("did you mean \"{}\"?", *near);
    } else if (known.empty()) {
        hint = fmt::format("it names no {}", kind);
    } else {
        hint = fmt::format("there are {}{}",
                           fmt::join(known.begin(), known.begin() + std::min(known.size(), kNamed), ", "),
                           known.size() > kNamed ? " and others" : "");
    }
    return fail(name, fmt::format("there is no {} \"{}\"", kind, shown(wanted)), std::move(hint));
}

/// A filter with its region and file names resolved.
struct Choice {
    TraceFilter filter;
    std::vector<TraceFilter::Range> regions;  ///< ascending
    std::vector<bool> sites;                  ///< by site: whether it is wanted; empty: all

    bool wants(const Access& a) const {
        return filter.wants(a) && (regions.empty() || touchesRegion(a)) && (sites.empty() || sites[a.site.value]);
    }

  private:
    /// Regions are disjoint, and many can have one name.
    bool touchesRegion(const Access& a) const {
        const auto above = std::upper_bound(regions.begin(), regions.end(), a.last(),
                                            [](ByteAddress last, const auto& range) { return last < range.first; });
        return above != regions.begin() && touches(a, *std::prev(above));
    }
};

Expected<Choice> choiceFor(const Trace& trace, const TraceFilter& filter, const std::string& name) {
    Choice choice{.filter = filter, .regions = {}, .sites = {}};
    for (const std::string& wanted : filter.regions) {
        std::vector<std::string> known;
        known.reserve(trace.regions().size());
        const std::size_t before = choice.regions.size();
        for (const Region& r : trace.regions()) {
            known.push_back(r.name);
            if (r.name == wanted) choice.regions.emplace_back(r.base, r.last());
        }
        if (choice.regions.size() == before) return noSuch(name, "region", wanted, known);
    }
    std::sort(choice.regions.begin(), choice.regions.end());
    if (filter.files.empty()) return choice;
    choice.sites.resize(trace.sites().size());
    for (const std::string& wanted : filter.files) {
        std::vector<std::string> known;
        known.reserve(trace.files().size());
        for (const SourceFile& f : trace.files()) known.push_back(f.path);
        if (std::none_of(known.begin(), known.end(), [&](const auto& path) { return isCalled(path, wanted); })) {
            return noSuch(name, "source file", wanted, known);
        }
        for (std::size_t s = 0; s < choice.sites.size(); ++s) {
            const Site& site = trace.sites()[s];
            if (site.line != 0 && isCalled(known[site.file], wanted)) choice.sites[s] = true;
        }
    }
    return choice;
}

/// Pointers to all ticks of marks, objects and windows, in order, to be adjusted as accesses are dropped.
std::vector<Tick*> markersOf(TraceParts& parts, Windows& windows) {
    std::vector<Tick*> markers;
    for (Tick& begin : windows.begins) markers.push_back(&begin);
    for (Mark& m : parts.marks) markers.push_back(&m.at);
    for (Object& o : parts.objects) {
        markers.push_back(&o.born);
        if (o.died.value != ~std::uint64_t{0}) markers.push_back(&o.died);
    }
    std::sort(markers.begin(), markers.end(), [](const Tick* a, const Tick* b) { return *a < *b; });
    return markers;
}

}  // namespace

bool TraceFilter::wants(const Access& access) const {
    if (!cpus.empty() && std::find(cpus.begin(), cpus.end(), access.cpu) == cpus.end()) return false;
    return ranges.empty() || touchesOne(access, ranges);
}

Expected<void> addCondition(TraceFilter& filter, std::string_view words) {
    const std::size_t equals = words.find('=');
    const std::string_view kind = words.substr(0, equals);
    const std::string_view list = equals == std::string_view::npos ? std::string_view() : words.substr(equals + 1);
    bool taken = false;
    if (equals == std::string_view::npos) {
        taken = takeRange(filter, words);
    } else if (kind == "cpu") {
        taken = eachOf(list, [&](std::string_view word) { return takeCpu(filter, word); });
    } else if (kind == "region" || kind == "file") {
        auto& names = kind == "file" ? filter.files : filter.regions;
        taken = eachOf(list, [&](std::string_view word) { return names.emplace_back(word), true; });
    }
    if (!taken) return notUnderstood(words);
    return {};
}

Expected<Trace> filtered(const Trace& trace, const TraceFilter& filter, const std::string& name) {
    const auto choice = WHORL_TRY(choiceFor(trace, filter, name));
    TraceParts known = trace.parts();
    Windows windows = known.windows ? *known.windows : Windows{};
    const std::vector<Tick*> markers = markersOf(known, windows);
    auto marker = markers.begin();
    TraceBuilder builder(trace.name());
    if (filter.unwanted == Unwanted::simulate) builder.keepUnrecorded();
    TraceCursor cursor(trace);
    TimingFilter timing(trace.timing());
    std::uint64_t wanted = 0;
    std::uint64_t tick = 0;
    for (std::size_t c = 0; c < trace.accesses().chunks(); ++c) {
        const auto stamps = cursor.stamps(c);
        const std::uint64_t first = tick;
        for (const PackedAccess& packed : cursor.chunk(c)) {
            const Access access = packed.unpack();
            for (; marker != markers.end() && (*marker)->value <= tick; ++marker) **marker = Tick{builder.size()};
            const bool isWanted = filter.ticks.contains(Tick{tick}) && choice.wants(access);
            wanted += isWanted ? 1 : 0;
            builder.recording(isWanted);
            if (isWanted || filter.unwanted == Unwanted::simulate) {
                timing.keep(Tick{tick}, access.cpu, Tick{builder.size()});
            } else {
                timing.drop(Tick{tick}, access.cpu);
            }
            if (stamps.empty()) {
                builder.add(access);
            } else {
                builder.add(access, stamps[tick - first]);
            }
            ++tick;
        }
    }
    if (wanted == 0) return fail(name, "no access matches --only", "remove one of the conditions");
    for (; marker != markers.end(); ++marker) **marker = Tick{builder.size()};
    if (known.windows) known.windows = std::make_shared<const Windows>(std::move(windows));
    known.timing = timing.take();
    known.accessesOff += builder.accessesOff();
    known.instructions = 0;  // the instructions of the dropped accesses are unknown
    // Recorded events caused by dropped accesses cannot be attributed to the others.
    if (builder.size() != trace.size()) {
        known.recording.reset();
        known.syncs.reset();
    }
    std::vector<Region> regions = std::move(known.regions);
    builder.adopt(std::move(known));
    return builder.finishWith(std::move(regions));
}

}  // namespace whorl::sim
