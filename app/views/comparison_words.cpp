#include "app/views/comparison_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/compared_runs.h"
#include "app/session/words.h"
#include "sim/analysis/comparison.h"
#include "sim/analysis/figures.h"
#include "sim/base/text.h"
#include "sim/report/comparison_report.h"
#include "sim/report/table.h"

namespace whorl::app {

namespace {

/// Of the second run, as in the sentence that compares the two.
std::string insteadOf(const sim::ComparedFigure& f) {
    return fmt::format("{}: {} instead of {}, {}", f.words, sim::grouped(*f.b), sim::grouped(*f.a),
                       sim::differenceOf(f));
}

/// The accesses of a run that its picture shows, the one in motion included, and all that it has.
struct ShownAccesses {
    std::uint64_t begun = 0;
    std::uint64_t all = 0;
    std::string words() const { return sim::grouped(begun) + " of " + sim::grouped(all); }
    std::uint64_t percent() const { return all == 0 ? 100 : 100 * begun / all; }
    bool operator==(const ShownAccesses&) const = default;
};

/// In the order of the openRuns(); empty while a picture is missing.
std::vector<ShownAccesses> shownOf(const Shown& c) {
    std::vector<ShownAccesses> out;
    for (std::size_t i = 0; i < c.runs.size(); ++i) {
        const Picture* const picture = c.runs.at(i)->composer().picture();
        if (picture == nullptr) return {};
        out.push_back({picture->snapshot.begun().value, c.runs.at(i)->run()->trace().size()});
    }
    return out;
}

bool isAtEnd(const std::vector<ShownAccesses>& runs) {
    return std::all_of(runs.begin(), runs.end(), [](const ShownAccesses& s) { return s.begun == s.all; });
}

/// The first two runs, in the order of their pictures.
struct Two {
    std::size_t a;
    std::size_t b;
};
Two firstTwo(const Session& session) {
    const std::size_t was = session.unchangedRun();
    return {was, was == 0 ? std::size_t{1} : std::size_t{0}};
}

/// The numbers of accesses that have happened in the pictures of the runs, in words.
std::string momentInWords(const std::vector<ShownAccesses>& shown) {
    if (shown.empty()) return {};
    const bool isOne =
        std::all_of(shown.begin(), shown.end(), [&](const ShownAccesses& s) { return s == shown.front(); });
    if (isOne) return fmt::format("after {} accesses{}", shown[0].words(), shown.size() > 1 ? " of each" : "");
    if (shown.size() == 2) return fmt::format("after {} and {} accesses", shown[0].words(), shown[1].words());
    return fmt::format("after {} accesses of the first", shown[0].words());
}

std::string rangesInWords(const Shown& c) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < c.runs.size(); ++i) {
        const auto range = contextOf(c.session, i).range;
        all.push_back(range ? fmt::format("{} – {}", sim::grouped(range->from.value), sim::grouped(range->to.value))
                            : "none");
    }
    const bool isOne = std::all_of(all.begin(), all.end(), [&](const std::string& s) { return s == all.front(); });
    return "in accesses " + (isOne || all.size() > 2 ? all.front() : all[0] + " and " + all[1]);
}

std::uint64_t nearestMisses(const sim::Counters& counts) {
    return counts.level(0).misses();
}

/// "L1.ways=1, 2 and 4": a common beginning of the titles appears once.
std::string enumerated(const std::vector<std::string>& titles) {
    const std::string key = titles.front().substr(0, titles.front().find('=') + 1);
    const bool isOneKey =
        std::all_of(titles.begin(), titles.end(), [&](const std::string& title) { return title.starts_with(key); });
    std::string out = titles.front();
    for (std::size_t i = 1; i < titles.size(); ++i) {
        out += i + 1 < titles.size() ? ", " : " and ";
        out += isOneKey ? titles[i].substr(key.size()) : titles[i];
    }
    return out;
}

