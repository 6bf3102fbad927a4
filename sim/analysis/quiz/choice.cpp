#include "sim/analysis/quiz/choice.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "sim/cache/event.h"
#include "sim/replay/replay.h"
#include "sim/replay/totals/miss_kind.h"

namespace whorl::sim {

namespace {

/// The splitmix64 generator's output function (Steele, Lea and Flood, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t seed, std::uint64_t n) {
    std::uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15u + n * 0xd1342543de82ef95u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

struct Candidate {
    std::uint64_t order = 0;  ///< pseudorandom
    Tick tick;
    std::uint64_t place = 0;  ///< number of its set
    auto operator<=>(const Candidate&) const = default;
};

/// What an access can be an example of.
enum class ExampleOf : std::uint8_t { conflict, capacity, compulsory, sharing, hit };
constexpr std::size_t kGroups = 5;

struct AskedAccess {
    Tick tick;
    std::uint64_t place = 0;  ///< number of its set, among those of all caches of the level
    bool hit = false;
    bool evicts = false;                   ///< the access evicts a block of the set, to make room
    bool disturbed = false;                ///< something else changed its set right after: a prefetch, a write-back
    MissKind kind = MissKind::compulsory;  ///< kind of the miss
};

/// The accesses of a range that a level can be asked about, in order, with what each did in its set there. What such an
/// access does follows from what the set held before: where something else changes the set first, such as a write-back
/// of another block or a page that leaves, the access cannot be asked.
class AskedAccesses {
  public:
    AskedAccesses(const MachineConfig& machine, std::size_t level, std::function<void(const AskedAccess&)> on)
        : machine_(machine), level_(level), on_(std::move(on)) {}

    /// `on` is called for sets that anything else changes, or whose blocks it uses: prefetches, write-backs, other
    /// CPUs, accesses that cannot be asked. For the set of an asked access, AskedAccess::disturbed has this
    /// information.
    void onOtherChange(std::function<void(std::uint64_t place)> on) { other_ = std::move(on); }

    /// False when cancelled.
    bool read(const Run& run, Range range, Progress& progress);

  private:
    std::uint64_t placeOf(const Event& e) const;
    void take(Tick tick, const PackedAccess& packed, std::span<const Event> events, MissKindReader& kinds);
    bool fills(const Event& miss) const;
    bool follows(AskedAccess& own, std::span<const Event> events) const;
    void tellOthers(const std::optional<AskedAccess>& own, std::span<const Event> events) const;

    const MachineConfig& machine_;
    std::size_t level_;
    std::function<void(const AskedAccess&)> on_;
    std::function<void(std::uint64_t)> other_;
};

bool answers(const Event& e) {
    return e.demand && (e.kind == EventKind::hit || e.kind == EventKind::miss);
}

/// The events that an access has in its own set if nothing else happens there: if it misses, room is made once, and its
/// block is filled.
class OwnEvents {
  public:
    bool expects(const Event& e) {
        switch (e.kind) {
            case EventKind::hit:
            case EventKind::miss:
                block_ = e.block;
                misses_ = e.kind == EventKind::miss;
                return e.demand;
            case EventKind::eviction:
                return misses_ && !filled_ && !std::exchange(evicted_, true);
            case EventKind::fill:
                return misses_ && e.block == block_ && !std::exchange(filled_, true);
            case EventKind::writeback:
            case EventKind::upgrade:
            case EventKind::downgrade:
                return true;
            default:
                return false;
        }
    }

