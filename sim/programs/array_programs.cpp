// Programs over arrays: initialised, added, multiplied, sorted.
#include <algorithm>
#include <bit>

#include "sim/machine/machine_config.h"
#include "sim/programs/catalogue.h"
#include "sim/programs/kernels/aligned.h"
#include "sim/programs/kernels/arrayinit.h"
#include "sim/programs/kernels/bubblesort.h"
#include "sim/programs/kernels/conflict.h"
#include "sim/programs/kernels/matmul_blocked.h"
#include "sim/programs/kernels/matmul_standard.h"
#include "sim/programs/kernels/matmul_transposed.h"
#include "sim/programs/kernels/mergesort.h"
#include "sim/programs/kernels/vecadd.h"
#include "sim/programs/traced_array.h"

namespace whorl::sim {

// Programs that traverse arrays once: initialization (Choudhury and Rosen, "Abstract Visualization of Runtime Memory
// Behavior", fig. 3) and aligned arrays that conflict (Proudfoot, "Visualizing Memory Hierarchies").

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

// Vector addition, the first case study of Chiron (Goosen, Hinz and Polzin, "Experience Using the Chiron Parallel
// Program Performance Visualization System", 1995): a contended lock, and false sharing at two cache levels.

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

// The matrix multiplications of Choudhury and Rosen, "Abstract Visualization of Runtime Memory Behavior", V.A.

namespace {

using Matrix = std::vector<double>;

Matrix transposed(const Matrix& m, std::size_t n) {
    Matrix out(m.size());
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k) out[k * n + i] = m[i * n + k];
    }
    return out;
}

/// A reference product, computed in a different order from any of the kernels. The values are small integers, so all
/// orders give the same result.
Matrix product(const Matrix& a, const Matrix& b, std::size_t n) {
    Matrix c(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k) {
            for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
    }
    return c;
}

std::uint64_t expectedAccesses(const std::string& variant, std::uint64_t n, std::uint64_t block) {
    const std::uint64_t toC = variant == "blocked" ? 2 * ((n + block - 1) / block) : 1;
    return n * n * (2 * n + toC);
}

Expected<Trace> run(const ProgramArguments& arguments, Progress& progress) {
    const auto n = static_cast<int>(arguments.number("n"));
    const auto block = static_cast<int>(std::min(arguments.number("block"), arguments.number("n")));
    const std::string& variant = arguments.word("variant");
    const auto size = static_cast<std::size_t>(n);
    const Matrix a = randomValues<double>(size * size, 1, 10);
    const Matrix b = randomValues<double>(size * size, 2, 10);

    return runRecorded([&]() -> Expected<Trace> {
        AccessRecorder recorder(arguments.traceName(), listingOf("matmul_" + variant + ".h"),
                                expectedAccesses(variant, size, static_cast<std::uint64_t>(block)), progress);
        const bool turned = variant == "transposed";
        TracedMatrix<double> A(recorder, "A", n, n, a);
        TracedMatrix<double> B(recorder, turned ? "Bt" : "B", n, n, turned ? transposed(b, size) : b);
        TracedMatrix<double> C(recorder, "C", n, n, Matrix(size * size));
        if (turned) {
            kernels::multiplyTransposed(A, B, C, n);
        } else if (variant == "blocked") {
            kernels::multiplyBlocked(A, B, C, n, block);
        } else {
            kernels::multiplyStandard(A, B, C, n);
        }
        if (C.values() != product(a, b, size)) return wrongResult(arguments.traceName());
        return recorder.finish();
    });
}

}  // namespace

Program matmulProgram() {
    return {
        .name = "matmul",
        .description =
            "Multiplies two n by n matrices of doubles: the plain way, with B stored transposed, or by blocks.",
        .options = {{.name = "n",
                     .description = "rows and columns of the matrices",
                     .defaultValue = "16",
                     .min = 1,
                     .max = 384},
                    {.name = "variant",
                     .description = "how the product is computed",
                     .defaultValue = "standard",
                     .choices = {"standard", "transposed", "blocked"},
                     .words = {{"standard", "plain loops"}, {"transposed", "B transposed"}, {"blocked", "in blocks"}}},
                    {.name = "block",
                     .description = "rows and columns of a block; more than n is n",
                     .defaultValue = "4",
                     .min = 1,
                     .max = 384,
                     .onlyWith = "variant=blocked",
                     .words = {{"", "blocks of {0} × {0}"}}}},
        .machine = "paper",
        .run = run};
}

// The sorts of Choudhury and Rosen, "Abstract Visualization of Runtime Memory Behavior", V.B.

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
