// Programs that traverse arrays once: initialization (Choudhury and Rosen, "Abstract Visualization of Runtime Memory
// Behavior", fig. 3) and aligned arrays that conflict (Proudfoot, "Visualizing Memory Hierarchies").
#include <algorithm>
#include <bit>

#include "sim/programs/catalogue.h"
#include "sim/programs/kernels/aligned.h"
#include "sim/programs/kernels/arrayinit.h"
#include "sim/programs/kernels/conflict.h"
#include "sim/programs/traced_array.h"

namespace whorl::sim {

namespace {

constexpr std::int64_t kMaxElements = 16'000'000;

Expected<Trace> runArrayinit(const ProgramArguments& arguments, Progress& progress) {
    const auto n = static_cast<int>(arguments.number("n"));
    return runRecorded([&]() -> Expected<Trace> {
        AccessRecorder recorder(arguments.traceName(), listingOf("arrayinit.h"), static_cast<std::uint64_t>(n),
                                progress);
        TracedArray<double> a(recorder, "a", std::vector<double>(static_cast<std::size_t>(n)));
        kernels::initialize(a, n);
        const auto isOne = [](double value) { return value == 1.0; };
        if (!std::all_of(a.values().begin(), a.values().end(), isOne)) return wrongResult(arguments.traceName());
        return recorder.finish();
    });
}

Expected<Trace> runConflict(const ProgramArguments& arguments, Progress& progress) {
    const auto n = static_cast<int>(arguments.number("n"));
    const auto count = static_cast<std::size_t>(n);
    const auto align = static_cast<std::uint64_t>(arguments.number("align"));
    return runRecorded([&]() -> Expected<Trace> {
        AccessRecorder recorder(arguments.traceName(), listingOf("conflict.h"), 3 * count, progress);
        TracedArray<int> a(recorder, "a", randomValues<int>(count, 5, 1000), align);
        TracedArray<int> b(recorder, "b", randomValues<int>(count, 6, 1000), align);
        TracedArray<int> c(recorder, "c", std::vector<int>(count), align);
        kernels::add(a, b, c, n);
        for (std::size_t i = 0; i < count; ++i) {
            if (c.values()[i] != a.values()[i] + b.values()[i]) return wrongResult(arguments.traceName());
        }
        return recorder.finish();
    });
}

/// The arrays, and the scalars beside them, all begin at multiples of the arrays' size rounded up to a power of two: in
/// a direct-mapped cache of that size the first elements and the scalars share a cell.
Expected<Trace> runAligned(const ProgramArguments& arguments, Progress& progress) {
    const auto n = static_cast<int>(arguments.number("n"));
    const auto times = static_cast<int>(arguments.number("times"));
    const auto count = static_cast<std::size_t>(n);
    return runRecorded([&]() -> Expected<Trace> {
        AccessRecorder recorder(arguments.traceName(), listingOf("aligned.h"),
                                std::uint64_t{3} * count * static_cast<std::uint64_t>(times), progress);
        const std::uint64_t align = std::bit_ceil(count * sizeof(double));
        TracedArray<double> a(recorder, "a", randomValues<double>(count, 5, 1000), align);
        TracedArray<double> b(recorder, "b", randomValues<double>(count, 6, 1000), align);
        TracedArray<double> c(recorder, "c", std::vector<double>(count), align);
        TracedArray<double> x(recorder, "x", std::vector<double>(1), align);
        TracedArray<double> y(recorder, "y", std::vector<double>(1), align);
        TracedArray<double> z(recorder, "z", std::vector<double>(1), align);
        kernels::addRepeatedly(a, b, c, x, y, z, n, times);
        for (std::size_t i = 0; i < count; ++i) {
            if (c.values()[i] != a.values()[i] + b.values()[i]) return wrongResult(arguments.traceName());
        }
        return recorder.finish();
    });
}

/// The powers of two from 4 to 65536.
std::vector<std::string> alignments() {
    std::vector<std::string> out;
    for (int bytes = 4; bytes <= 1 << 16; bytes *= 2) out.push_back(std::to_string(bytes));
    return out;
}

}  // namespace

Program arrayinitProgram() {
    return {.name = "arrayinit",
            .description = "Initialises each element of a new array of n doubles, as many programs do first.",
            .options = {{.name = "n", .description = "elements", .defaultValue = "512", .min = 1, .max = kMaxElements}},
            .machine = "paper",
            .run = runArrayinit};
}

Program alignedProgram() {
    return {
        .name = "aligned",
        .description =
            "Adds two arrays into a third several times, all as large as L1 and aligned to it, so that "
            "every access misses.",
        .options =
            {{.name = "n", .description = "elements of each array", .defaultValue = "512", .min = 1, .max = 1'000'000},
             {.name = "times",
              .description = "how often the arrays are added",
              .defaultValue = "4",
              .min = 1,
              .max = 1000,
              .words = {{"1", "added once"}, {"", "added {} times"}}}},
        .machine = "direct",
        .run = runAligned};
}

Program conflictProgram() {
    return {.name = "conflict",
            .description =
                "Adds two arrays into a third, all aligned alike, so that they compete for the same sets of the cache.",
            .options = {{.name = "n",
                         .description = "elements of each array",
                         .defaultValue = "64",
                         .min = 1,
                         .max = kMaxElements},
                        {.name = "align",
                         .description = "each array starts at a multiple of this many bytes",
                         .defaultValue = "4096",
                         .choices = alignments(),
                         .words = {{"", "arrays at multiples of {} bytes"}}}},
            .machine = "lecture",
            .run = runConflict};
}

}  // namespace whorl::sim
