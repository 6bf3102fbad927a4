#include "app/cli/view_options.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

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
        for (const What what : {What::temperature, What::missRate}) {
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
    if (!window || *window < 1 || *window > sim::GaugeSettings::kMostWindow) {
        return sim::fail("", fmt::format("--disk \"{}\": \"{}\" is not a number of accesses", all, over),
                         fmt::format("use 1 to {}, range or run", sim::GaugeSettings::kMostWindow));
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
    if (auto taken = takeOver(words, gauge, all); !taken) return taken;
    const std::size_t colon = words.find(':');
    const std::string word = words.substr(0, colon);
    for (std::size_t i = 0; i < sim::kGaugeWords.size(); ++i) {
        if (sim::kGaugeWords[i] != word) continue;
        gauge.what = static_cast<What>(i);
        const bool hasDetail = gauge.what == What::regionShare || gauge.what == What::missKind;
        if (hasDetail != (colon != std::string::npos)) break;
        return hasDetail ? takeDetail(words.substr(colon + 1), trace, gauge) : sim::Expected<void>();
    }
    return sim::fail("", fmt::format("--disk \"{}\" is not a measure of the level gauges", all),
                     "use " + gaugeForms() +
                         "; temperature, misses and kind may end in @N, over the last N accesses, @range or @run");
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

void addGroundOption(OptionParser& command, scene::Ground& ground) {
    command.addChoice("--ground", ground, {{"dark", scene::Ground::dark}, {"light", scene::Ground::light}},
                      "dark or light");
}

void addViewOptions(OptionParser& command, ViewOptions& options, Session& session) {
    addGroundOption(command, session.ground);
    command.addFlag("--panels", session.panels, "with the panels around the picture");
    command.addFlag("--caption", session.overlays.caption,
                    "with a caption: what the picture shows, in words, the key, the machine, the hit rates");
    command.add("--trails", session.trails, "number of accesses whose pathlines are shown", {.showDefault = true});
    command.add("--cpu", options.cpu, "show the caches of this CPU alone, from 0", {.kind = ValueKind::cpu});
    command.add("--lapse", options.lapse, "time-lapse: this many accesses per frame, 1 to 1000000",
                {.limits = Limits<std::uint64_t>{1, Session::kMostLapse}});
    command.addFlag("--elements", session.look.grain, scene::Grain::elements,
                    "a glyph for each element, instead of each block");
    command.addChoice("--rings", session.look.rings,
                      {{"content", scene::RingSizes::content}, {"capacity", scene::RingSizes::capacity}},
                      "the room of the rings follows what the caches can hold of the trace, or their capacity");
    command.add("--disk", options.gauge,
                "the measure of the level gauges: " + gaugeForms() +
                    "; after it @N: over the last N accesses, @range: over the range, @run: over the whole run",
                {.among = gaugeWords(), .after = ValueKind::place});
    command.add("--zoom", options.zoom, "zoom factor, 1 to 256",
                {.limits = Limits<float>{1.0f, scene::View::kMostZoom}});
    command.add("--focus", options.focus, "X,Y: the point in the middle, from the rings' centre, -1 to 1; for --zoom");
    command.addFlag("--fill-by-use", session.look.use, "glyphs fill up as the bytes of their blocks are used");
    command.add("--scale", session.enlarged, "text and lines so many times larger, 0.5 to 4",
                {.limits = Limits<float>{Session::kLeastEnlarged, Session::kMostEnlarged}});
    command.addFlag("--lecture", session.lecture, "large text, for a lecture hall");
    command.addFlag("--reduced-motion", session.look.reducedMotion, "reduced motion: glyphs fade instead of moving");
}

sim::Expected<void> takeOver(const ViewOptions& options, Session& session) {
    if (auto chosen = chooseCpu(session, options.cpu); !chosen) return chosen;
    if (options.lapse) session.lapse = options.lapse;
    if (!options.gauge.empty()) {
        const sim::Trace& trace = session.opened.run->trace();
        if (auto taken = takeGauge(options.gauge, trace, session.look.gauge); !taken) return taken;
    }
    glm::vec2 focus{0};
    if (!options.focus.empty()) {
        auto read = focusIn(options.focus);
        if (!read) return tl::unexpected(read.error());
        focus = *read;
    }
    session.camera.put({options.zoom, focus});
    return {};
}

}  // namespace whorl::app
