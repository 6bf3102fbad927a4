#include "sim/analysis/critical_path.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "sim/analysis/cycle_walk.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

const PathSegment* CriticalPath::at(Cycles cycle) const {
    const auto after = std::upper_bound(segments.begin(), segments.end(), cycle,
                                        [](Cycles c, const PathSegment& s) { return c < s.to; });
    return after == segments.end() || after->from > cycle ? nullptr : &*after;
}

bool CriticalPath::contains(std::uint32_t cpu, Cycles cycle) const {
    const PathSegment* const segment = at(cycle);
    return segment != nullptr && segment->cpu == cpu;
}

CriticalPath criticalPath(std::span<const Wait> waits, std::span<const Cycles> ends) {
    std::vector<std::vector<std::size_t>> ofCpu(ends.size());
    for (std::size_t i = 0; i < waits.size(); ++i) ofCpu[waits[i].cpu].push_back(i);
    CriticalPath path;
    const auto last = std::max_element(ends.begin(), ends.end());
    if (last == ends.end() || *last == 0) return path;
    auto cpu = static_cast<std::size_t>(last - ends.begin());
    Cycles until = *last;
    // A CPU is released by work that was played before, so each step leaves only earlier waits.
    for (std::size_t before = waits.size(); until > 0;) {
        const std::vector<std::size_t>& own = ofCpu[cpu];
        auto at = std::lower_bound(own.begin(), own.end(), before);
        while (at != own.begin() && waits[*(at - 1)].to > until) --at;
        const bool hasWaited = at != own.begin();
        const Wait* const wait = hasWaited ? &waits[*(at - 1)] : nullptr;
        const Cycles from = hasWaited ? wait->to : 0;
        if (from < until) {
            path.segments.push_back({.cpu = static_cast<std::uint8_t>(cpu),
                                     .from = from,
                                     .to = until,
                                     .waited = hasWaited ? std::optional(wait->what) : std::nullopt});
        }
        if (!hasWaited) break;
        before = *(at - 1);
        until = from;
        cpu = wait->by;
    }
    std::reverse(path.segments.begin(), path.segments.end());
    return path;
}

Cycles PathCosts::Part::sum() const {
    return std::accumulate(cycles.begin(), cycles.end(), Cycles{0});
}

namespace {

class PathSink final : public CycleSink {
  public:
    PathSink(const Run& run, const CriticalPath& path)
        : trace_(run.trace()),
          numbers_(run.trace()),
          classes_(run.machine()),
          none_(classes_.size()),
          segments_(run.machine().cpus),
          next_(run.machine().cpus) {
        for (const PathSegment& s : path.segments) segments_[s.cpu].push_back(s);
    }

    void spend(const Spent& s) override {
        const std::vector<PathSegment>& own = segments_[s.cpu];
        std::size_t& next = next_[s.cpu];
        while (next < own.size() && own[next].to <= s.from) ++next;
        for (std::size_t i = next; i < own.size() && own[i].from < s.to; ++i) {
            add(s, std::min(s.to, own[i].to) - std::max(s.from, own[i].from));
        }
    }

    PathCosts costs() && {
        return {.classes = classes_, .lines = ranked(lines_), .objects = ranked(objects_), .ofNone = std::move(none_)};
    }

  private:
    using Parts = std::map<std::size_t, PathCosts::Part>;

    static std::vector<PathCosts::Part> ranked(Parts& parts) {
        std::vector<PathCosts::Part> out;
        for (auto& [of, part] : parts) out.push_back(std::move(part));
        std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.sum() > b.sum(); });
        return out;
    }

    void add(const Spent& s, Cycles cycles) {
        if (s.access == nullptr) {
            none_[s.what] += cycles;
            return;
        }
        if (line_ == nullptr || tick_ != s.tick) find(s);
        line_->cycles[s.what] += cycles;
        object_->cycles[s.what] += cycles;
    }
    void find(const Spent& s) {
        const Access access = s.access->unpack();
        const auto& objects = trace_.objects();
        const Object* const object = trace_.objectAt(access.address, s.tick);
        line_ = &partOf(lines_, numbers_.of(access.site));
        object_ = &partOf(objects_, object != nullptr ? static_cast<std::size_t>(object - objects.data())
                                                      : objects.size() + trace_.regionAt(access.address));
        tick_ = s.tick;
    }
    PathCosts::Part& partOf(Parts& parts, std::size_t of) const {
        PathCosts::Part& part = parts[of];
        part.of = of;
        part.cycles.resize(classes_.size());
        ++part.accesses;
        return part;
    }

    const Trace& trace_;
    SourceLines numbers_;
    CycleClasses classes_;
    std::vector<Cycles> none_;
    std::vector<std::vector<PathSegment>> segments_;  ///< by CPU
    std::vector<std::size_t> next_;                   ///< by CPU: the first segment that has not ended
    Parts lines_;
    Parts objects_;
    // The parts of the last access.
    Tick tick_;
    PathCosts::Part* line_ = nullptr;
    PathCosts::Part* object_ = nullptr;
};

}  // namespace

std::optional<PathCosts> costsOf(const Run& run, const CriticalPath& path, Progress& progress) {
    Run::Resumed from = run.resumeAt(Tick{0});
    PathSink sink(run, path);
    CycleWalk walk(run, from, sink);
    progress.start(run.trace().size());
    if (!replay(run.trace(), from.machine, {Tick{0}, Tick{run.trace().size()}}, walk, progress)) return std::nullopt;
    return std::move(sink).costs();
}

}  // namespace whorl::sim