  private:
    BlockAddress block_;
    bool misses_ = false;
    bool evicted_ = false;
    bool filled_ = false;
};

bool AskedAccesses::read(const Run& run, Range range, Progress& progress) {
    Run::Resumed state = run.resumeAt(range.from);
    CallingObserver observer(Observer::Wants::events, [&](const Batch& batch) {
        batch.forEach([&](Tick tick, const PackedAccess& access, std::span<const Event> events) {
            take(tick, access, events, state.kinds);
        });
    });
    progress.setTotal(range.size());
    return replay(run.trace(), state.machine, range, observer, progress);
}

std::uint64_t AskedAccesses::placeOf(const Event& e) const {
    return std::uint64_t{e.cache} * machine_.levels[level_].sets() + e.set.value;
}

void AskedAccesses::take(Tick tick, const PackedAccess& packed, std::span<const Event> events, MissKindReader& kinds) {
    std::optional<AskedAccess> asked;
    const bool canBe = canBeAsked(packed.unpack(), machine_);
    bool filled = false;
    for (const Event& e : events) {
        const MissKind kind = e.kind == EventKind::miss ? kinds.next(e.level) : MissKind{};
        if (!canBe || !e.isInCache() || e.level != level_) continue;
        if (answers(e)) asked = {.tick = tick, .place = placeOf(e), .hit = e.kind == EventKind::hit, .kind = kind};
        if (!asked || placeOf(e) != asked->place) continue;
        if (e.kind == EventKind::eviction && !filled) asked->evicts = true;
        filled |= e.kind == EventKind::fill;
    }
    tellOthers(asked, events);
    if (!asked) return;
    if (follows(*asked, events)) {
        on_(*asked);
    } else if (other_) {
        other_(asked->place);
    }
}

bool AskedAccesses::fills(const Event& miss) const {
    const LevelConfig& level = machine_.levels[level_];
    return level.inclusion != Inclusion::exclusive && (level.allocate || !miss.write);
}

/// Whether everything that the access does in its set follows from the content before. Sets `disturbed` if something
/// else follows.
bool AskedAccesses::follows(AskedAccess& own, std::span<const Event> events) const {
    OwnEvents mine;
    bool isDone = false;
    for (const Event& e : events) {
        if (!e.isInCache() || e.level != level_ || e.kind == EventKind::prefetch || placeOf(e) != own.place) continue;
        const bool isOwn = mine.expects(e);
        if (!isOwn && !isDone) return false;
        own.disturbed |= !isOwn;
        isDone |= e.kind == EventKind::hit || e.kind == EventKind::fill || (e.kind == EventKind::miss && !fills(e));
    }
    return true;
}

/// Reports the changes that the access makes in other sets.
void AskedAccesses::tellOthers(const std::optional<AskedAccess>& own, std::span<const Event> events) const {
    if (!other_) return;
    for (const Event& e : events) {
        if (!e.isInCache() || e.level != level_ || e.kind == EventKind::prefetch) continue;
        if (const std::uint64_t place = placeOf(e); !own || place != own->place) other_(place);
    }
}

ExampleOf groupOf(const AskedAccess& asked) {
    if (asked.hit) return ExampleOf::hit;
    switch (asked.kind) {
        case MissKind::compulsory:
            return ExampleOf::compulsory;
        case MissKind::capacity:
            return ExampleOf::capacity;
        case MissKind::conflict:
            return ExampleOf::conflict;
        case MissKind::trueSharing:
        case MissKind::falseSharing:
            return ExampleOf::sharing;
    }
    return ExampleOf::hit;
}

/// The remaining candidates of a group, by set. The next one is the lowest lot of the set that was drawn from least.
class Urn {
  public:
    explicit Urn(const std::set<Candidate>& kept) {
        for (const Candidate& candidate : kept) ofSet_[candidate.place].push_back(candidate);
        for (const auto& [place, candidates] : ofSet_) order_.insert({0, candidates.front()});
    }
    bool empty() const { return order_.empty(); }
    const Candidate& next() const { return order_.begin()->second; }
    /// Records the n-th draw from a set, n from 0: from this group, or from another.
    void drawnFrom(std::uint64_t place, std::uint64_t n, bool fromThis) {
        const auto found = ofSet_.find(place);
        if (found == ofSet_.end()) return;
        std::deque<Candidate>& candidates = found->second;
        order_.erase({n, candidates.front()});
        if (fromThis) candidates.pop_front();
        if (candidates.empty()) {
            ofSet_.erase(found);
        } else {
            order_.insert({n + 1, candidates.front()});
        }
    }