/// For more than two runs: the runs with the fewest misses, and with the most.
std::string extremes(const Shown& c, const std::string& level, const std::vector<std::string>& titles) {
    std::vector<std::uint64_t> misses;
    for (std::size_t i = 0; i < titles.size(); ++i) {
        const auto counts = countsOf(c, i);
        if (!counts || counts->counters.levels() == 0) return {};
        misses.push_back(nearestMisses(counts->counters));
    }
    const auto [least, most] = std::minmax_element(misses.begin(), misses.end());
    if (*least == *most) return fmt::format("All have {} {} misses.", sim::grouped(*least), level);
    std::vector<std::string> best;
    std::vector<std::string> worst;
    for (std::size_t i = 0; i < titles.size(); ++i) {
        if (misses[i] == *least) best.push_back(titles[i]);
        if (misses[i] == *most) worst.push_back(titles[i]);
    }
    const auto each = [](const std::vector<std::string>& of) { return of.size() > 1 ? " each" : ""; };
    const double more = *least == 0 ? 0 : 100.0 * static_cast<double>(*most - *least) / static_cast<double>(*least);
    const std::string share = more < 0.5 ? std::string() : fmt::format(" (+{:.0f}\u00a0%)", more);
    return fmt::format("{} {} the fewest {} misses, {}{}; {} {} the most, {}{}{}.", enumerated(best),
                       best.size() > 1 ? "have" : "has", level, sim::grouped(*least), each(best), enumerated(worst),
                       worst.size() > 1 ? "have" : "has", sim::grouped(*most), each(worst), share);
}

/// A count of two runs.
struct CountOfTwo {
    std::string one;   ///< "L1 miss"
    std::string what;  ///< "L1 misses"
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    bool isTraffic = false;
};

/// "2 534 fewer L1 misses": of the second.
std::string moreOrFewer(const CountOfTwo& count) {
    if (count.a == count.b) return "as many " + count.what;
    const std::uint64_t by = count.a > count.b ? count.a - count.b : count.b - count.a;
    const std::string than = count.a > count.b ? "fewer " : "more ";
    return sim::counted(by, than + count.one, than + count.what);
}

/// The reads and writes of what both have beyond the nearest level, memory first.
std::vector<CountOfTwo> trafficOfTwo(const sim::Measures& a, const sim::Measures& b) {
    std::vector<CountOfTwo> out;
    const auto add = [&](const std::string& name, const sim::Traffic& ofA, const sim::Traffic& ofB) {
        out.push_back({"read from " + name, "reads from " + name, ofA.reads, ofB.reads, true});
        out.push_back({"write to " + name, "writes to " + name, ofA.writes, ofB.writes, true});
    };
    const auto ofLevel = [](const sim::Measures& of, std::size_t level) {
        return sim::trafficOf(of.counters, of.machine, level);
    };
    add("memory", ofLevel(a, a.machine.levels.size()), ofLevel(b, b.machine.levels.size()));
    for (std::size_t l = std::min(a.machine.levels.size(), b.machine.levels.size()); l-- > 1;) {
        if (a.machine.levels[l].name == b.machine.levels[l].name) {
            add(a.machine.levels[l].name, ofLevel(a, l), ofLevel(b, l));
        }
    }
    return out;
}

/// The misses of the first two runs at the levels that both have, nearest first, and the writes to memory and the
/// access cycles if these differ; where the misses are the same, only what differs in traffic, if anything does. None
/// while they are not known.
std::vector<CountOfTwo> countsOfTwo(const Shown& c) {
    const auto [first, second] = firstTwo(c.session);
    const auto countsA = countsOf(c, first);
    const auto countsB = countsOf(c, second);
    if (!countsA || !countsB) return {};
    const auto& a = c.runs.at(first)->run()->machine().levels;
    const auto& b = c.runs.at(second)->run()->machine().levels;
    std::vector<CountOfTwo> out;
    for (std::size_t l = 0; l < std::min(a.size(), b.size()); ++l) {
        if (a[l].name != b[l].name) continue;
        out.push_back({a[l].name + " miss", a[l].name + " misses", countsA->counters.level(l).misses(),
                       countsB->counters.level(l).misses()});
    }
    const auto isSame = [](const CountOfTwo& count) { return count.a == count.b; };
    const bool areSame = std::all_of(out.begin(), out.end(), isSame);
    std::vector<CountOfTwo> traffic = trafficOfTwo(*countsA, *countsB);
    std::erase_if(traffic, isSame);
    // Where misses differ, reads and write-backs do as they do; what reaches memory is a matter of its own.
    std::erase_if(traffic, [&](const CountOfTwo& count) { return !areSame && count.one != "write to memory"; });
    if (areSame && !traffic.empty()) out.clear();
    out.insert(out.end(), traffic.begin(), traffic.end());
    // How long it takes matters more than where it misses beyond the nearest level.
    std::vector<CountOfTwo> cycles;
    if (countsA->elapsed && countsB->elapsed && countsA->machine.cpus > 1)
        cycles.push_back({"elapsed cycle", "elapsed cycles", *countsA->elapsed, *countsB->elapsed});
    cycles.push_back({"access cycle", "access cycles", countsA->cyclesOfAll(), countsB->cyclesOfAll()});
    std::erase_if(cycles, isSame);
    out.insert(out.begin() + std::min<std::ptrdiff_t>(1, std::ssize(out)), cycles.begin(), cycles.end());
    return out;
}

