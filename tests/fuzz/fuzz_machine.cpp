// Whatever a person writes to choose a machine or a program: it is read or refused, and what is read is sound.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sim/cache/hierarchy.h"
#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"

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
    std::uint64_t blocks = 0;
    for (std::size_t i = 0; i < machine->levels.size(); ++i) {
        require(again->levels[i].size == machine->levels[i].size && isPowerOfTwo(machine->levels[i].sets()));
        blocks += machine->levels[i].blocks();
    }
    if (blocks > 4096) return;  // sound, but slow to build thousands of times a second
    Hierarchy hierarchy(*machine);
    hierarchy.access({.address = ByteAddress{100}, .size = 200, .op = Op::write, .cpu = 0, .site = SiteId{}},
                     [](const Event&) {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    look(parseMachineJson(text, "fuzz.json"));
    look(parseGeometry(text));
    const auto spec = parseProgramSpec(text);
    if (spec) {
        const auto again = parseProgramSpec(specAsText(*spec));
        require(again.has_value() && again->options == spec->options);
    } else {
        require(!spec.error().sentence().empty());
    }
    return 0;
}