  private:
    std::unordered_map<std::uint64_t, std::deque<Candidate>> ofSet_;  ///< the lowest lot first
    std::set<std::pair<std::uint64_t, Candidate>> order_;  ///< the first of each set, and how often that was drawn from
};

/// Keeps the candidates of each group with the lowest lots.
class Lots {
  public:
    explicit Lots(const QuizChoice& choice) : choice_(choice), most_(8 * choice.count) {}

    void take(const AskedAccess& asked) {
        if (asked.disturbed) return;
        const Candidate candidate{mixed(choice_.seed, asked.tick.value), asked.tick, asked.place};
        std::set<Candidate>& kept = groups_[static_cast<std::size_t>(groupOf(asked))];
        kept.insert(candidate);
        if (kept.size() > most_) kept.erase(std::prev(kept.end()));
    }

    /// Draws a miss, with the kinds in turn, then a hit, and so on.
    std::vector<Tick> drawn() {
        std::vector<Tick> out;
        for (const std::set<Candidate>& kept : groups_) urns_.emplace_back(kept);
        std::size_t misses = 0;
        while (out.size() < choice_.count) {
            const bool wantsHit = out.size() % 2 == 1;
            const auto next = wantsHit ? hitOrMiss(misses) : missOrHit(misses);
            if (!next) break;
            out.push_back(*next);
        }
        std::sort(out.begin(), out.end());
        return out;
    }

  private:
    std::optional<Tick> hitOrMiss(std::size_t& misses) {
        if (const auto hit = drawnOf(ExampleOf::hit)) return hit;
        return missOf(misses);
    }
    std::optional<Tick> missOrHit(std::size_t& misses) {
        if (const auto miss = missOf(misses)) return miss;
        return drawnOf(ExampleOf::hit);
    }
    /// Draws a miss; the kinds take turns.
    std::optional<Tick> missOf(std::size_t& misses) {
        for (std::size_t i = 0; i < kGroups - 1; ++i) {
            const auto group = static_cast<ExampleOf>(misses++ % (kGroups - 1));
            if (const auto miss = drawnOf(group)) return miss;
        }
        return std::nullopt;
    }
    /// Draws from the set that was drawn from least.
    std::optional<Tick> drawnOf(ExampleOf group) {
        Urn& own = urns_[static_cast<std::size_t>(group)];
        if (own.empty()) return std::nullopt;
        const Candidate drawn = own.next();
        const std::uint64_t n = drawnFrom_[drawn.place]++;
        for (Urn& urn : urns_) urn.drawnFrom(drawn.place, n, &urn == &own);
        return drawn.tick;
    }

    const QuizChoice& choice_;
    std::size_t most_;
    std::array<std::set<Candidate>, kGroups> groups_;
    std::vector<Urn> urns_;                                       ///< the groups while they are drawn from
    std::unordered_map<std::uint64_t, std::uint64_t> drawnFrom_;  ///< by set
};

/// Every `every`-th access, at most `count` of them.
std::vector<Tick> everyNth(const QuizChoice& choice, const std::vector<Tick>& all) {
    std::vector<Tick> out;
    for (std::size_t i = choice.every - 1; i < all.size() && out.size() < choice.count; i += choice.every) {
        out.push_back(all[i]);
    }
    return out;
}

std::optional<std::vector<Tick>> chosenTicks(const Run& run, const QuizChoice& choice, Progress& progress) {
    if (choice.every == 0) {
        Lots lots(choice);
        AskedAccesses asked(run.machine(), choice.level, [&](const AskedAccess& a) { lots.take(a); });
        if (!asked.read(run, choice.range, progress)) return std::nullopt;
        return lots.drawn();
    }
    std::vector<Tick> all;
    const std::uint64_t most = choice.every * choice.count;
    AskedAccesses asked(run.machine(), choice.level, [&](const AskedAccess& a) {
        if (all.size() < most) all.push_back(a.tick);
    });
    if (!asked.read(run, choice.range, progress)) return std::nullopt;
    return everyNth(choice, all);
}

std::optional<std::vector<Question>> questionsAt(const Run& run, std::size_t level, const std::vector<Tick>& ticks,
                                                 Progress& progress) {
    progress.startPart(1, 2);
    progress.setTotal(ticks.size());
    std::vector<Question> out;
    for (const Tick tick : ticks) {
        if (progress.cancelled()) return std::nullopt;
        progress.advance(1);
        if (auto question = questionAt(run, level, tick)) out.push_back(*std::move(question));
    }
    return out;
}

/// The last accesses to one set.
class Window {
  public:
    void clear() { *this = Window(); }
    void add(const AskedAccess& a, std::size_t most) {
        accesses_.push_back(a);
        count(a, 1);
        if (accesses_.size() <= most) return;
        count(accesses_.front(), -1);
        accesses_.erase(accesses_.begin());
    }
    /// How much there is to learn from the window; length counts most.
    std::uint64_t worth() const {
        const auto misses = static_cast<std::int64_t>(accesses_.size()) - hits_;
        return static_cast<std::uint64_t>(8 * static_cast<std::int64_t>(accesses_.size()) +
                                          4 * std::min(hits_, misses) + 2 * evictions_);
    }
    std::vector<Tick> ticks() const {
        std::vector<Tick> out;
        for (const AskedAccess& a : accesses_) out.push_back(a.tick);
        return out;
    }

