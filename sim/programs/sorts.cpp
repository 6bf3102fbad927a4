// The sorts of Choudhury and Rosen, "Abstract Visualization of Runtime Memory Behavior", V.B.
#include <algorithm>
#include <bit>

#include "sim/programs/catalogue.h"
#include "sim/programs/kernels/bubblesort.h"
#include "sim/programs/kernels/mergesort.h"
#include "sim/programs/traced_array.h"

namespace whorl::sim {

namespace {

constexpr int kValueBound = 1 << 20;

std::vector<int> sorted(std::vector<int> values) {
    std::sort(values.begin(), values.end());
    return values;
}

Expected<Trace> runBubblesort(const ProgramArguments& arguments, Progress& progress) {
    const auto n = static_cast<int>(arguments.number("n"));
    const auto count = static_cast<std::uint64_t>(n);
    const std::vector<int> values = randomValues<int>(count, 3, kValueBound);
    // A comparison takes two reads; half of the comparisons lead to a swap, of two reads and two writes.
    const std::uint64_t expected = 2 * count * (count - 1);

    return runRecorded([&]() -> Expected<Trace> {
        AccessRecorder recorder(arguments.traceName(), listingOf("bubblesort.h"), expected, progress);
        TracedArray<int> a(recorder, "a", values);
        kernels::bubbleSort(a, n);
        if (a.values() != sorted(values)) return wrongResult(arguments.traceName());
        return recorder.finish();
    });
}

Expected<Trace> runMergesort(const ProgramArguments& arguments, Progress& progress) {
    const auto n = static_cast<int>(arguments.number("n"));
    const auto count = static_cast<std::uint64_t>(n);
    const std::vector<int> values = randomValues<int>(count, 4, kValueBound);
    // At each level of the tree an element is compared (nearly always), moved and copied back.
    const std::uint64_t expected = 6 * count * static_cast<std::uint64_t>(std::bit_width(count - 1));

    return runRecorded([&]() -> Expected<Trace> {
        AccessRecorder recorder(arguments.traceName(), listingOf("mergesort.h"), expected, progress);
        TracedArray<int> a(recorder, "a", values);
        TracedArray<int> temp(recorder, "temp", std::vector<int>(count));
        kernels::mergeSort(a, temp, 0, n);
        if (a.values() != sorted(values)) return wrongResult(arguments.traceName());
        return recorder.finish();
    });
}

}  // namespace

Program bubblesortProgram() {
    return {
        .name = "bubblesort",
        .description = "Sorts n numbers by sweeps that get shorter, until what is left fits in the cache.",
        .options = {{.name = "n", .description = "numbers to sort", .defaultValue = "256", .min = 2, .max = 10'000}},
        .machine = "paper",
        .run = runBubblesort};
}

Program mergesortProgram() {
    return {
        .name = "mergesort",
        .description =
            "Sorts n numbers by merging sorted halves, in runs that get longer until they overflow the cache.",
        .options = {{.name = "n", .description = "numbers to sort", .defaultValue = "512", .min = 2, .max = 1'000'000}},
        .machine = "paper",
        .run = runMergesort};
}

}  // namespace whorl::sim
