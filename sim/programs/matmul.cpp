// The matrix multiplications of Choudhury and Rosen, "Abstract Visualization of Runtime Memory Behavior", V.A.
#include "sim/programs/catalogue.h"
#include "sim/programs/kernels/matmul_blocked.h"
#include "sim/programs/kernels/matmul_standard.h"
#include "sim/programs/kernels/matmul_transposed.h"
#include "sim/programs/traced_array.h"

namespace whorl::sim {

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

}  // namespace whorl::sim
