#include "app/cli/view_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>
#include <vector>

#include "app/cli/values.h"
#include "app/session/words.h"
#include "sim/analysis/place.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

using What = sim::GaugeSettings::What;

/// "nothing, temperature, occupancy, region:NAME, …": what --disk takes.
std::string gaugeForms() {
    std::vector<std::string> forms(sim::kGaugeWords.begin(), sim::kGaugeWords.end());
    forms[static_cast<std::size_t>(What::regionShare)] += ":NAME";
    forms[static_cast<std::size_t>(What::missKind)] += ":conflict";
    return sim::joinNames(forms, "or");
}

/// The words of that for completion: each kind of misses by itself, regions by their names.
std::vector<std::string> gaugeWords() {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < sim::kGaugeWords.size(); ++i) {
        const std::string word(sim::kGaugeWords[i]);
        const What what = static_cast<What>(i);
        if (what != What::missKind) words.push_back(word + (what == What::regionShare ? ":" : ""));
        if (what != What::missKind) continue;
        for (const std::string_view kind : sim::kMissKindWords) words.push_back(word + ":" + std::string(kind));
    }
    for (const char* const over : {"@range", "@run"}) {
        for (const What what : {What::temperature, What::missRate, What::traffic}) {
            words.push_back(std::string(sim::kGaugeWords[static_cast<std::size_t>(what)]) + over);
        }
    }
    return words;
}

/// Removes what is at the end of "temperature@200" or "misses@run", and stores it.
sim::Expected<void> takeOver(std::string& words, sim::GaugeSettings& gauge, const std::string& all) {
    using Over = sim::GaugeSettings::Over;
    const std::size_t at = words.rfind('@');
    if (at == std::string::npos) return {};
    const std::string over = words.substr(at + 1);
    words.resize(at);
    for (const Over span : {Over::range, Over::run}) {
        if (over != sim::kGaugeOverWords[static_cast<std::size_t>(span)]) continue;
        gauge.over = span;
        return {};
    }
    const auto window = sim::wholeNumber(over);
    if (!window || *window < 1 || *window > sim::GaugeSettings::kMaxWindow) {
        return sim::fail("", fmt::format("--disk \"{}\": \"{}\" is not a number of accesses", all, over),
                         fmt::format("use 1 to {}, range or run", sim::GaugeSettings::kMaxWindow));
    }
    gauge.over = Over::last;
    gauge.window = static_cast<std::uint32_t>(*window);
    return {};
}

sim::Expected<void> takeDetail(const std::string& detail, const sim::Trace& trace, sim::GaugeSettings& gauge) {
    if (gauge.what == What::regionShare) {
        for (std::size_t r = 0; r < trace.regions().size(); ++r) {
            if (trace.regions()[r].name != detail) continue;
            gauge.region = r;
            return {};
        }
        return sim::fail("", fmt::format("--disk region: no region is called \"{}\"", detail),
                         "whorl stats lists them");
    }
    for (std::size_t k = 0; k < sim::kMissKinds; ++k) {
        if (sim::kMissKindWords[k] != detail) continue;
        gauge.kind = static_cast<sim::MissKind>(k);
        return {};
    }
    return sim::fail("", fmt::format("--disk kind: \"{}\" is not a kind of misses", detail),
                     "use compulsory, capacity, conflict, true sharing or false sharing");
}

/// "temperature@200", "region:A", "kind:conflict".
sim::Expected<void> takeGauge(const std::string& all, const sim::Trace& trace, sim::GaugeSettings& gauge) {
    std::string words = all;
    WHORL_TRY(takeOver(words, gauge, all));
    const std::size_t colon = words.find(':');
    const std::string word = words.substr(0, colon);
    for (std::size_t i = 0; i < sim::kGaugeWords.size(); ++i) {
        if (sim::kGaugeWords[i] != word) continue;
        gauge.what = static_cast<What>(i);
        const bool hasDetail = gauge.what == What::regionShare || gauge.what == What::missKind;
        if (hasDetail != (colon != std::string::npos)) break;
        return hasDetail ? takeDetail(words.substr(colon + 1), trace, gauge) : sim::Expected<void>();
    }
    return sim::fail(
        "", fmt::format("--disk \"{}\" is not a measure of the level gauges", all),
        "use " + gaugeForms() +
            "; temperature, misses, kind and traffic may end in @N, over the last N accesses, @range or @run");
}