/// For two runs: the difference of the second from the first at each level.
std::string differenceInWords(const Shown& c, const std::vector<std::string>& titles) {
    const auto [first, second] = firstTwo(c.session);
    std::string words;
    for (const CountOfTwo& count : countsOfTwo(c)) {
        const std::string differs = moreOrFewer(count);
        words += words.empty() ? fmt::format("{}: {} {} {}", titles[second], differs,
                                             count.a == count.b ? "as" : "than", titles[first])
                               : ", " + differs;
        const auto was = static_cast<double>(count.a);
        const double share = count.a == 0 ? 0 : (static_cast<double>(count.b) - was) / was;
        if (std::abs(share) >= 0.005) words += fmt::format(" ({:+.0f}\u00a0%)", 100 * share);
    }
    return words.empty() ? words : words + ".";
}

/// Whether it makes a difference how they are locked.
bool isLocked(const Session& session) {
    const sim::Trace& first = session.opened.run->trace();
    return !std::all_of(session.compared.begin(), session.compared.end(),
                        [&](const ComparedRun& b) { return b.opened.run->trace().sharesAccesses(first); });
}

}  // namespace

std::vector<std::string> withoutAlike(std::vector<std::string> titles,
                                      const std::function<bool(const std::string&)>& fits) {
    const auto areAlike = [&](const auto& partOf) {
        return std::all_of(titles.begin(), titles.end(),
                           [&](const std::string& t) { return partOf(t) == partOf(titles.front()); });
    };
    if (areAlike([](const std::string& t) { return t; })) return titles;
    const auto doFit = [&](const char* before) {
        return std::all_of(titles.begin(), titles.end(), [&](const std::string& t) { return fits(before + t); });
    };
    const auto last = [](const std::string& t) { return t.substr(std::min(t.rfind(' '), t.size())); };
    while (!doFit("") && !last(titles.front()).empty() && areAlike(last)) {
        for (std::string& title : titles) title.resize(title.rfind(' '));
    }
    // "L1.ways=", of a sweep, is a word, too.
    const auto first = [](const std::string& t) { return t.substr(0, t.find_first_of(" =") + 1); };
    const char* before = "";
    while (!doFit(before) && !first(titles.front()).empty() && areAlike(first)) {
        for (std::string& title : titles) title.erase(0, first(title).size());
        before = "…";
    }
    for (std::string& title : titles) title.insert(0, before);
    return titles;
}

std::optional<sim::Measures> countsOf(const Shown& c, std::size_t run) {
    RunView* const view = c.runs.at(run);
    return view == nullptr || c.session.asks() ? std::nullopt : view->countsOf(contextOf(c.session, run));
}

std::vector<std::string> hitsAndMisses(const sim::MachineConfig& machine, const sim::Counters& counters,
                                       LevelWords detail) {
    std::vector<std::string> out;
    if (machine.levels.empty()) {
        out.push_back(fmt::format("memory {}, {}", sim::counted(counters.memory.reads, "read", "reads"),
                                  sim::counted(counters.memory.writes, "write", "writes")));
    }
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const sim::CacheCounters level = counters.level(l);
        const std::string rate = level.accesses() == 0 ? "–" : fmt::format("{:.1f} %", 100 * level.hitRate());
        std::string words = machine.levels[l].name + " ";
        if (detail != LevelWords::misses) words += fmt::format("hits {}, ", rate);
        words += sim::counted(level.misses(), "miss", "misses");
        if (detail == LevelWords::all) words += " of " + sim::grouped(level.accesses());
        out.push_back(std::move(words));
    }
    return out;
}

