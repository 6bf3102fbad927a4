#include "app/cli/view_options.h"

#include <fmt/format.h>

#include <algorithm>
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
    if (auto chosen = chooseCpu(session, options.cpu); !chosen) return chosen;
    if (!options.gauge.empty()) {
        const sim::Trace& trace = session.opened.run->trace();
        if (auto taken = takeGauge(options.gauge, trace, session.ringView.gauge); !taken) return taken;
    }
    glm::vec2 focus{0};
    if (!options.focus.empty()) {
        auto read = WHORL_TRY(focusIn(options.focus));
        focus = read;
    }
    session.camera.put({options.zoom, focus});
    return {};
}

}  // namespace whorl::app