sim::Expected<glm::vec2> focusIn(const std::string& words) {
    glm::vec2 focus{0};
    int used = 0;
    const bool read = std::sscanf(words.c_str(), "%f,%f%n", &focus.x, &focus.y, &used) == 2;
    const bool isIn = std::abs(focus.x) <= 1 && std::abs(focus.y) <= 1;
    if (read && static_cast<std::size_t>(used) == words.size() && isIn) return focus;
    return sim::fail("", fmt::format("--focus \"{}\" is not a point", words),
                     "use X,Y from -1,-1 to 1,1: shares of half the picture's smaller side, from the rings' centre");
}

sim::Expected<void> chooseCpu(Session& session, std::optional<std::uint32_t> cpu) {
    if (!cpu) return {};
    const std::uint32_t cpus = session.opened.run->machine().cpus;
    if (*cpu >= cpus) {
        return sim::fail("", fmt::format("--cpu {}: there is no such CPU", *cpu),
                         cpus == 1 ? "this machine has only CPU 0" : fmt::format("use 0 to {}", cpus - 1));
    }
    session.cpu = cpu;
    return {};
}

}  // namespace

void addSettingOption(OptionParser& command, const Setting& setting, Look& look) {
    const SettingOption& option = setting.option;
    const std::string name(option.name);
    const std::string words(option.words);
    const SettingAccess& access = setting.value;
    const auto set = [&look, &setting](const SettingValue& value) { setting.value.set(look, value); };
    if (option.flag)
        return command.addFlag(
            name, [=] { set(*option.flag); }, words);
    if (std::holds_alternative<bool>(access.kind))
        return command.addFlag(
            name, [=] { set(true); }, words);
    if (!access.words.empty()) {
        const auto choose = [=](const std::string& word) {
            const auto index = std::find(access.words.begin(), access.words.end(), word) - access.words.begin();
            set(WordIndex{static_cast<std::size_t>(index)});
        };
        return command.addWord(name, choose, {access.words.begin(), access.words.end()}, words);
    }
    const auto bind = [&](auto* number) {
        using T = std::remove_pointer_t<decltype(number)>;
        OptionTraits traits{.showDefault = option.showsDefault};
        if constexpr (std::is_same_v<T, float>) {
            traits.limits = Limits<float>{static_cast<float>(access.least), static_cast<float>(access.most)};
        } else if constexpr (std::is_same_v<T, std::optional<std::uint64_t>>) {
            traits.limits = Limits<std::uint64_t>{static_cast<std::uint64_t>(access.least),
                                                  static_cast<std::uint64_t>(access.most)};
        }
        command.add(name, *number, words, traits);
    };
    std::visit(bind, access.number(look));
}

void addViewOptions(OptionParser& command, ViewOptions& options, Session& session) {
    for (const Setting& setting : settings()) {
        if (!setting.option.name.empty()) addSettingOption(command, setting, session);
    }
    command.add("--cpu", options.cpu, "show the caches of this CPU alone, from 0", {.kind = ValueKind::cpu});
    command.add("--disk", options.gauge,
                "the measure of the level gauges: " + gaugeForms() +
                    "; after it @N: over the last N accesses, @range: over the range, @run: over the whole run",
                {.among = gaugeWords(), .after = ValueKind::place});
    command.add("--zoom", options.zoom, "zoom factor, 1 to 256",
                {.limits = Limits<float>{1.0f, scene::View::kMaxZoom}});
    command.add("--focus", options.focus, "X,Y: the point in the middle, from the rings' centre, -1 to 1; for --zoom");
}

sim::Expected<void> takeOver(const ViewOptions& options, Session& session) {
    WHORL_TRY(chooseCpu(session, options.cpu));
    if (!options.gauge.empty()) {
        const sim::Trace& trace = session.opened.run->trace();
        WHORL_TRY(takeGauge(options.gauge, trace, session.ringView.gauge));
    }
    glm::vec2 focus{0};
    if (!options.focus.empty()) {
        auto read = WHORL_TRY(focusIn(options.focus));
        focus = read;
    }
    session.camera.put({options.zoom, focus});
    return {};
}

