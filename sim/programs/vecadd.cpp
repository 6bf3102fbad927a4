// Vector addition, the first case study of Chiron (Goosen, Hinz and Polzin, "Experience Using the Chiron Parallel
// Program Performance Visualization System", 1995): a contended lock, and false sharing at two cache levels.
#include "sim/programs/kernels/vecadd.h"
#include "sim/machine/machine_config.h"
#include "sim/programs/catalogue.h"

namespace whorl::sim {

namespace {

constexpr const char* kVecaddMachine = "chiron-vecadd";
constexpr std::uint64_t kVecaddL2Block = 128;
constexpr std::uint64_t kVecaddL1Block = 16;

SharedArray<std::int32_t> arrayAt(Team& team, const std::string& called, int n) {
    const auto count = static_cast<std::size_t>(n);
    const std::uint64_t bytes = count * sizeof(std::int32_t);
    ByteAddress at = team.allocate({.name = called, .size = bytes, .elementSize = 4, .rows = count}, kVecaddL2Block);
    team.name(called, "Array", at, bytes);
    return {at, count};
}

Expected<Trace> runVecadd(const ProgramArguments& arguments, Progress& progress) {
    const auto n = static_cast<int>(arguments.number("n"));
    return runRecorded([&]() -> Expected<Trace> {
        const MachineConfig machine = loadMachine(kVecaddMachine).value();
        kernels::AdditionGlobal global;
        Team team(arguments.traceName(), machine, listingOf("vecadd.h"), static_cast<std::uint64_t>(10 * n), progress);
        global.a = arrayAt(team, "Global.ArrayA", n);
        global.b = arrayAt(team, "Global.ArrayB", n);
        global.c = arrayAt(team, "Global.ArrayC", n);
        ByteAddress at = team.allocate({.name = "Global.GS", .size = 2 * kVecaddL1Block}, kVecaddL2Block);
        team.name("Global.GS", "Monitor", at, 2 * kVecaddL1Block);
        global.GS = Subscripts(at, spinNamed(arguments.word("spin")), kVecaddL1Block - 4);
        global.n = n;
        global.chunk = static_cast<int>(arguments.number("chunk"));
        global.slaves = static_cast<int>(machine.cpus) - 1;
        team.start(kernels::master(global));
        for (int i = 0; i < global.slaves; ++i) team.start(kernels::slave(global));
        if (!team.run()) return wrongResult(arguments.traceName());
        std::int64_t sum = 0;
        for (int i = 0; i < n; ++i) {
            if (global.c.values()[static_cast<std::size_t>(i)] != 4 * i) return wrongResult(arguments.traceName());
            sum += std::int64_t{4} * i;
        }
        if (global.printed != sum) return wrongResult(arguments.traceName());
        return team.finish();
    });
}

}  // namespace

Program vecaddProgram() {
    return {
        .name = "vecadd",
        .description = "Adds two arrays on three CPUs that fetch their elements from a monitor, a chunk at a time.",
        .options =
            {{.name = "n", .description = "elements of an array", .defaultValue = "96", .min = 1, .max = 100'000},
             {.name = "chunk",
              .description = "elements that a CPU gets at a time: with 4 it has an L1 block to itself, with 32 an "
                             "L2 block",
              .defaultValue = "1",
              .min = 1,
              .max = 100'000,
              .words = {{"1", "1 element at a time"}, {"", "{} elements at a time"}}},
             {.name = "spin",
              .description = "how a CPU waits for the monitor: asleep, or by test-and-set, or by "
                             "test-and-test-and-set",
              .defaultValue = "sleep",
              .choices = {"sleep", "tas", "ttas"},
              .words = {{"sleep", "CPUs wait asleep"}, {"tas", "test-and-set"}, {"ttas", "test-and-test-and-set"}}}},
        .machine = kVecaddMachine,
        .run = runVecadd};
}

}  // namespace whorl::sim
