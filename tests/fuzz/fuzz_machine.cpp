// Any text that chooses a machine or a program: it is read or refused, and what is read is valid.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"
#include "sim/replay/simulator.h"

namespace {

using namespace whorl::sim;

void require(bool holds) {
    if (!holds) std::abort();
}

void look(const Expected<MachineConfig>& machine) {
    if (!machine) {
        require(!machine.error().sentence().empty() && !machine.error().cancelled);
        return;
    }
    require(checked(*machine, "again").has_value());
    const auto again = parseGeometry(geometryOf(*machine));
    require(again.has_value() && again->levels.size() == machine->levels.size());
    const auto written = parseMachineJson(machineAsJson(*machine), "written.json");
    require(written.has_value() && *written == *machine);
    std::uint64_t blocks = 0;
    for (std::size_t i = 0; i < machine->levels.size(); ++i) {
        require(again->levels[i].size == machine->levels[i].size && machine->levels[i].sets() > 0);
        blocks += machine->levels[i].blocks();
    }
    if (blocks > 4096) return;  // valid, but too slow to build thousands of times a second
    // Every valid machine can be played, by every CPU, and loses no block.
    Simulator simulator(*machine);
    EventList events;
    for (std::uint32_t i = 0; i < 64; ++i) {
        Access access;
        access.address = ByteAddress{i * 7919 % 4096};
        access.size = 1 + i % 40;
        access.op = i % 3 == 0 ? Op::write : Op::read;
        access.cpu = static_cast<std::uint8_t>(i % machine->cpus);
        simulator.step(access, events);
    }
    std::int64_t resident = 0;
    for (std::size_t l = 0; l < machine->levels.size(); ++l) {
        const CacheCounters c = simulator.counters().level(l);
        resident += static_cast<std::int64_t>(c.fills - c.evictions - c.invalidations - c.backInvalidations -
                                              c.pagedOut - c.moves);
        for (std::uint32_t n = 0; n < machine->caches(l); ++n) {
            const Cache& cache = simulator.hierarchy().cache(l, n);
            for (std::uint32_t s = 0; s < cache.sets(); ++s) resident -= cache.occupied(SetIndex{s});
        }
    }
    require(resident == 0);
}

/// The text as a change of a value, on a machine with all features.
void change(std::string_view text) {
    static const MachineConfig kMachine =
        parseMachineJson(R"({"cpus": 4, "memory": {"size": "2K", "page": 256}, "tlb": {"entries": 8},
            "levels": [{"size": "1K", "ways": 2, "block": 32}, {"size": "2K", "ways": 2, "block": 32}, {"size": "4K", "ways": 4, "block": 32, "inclusion": "exclusive"}]})",
                         "base.json")
            .value();
    const auto changed = withValue(kMachine, text);
    if (!changed) {
        require(!changed.error().sentence().empty());
        return;
    }
    const auto sound = checked(*changed, "changed");
    // Words that are not UTF-8 cannot be written to a file unchanged.
    const auto changes = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
    if (sound && !changes("name") && !changes("note") && !changes("source")) look(*sound);
}

void sweep(std::string_view text) {
    const auto values = parseSweepValues(text);
    require(values ? !values->empty() && values->size() <= 10'000 : !values.error().sentence().empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    look(parseMachineJson(text, "fuzz.json"));
    look(parseGeometry(text));
    change(text);
    sweep(text);
    const auto spec = parseProgramSpec(text);
    if (spec) {
        const auto again = parseProgramSpec(specAsText(*spec));
        require(again.has_value() && again->options == spec->options);
    } else {
        require(!spec.error().sentence().empty());
    }
    return 0;
}