namespace {

/// The settings of all views of cells that are shown.
template <class F>
void forEachChoice(Session& session, F&& f) {
    for (const ViewId& view : session.viewSettings.shown) {
        if (view.cells()) f(view, session.viewSettings.cells[view.withoutRun()]);
    }
}

/// A power of two within limits, as "64" or "4K".
sim::Expected<std::uint64_t> powerIn(const std::string& option, const std::string& words, std::uint64_t least,
                                     std::uint64_t most) {
    const std::uint64_t unit = !words.empty() && (words.back() == 'K' || words.back() == 'k') ? 1024 : 1;
    const auto number = sim::wholeNumber(std::string_view(words).substr(0, words.size() - (unit > 1 ? 1 : 0)));
    if (number && *number <= most / unit && sim::isPowerOfTwo(*number * unit) && *number * unit >= least) {
        return *number * unit;
    }
    return sim::fail("", fmt::format("{} \"{}\" is not a size that it can have", option, words),
                     fmt::format("use a power of two from {} to {}", least, most));
}

sim::Expected<void> chooseMetric(const std::string& words, Session& session) {
    if (words.empty()) return {};
    std::optional<sim::Error> error;
    forEachChoice(session, [&](const ViewId& view, CellChoice& choice) {
        const auto& machine = session.opened.run->machine();
        choice.quantity = scene::quantityNamed(words, *view.cells(), machine);
        if (choice.quantity || error) return;
        error = sim::Error{
            .where = "",
            .what = fmt::format("--metric \"{}\": the view {} has no such metric", words, wordOf(view, machine)),
            .hint = "use " + sim::joinNames(scene::quantityWords(*view.cells(), machine), "or")};
    });
    if (error) return tl::unexpected(*error);
    return {};
}

sim::Expected<void> chooseGroups(const std::string& words, Session& session) {
    if (words.empty()) return {};
    const sim::MachineConfig& machine = session.opened.run->machine();
    scene::MemoryGroups groups = scene::MemoryGroups::pieces;
    std::uint64_t piece = 0;
    if (words == "regions") groups = scene::MemoryGroups::regions;
    if (words == "address") groups = scene::MemoryGroups::address;
    if (words == "page") piece = machine.pageBytes();
    if (groups == scene::MemoryGroups::pieces && piece == 0) {
        const auto level = levelNamed(words, machine);
        if (!level) {
            return sim::fail("", fmt::format("--groups \"{}\" is not a way to group memory", words),
                             "use regions, address, page, or a level: pieces as large as one of its ways");
        }
        piece = machine.levels[*level].wayBytes();
        if (!sim::isPowerOfTwo(piece)) {
            return sim::fail("",
                             fmt::format("--groups {}: one way of it is {} bytes, not a power of two", words, piece),
                             "use regions, address, page, or another level");
        }
    }
    forEachChoice(session, [&](const ViewId&, CellChoice& choice) {
        choice.groups = groups;
        if (piece != 0) choice.piece = piece;
    });
    return {};
}

sim::Expected<void> chooseBoundaries(const std::vector<std::string>& words, Session& session) {
    if (words.empty()) return {};
    bool l1 = false;
    bool l2 = false;
    bool pages = false;
    for (const std::string& word : words) {
        bool* const edge = word == "L1" ? &l1 : word == "L2" ? &l2 : word == "pages" ? &pages : nullptr;
        if (edge == nullptr && word != "none") {
            return sim::fail("", fmt::format("--boundaries \"{}\" has no boundaries", word),
                             "use L1, L2, pages, several with commas, or none");
        }
        if (edge != nullptr) *edge = true;
    }
    forEachChoice(session, [&](const ViewId&, CellChoice& choice) {
        choice.boundaries = l1;
        choice.boundaries2 = l2;
        choice.pages = pages;
    });
    return {};
}

sim::Expected<void> chooseSizes(const CellOptions& options, Session& session) {
    std::uint64_t cell = 0;
    std::uint64_t width = 0;
    if (!options.cell.empty()) {
        const auto read = WHORL_TRY(powerIn("--cell", options.cell, scene::kMinCell, scene::kMaxCell));
        cell = read;
    }
    if (!options.width.empty()) {
        const auto read = WHORL_TRY(powerIn("--width", options.width, 1, scene::kMaxColumns));
        width = read;
    }
    forEachChoice(session, [&](const ViewId&, CellChoice& choice) {
        if (cell != 0) choice.cell = cell;
        if (width != 0) choice.columns = static_cast<std::uint32_t>(width);
        if (options.pixels > 0) choice.sight = CellSight{{options.pixels, 0}, {0, 0}};
    });
    return {};
}

/// "penalty", "misses", "caused:PLACE".
sim::Expected<void> chooseOrder(const std::string& words, Session& session) {
    if (words.empty()) return {};
    constexpr std::string_view kCaused = "caused:";
    sim::ByteAddress victim;
    std::string word = words;
    if (words.starts_with(kCaused)) {
        const auto place = WHORL_TRY(sim::placeNamed(std::string_view(words).substr(kCaused.size()),
                                                     session.opened.run->trace(), session.opened.run->machine()));
        if (place.kind != sim::Place::Kind::memory) {
            return sim::fail("", fmt::format("--order \"{}\" names a cell of a cache", words),
                             "name memory whose misses were caused, such as caused:B");
        }
        victim = place.from;
        word = "caused";
    }
    const auto known = valueNamed<CellOrder>(word);
    if (!known || words == "caused") {
        return sim::fail("", fmt::format("--order \"{}\" is not an order of groups", words),
                         "use address, penalty, misses, or caused:PLACE");
    }
    forEachChoice(session, [&](const ViewId&, CellChoice& choice) {
        choice.order = *known;
        choice.victim = victim;
    });
    return {};
}

sim::Expected<void> chooseConflicts(const std::string& words, Session& session) {
    if (words.empty()) return {};
    const auto level = WHORL_TRY(levelNamed(words, session.opened.run->machine()));
    forEachChoice(session,
                  [&](const ViewId&, CellChoice& choice) { choice.conflictLevel = static_cast<std::uint8_t>(level); });
    return {};
}

}  // namespace