  private:
    void count(const AskedAccess& a, std::int64_t by) {
        hits_ += a.hit ? by : 0;
        evictions_ += a.evicts ? by : 0;
    }

    std::vector<AskedAccess> accesses_;
    std::int64_t hits_ = 0;
    std::int64_t evictions_ = 0;
};

}  // namespace

std::optional<std::vector<Question>> chosenQuestions(const Run& run, const QuizChoice& choice, Progress& progress) {
    progress.startPart(0, 2);
    const auto ticks = chosenTicks(run, choice, progress);
    if (!ticks) return std::nullopt;
    return questionsAt(run, choice.level, *ticks, progress);
}

std::optional<std::vector<Question>> chosenSequence(const Run& run, const QuizChoice& choice, Progress& progress) {
    progress.startPart(0, 2);
    std::unordered_map<std::uint64_t, Window> windows;  // by set
    std::vector<Tick> best;
    std::uint64_t bestWorth = 0;
    const auto take = [&](const AskedAccess& a) {
        Window& window = windows[a.place];
        if (a.disturbed) return window.clear();
        window.add(a, choice.count);
        // Windows that are as good as each other, or nearly, take turns by the seed.
        const std::uint64_t worth = 4 * window.worth() + mixed(choice.seed, a.tick.value) % 16;
        if (worth > bestWorth) {
            bestWorth = worth;
            best = window.ticks();
        }
    };
    AskedAccesses asked(run.machine(), choice.level, take);
    asked.onOtherChange([&](std::uint64_t place) {
        if (const auto window = windows.find(place); window != windows.end()) window->second.clear();
    });
    if (!asked.read(run, choice.range, progress)) return std::nullopt;
    return questionsAt(run, choice.level, best, progress);
}

std::optional<Question> nextQuestion(const Run& run, std::size_t level, Tick from, bool telling) {
    constexpr std::uint64_t kFar = std::uint64_t{1} << 16;
    const std::uint64_t end = std::min(run.built().value, from.value + kFar);
    // Most are near.
    std::uint64_t length = 64;
    for (std::uint64_t at = from.value; at < end; at += std::exchange(length, std::min(8 * length, kFar))) {
        std::optional<Tick> found;
        AskedAccesses asked(run.machine(), level, [&](const AskedAccess& a) {
            const bool isWanted =
                !telling || (!a.disturbed && (a.evicts || (!a.hit && a.kind != MissKind::compulsory)));
            if (isWanted && !found) found = a.tick;
        });
        Progress unwatched;
        asked.read(run, {Tick{at}, Tick{std::min(end, at + length)}}, unwatched);
        if (found) return questionAt(run, level, *found);
    }
    return std::nullopt;
}

bool isTelling(const Question& question) {
    return question.victim.has_value() || (question.kind && *question.kind != MissKind::compulsory);
}

}  // namespace whorl::sim