std::vector<std::string> headingWords(const Shown& c, std::size_t run, LevelWords detail) {
    std::vector<std::string> out;
    const auto counts = countsOf(c, run);
    if (!counts) return out;
    if (c.session.openRuns().size() == 2) {
        for (const CountOfTwo& count : countsOfTwo(c)) {
            if (!count.isTraffic) continue;
            out.push_back(sim::counted(run == firstTwo(c.session).a ? count.a : count.b, count.one, count.what));
        }
    }
    for (std::string& words : hitsAndMisses(c.runs.at(run)->run()->machine(), counts->counters, detail)) {
        out.push_back(std::move(words));
    }
    return out;
}

std::vector<std::string> differences(const Shown& c) {
    std::vector<std::string> out;
    for (const CountOfTwo& count : countsOfTwo(c)) {
        out.push_back(insteadOf({.key = {}, .words = count.what, .a = count.a, .b = count.b}));
    }
    return out;
}

std::string mostDifferent(const Shown& c) {
    const auto shown = shownOf(c);
    if (c.session.asks() || c.session.range || shown.empty() || !isAtEnd(shown)) return {};
    const auto [first, second] = firstTwo(c.session);
    const sim::Run& a = *c.runs.at(first)->run();
    const sim::Run& b = *c.runs.at(second)->run();
    const auto measuresA = a.measures();
    const auto measuresB = b.measures();
    if (!measuresA || !measuresB) return {};
    if (a.machine().levels.empty()) return {};
    const std::string& level = a.machine().levels.front().name;
    const sim::ComparedThings regions =
        sim::comparedBy(sim::Grouping::region, {a.trace(), *measuresA}, {b.trace(), *measuresB});
    const sim::ComparedRows* const misses = regions.rowsOf(level + "_misses");
    if (misses == nullptr || misses->rows.empty()) return {};
    sim::ComparedFigure most = misses->rows.front();
    if (!most.difference() || *most.difference() == 0) return {};
    most.words = fmt::format("most in {}, {} misses", most.key, level);
    return insteadOf(most);
}

std::string spanInAWord(const Shown& c) {
    if (c.session.range) return "in the range";
    const auto shown = shownOf(c);
    if (isAtEnd(shown)) return "in all";
    if (shown.size() != 2 || shown[0].percent() == shown[1].percent()) return "so far";
    const auto [first, second] = firstTwo(c.session);
    return fmt::format("after {} % and {} %", shown[first].percent(), shown[second].percent());
}

std::string spanInWords(const Shown& c) {
    const std::string after = momentInWords(shownOf(c));
    return c.session.range ? rangesInWords(c) + "; the rings " + after : after;
}

std::string lockInWords(const Shown& c) {
    const TimeLock possible = possibleLock(c.session.lock, lockedTraces(c.session, c.session.compared.front()));
    std::string words = "locked by ";
    words += possible == TimeLock::line ? std::string("source line") : std::string(wordOf(possible));
    return possible == c.session.lock ? words : words + ", as no source line is in both";
}

std::string comparisonSentence(const Shown& c) {
    const std::vector<std::string> titles = titlesOfRuns(c.session);
    const std::string level = c.session.opened.run->machine().levelName(0);
    if (titles.size() > 2) return extremes(c, level, titles);
    return differenceInWords(c, titles);
}

std::vector<std::string> circumstances(const Shown& c) {
    std::vector<std::string> out{spanInWords(c)};
    if (c.session.openRuns().size() == 2) out.push_back(mostDifferent(c));
    // With panels, the controls show the lock.
    if (!c.session.panels && isLocked(c.session)) out.push_back(lockInWords(c));
    std::erase(out, "");
    return out;
}

}  // namespace whorl::app