void addCellOptions(OptionParser& command, CellOptions& options) {
    command.add(
        "--metric", options.metric,
        "what cells show: accesses, misses:L1, miss-rate:L2, penalty, level, conflicts:L1, …; of live views glow, "
        "last, since, residence, …",
        {.kind = ValueKind::metric});
    command.add("--cell", options.cell, "bytes of a cell of memory, a power of two; without it, a block of L1");
    command.add("--width", options.width, "cells (of a cache: sets) in a row, a power of two; without it, what fits");
    command.add("--pixels", options.pixels, "the height of a cell, pixels; without it, what fits",
                {.limits = Limits<int>{1, scene::CellScale::kMaxPixels}});
    command.add("--groups", options.groups,
                "memory by regions, by address, by page, or in pieces as large as one way of a level (L1, L2)",
                {.kind = ValueKind::level, .among = {"regions", "address", "page"}});
    command.add("--order", options.order,
                "the order of the groups of memory: address, penalty, misses, or caused:PLACE, by the misses that they "
                "caused in the group of that place",
                {.among = {"address", "penalty", "misses", "caused:"}, .after = ValueKind::place});
    command.addFlag("--hilbert", options.hilbert, "memory along a Hilbert curve instead of row by row");
    command.addFlag("--treemap", options.treemap, "memory as boxes as large as regions and allocations");
    command.addFlag("--log", options.logarithmic, "a logarithmic scale of the colours of cells");
    command.add("--boundaries", options.boundaries, "L1, L2, pages, several with commas, or none; L1 without it",
                {.commaSeparated = true, .among = {"L1", "L2", "pages", "none"}});
    command.add("--half-life", options.halfLife,
                "accesses after which the glow of live cells is half as bright; 200 without it");
    command.add("--conflicts", options.conflicts,
                "LEVEL: lines from the blocks filled into that level to those they evicted; for memory-live",
                {.kind = ValueKind::level});
    command.addFlag("--interleaved", options.interleaved, "the ways of a cache side by side, not an array for each");
}

sim::Expected<void> takeOver(const CellOptions& options, Session& session) {
    if (options.halfLife &&
        !(*options.halfLife >= CellChoice::kMinHalfLife && *options.halfLife <= CellChoice::kMaxHalfLife)) {
        return sim::fail("", fmt::format("--half-life {} is out of range", *options.halfLife),
                         fmt::format("use {} to {} accesses", CellChoice::kMinHalfLife, CellChoice::kMaxHalfLife));
    }
    forEachChoice(session, [&](const ViewId&, CellChoice& choice) {
        if (options.hilbert) choice.curve = scene::MemoryCurve::hilbert;
        if (options.treemap) choice.curve = scene::MemoryCurve::treemap;
        if (options.logarithmic) choice.logarithmic = true;
        if (options.interleaved) choice.interleaved = true;
        if (options.halfLife) choice.halfLife = *options.halfLife;
        // A frame shows the arrangement, not the way to it.
        choice.interleavedShare = choice.interleaved ? 1.0f : 0.0f;
    });
    return chooseMetric(options.metric, session)
        .and_then([&] { return chooseSizes(options, session); })
        .and_then([&] { return chooseGroups(options.groups, session); })
        .and_then([&] { return chooseBoundaries(options.boundaries, session); })
        .and_then([&] { return chooseOrder(options.order, session); })
        .and_then([&] { return chooseConflicts(options.conflicts, session); });
}

}  // namespace whorl::app
