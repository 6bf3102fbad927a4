// The material point method computes what a slow, simple one does and what physics conserves; and its trace is what the
// kernel accesses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/programs/kernels/mpm.h"
#include "sim/programs/programs_support.h"

namespace whorl::sim {
namespace {

constexpr double kDt = 0.2;

Plain<double> zeros(int rows, int columns) {
    return {.values = std::vector<double>(static_cast<std::size_t>(rows * columns)), .columns = columns};
}

struct Body {
    explicit Body(int n)
        : particles(n),
          mass(zeros(n, 1)),
          velocity(zeros(n, 2)),
          position(zeros(n, 2)),
          stress(zeros(n, 3)),
          model(zeros(n, 3)) {}
    int particles;
    Plain<double> mass, velocity, position, stress, model;
};

struct Grid {
    explicit Grid(int nodesAcross)
        : nodes(nodesAcross * nodesAcross),
          columns(nodesAcross),
          nodeMass(zeros(nodes, 1)),
          momentum(zeros(nodes, 2)),
          force(zeros(nodes, 2)) {}
    int nodes;
    int columns;
    Plain<double> nodeMass, momentum, force;
};

/// A square of 8 x 8 particles, on the middle 4 x 4 of 8 x 8 cells; `velocityAt` gives its motion.
template <class VelocityAt>
Body squareBody(VelocityAt&& velocityAt) {
    Body body(64);
    for (int p = 0; p < body.particles; ++p) {
        const double x = 2.25 + 0.5 * (p % 8);
        const double y = 2.25 + 0.5 * (p / 8);  // NOLINT(bugprone-integer-division): the row
        body.position(p, 0) = x;
        body.position(p, 1) = y;
        body.mass(p) = 0.25;
        const auto [vx, vy] = velocityAt(x, y);
        body.velocity(p, 0) = vx;
        body.velocity(p, 1) = vy;
        body.model(p, 0) = 0.5 + 0.01 * p;
        body.model(p, 1) = 0.4;
        body.model(p, 2) = 1;
    }
    return body;
}

using Pair = std::pair<double, double>;

/// The tent function of the node at `node`, and its slope.
double tent(double x, double node) {
    return std::max(0.0, 1 - std::abs(x - node));
}
double slope(double x, double node) {
    if (std::abs(x - node) >= 1) return 0;
    return x < node ? 1 : -1;
}

/// The same method directly from its formulas: every particle with every node.
class Slow {
  public:
    Slow(Body& body, int across) : b_(body), across_(across) {}

    void run(int steps) {
        for (int step = 0; step < steps; ++step) {
            gather();
            const auto momentum = momentum_;
            std::vector<Pair> force(momentum.size());
            each([&](int p, std::size_t i, double, double dx, double dy) {
                const double volume = b_.mass(p) / b_.model(p, 2);
                force[i].first -= volume * (b_.stress(p, 0) * dx + b_.stress(p, 2) * dy);
                force[i].second -= volume * (b_.stress(p, 2) * dx + b_.stress(p, 1) * dy);
            });
            std::vector<Pair> moved(static_cast<std::size_t>(b_.particles));
            each([&](int p, std::size_t i, double w, double, double) {
                if (mass_[i] == 0) return;
                Pair& to = moved[static_cast<std::size_t>(p)];
                to.first += kDt * w * (momentum[i].first + kDt * force[i].first) / mass_[i];
                to.second += kDt * w * (momentum[i].second + kDt * force[i].second) / mass_[i];
                b_.velocity(p, 0) += kDt * w * force[i].first / mass_[i];
                b_.velocity(p, 1) += kDt * w * force[i].second / mass_[i];
            });
            for (int p = 0; p < b_.particles; ++p) {
                b_.position(p, 0) += moved[static_cast<std::size_t>(p)].first;
                b_.position(p, 1) += moved[static_cast<std::size_t>(p)].second;
            }
            gather();
            each([&](int p, std::size_t i, double, double dx, double dy) {
                if (mass_[i] == 0) return;
                const double xx = kDt * dx * momentum_[i].first / mass_[i];
                const double yy = kDt * dy * momentum_[i].second / mass_[i];
                const double xy = kDt * (dy * momentum_[i].first + dx * momentum_[i].second) / mass_[i];
                const double lambda = b_.model(p, 0);
                const double mu = b_.model(p, 1);
                b_.stress(p, 0) += (lambda + 2 * mu) * xx + lambda * yy;
                b_.stress(p, 1) += lambda * xx + (lambda + 2 * mu) * yy;
                b_.stress(p, 2) += mu * xy;
            });
        }
    }

  private:
    template <class F>
    void each(F&& f) {
        for (int p = 0; p < b_.particles; ++p) {
            const double x = b_.position(p, 0);
            const double y = b_.position(p, 1);
            for (int row = 0; row < across_; ++row) {
                for (int column = 0; column < across_; ++column) {
                    f(p, static_cast<std::size_t>(row * across_ + column), tent(x, column) * tent(y, row),
                      slope(x, column) * tent(y, row), tent(x, column) * slope(y, row));
                }
            }
        }
    }
    void gather() {
        mass_.assign(static_cast<std::size_t>(across_ * across_), 0);
        momentum_.assign(mass_.size(), {});
        each([&](int p, std::size_t i, double w, double, double) {
            mass_[i] += w * b_.mass(p);
            momentum_[i].first += w * b_.mass(p) * b_.velocity(p, 0);
            momentum_[i].second += w * b_.mass(p) * b_.velocity(p, 1);
        });
    }

    Body& b_;
    int across_;
    std::vector<double> mass_;
    std::vector<Pair> momentum_;
};

void expectNear(const Plain<double>& a, const Plain<double>& b, const char* what) {
    for (std::size_t i = 0; i < a.values.size(); ++i) EXPECT_NEAR(a.values[i], b.values[i], 1e-12) << what << ' ' << i;
}

TEST(MaterialPoints, ComputeWhatTheFormulasSay) {
    Body fast = squareBody([](double x, double y) { return Pair(0.1 + 0.05 * (y - 4), -0.04 * (x - 4)); });
    Body slow = fast;
    Grid grid(9);
    kernels::materialPoints(fast, grid, kDt, 25);
    Slow(slow, 9).run(25);
    expectNear(fast.position, slow.position, "position");
    expectNear(fast.velocity, slow.velocity, "velocity");
    expectNear(fast.stress, slow.stress, "stress");
    EXPECT_GT(std::abs(fast.stress(0, 2)), 1e-4);
}

TEST(MaterialPoints, ThatOnlyFlyAreNotStressed) {
    Body body = squareBody([](double, double) { return Pair(0.1, 0.05); });
    const Body before = body;
    Grid grid(9);
    kernels::materialPoints(body, grid, kDt, 20);
    for (int p = 0; p < body.particles; ++p) {
        EXPECT_NEAR(body.position(p, 0), before.position.values[static_cast<std::size_t>(2 * p)] + 0.4, 1e-12);
        EXPECT_NEAR(body.position(p, 1), before.position.values[static_cast<std::size_t>(2 * p) + 1] + 0.2, 1e-12);
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(body.stress(p, k), 0, 1e-12);
    }
}

TEST(MaterialPoints, AreStressedAsTheyAreStretched) {
    Body body = squareBody([](double x, double) { return Pair(0.03 * (x - 4), 0); });
    Grid grid(9);
    kernels::materialPoints(body, grid, 1e-6, 1);
    const int p = 27;  // inside, where the body covers the grid on all sides
    EXPECT_NEAR(body.stress(p, 0) / 1e-6, 0.03 * (body.model(p, 0) + 2 * body.model(p, 1)), 1e-6);
    EXPECT_NEAR(body.stress(p, 1) / 1e-6, 0.03 * body.model(p, 0), 1e-6);
    EXPECT_NEAR(body.stress(p, 2), 0, 1e-12);
}

TEST(MaterialPoints, MakeTheAccessesOfTheirKernel) {
    for (const auto& [side, cells, steps] : {std::tuple(4, 8, 1), {5, 9, 3}, {16, 16, 2}}) {
        const Trace trace = ran(fmt::format("mpm:particles={},grid={},steps={}", side, cells, steps));
        const int nodes = (cells + 1) * (cells + 1);
        const int expected = side * side * 29 + steps * (side * side * (29 + 23 + 30 + 22) + nodes * 11);
        EXPECT_EQ(trace.size(), static_cast<std::uint64_t>(expected));
    }
    EXPECT_GT(ran("mpm").size(), 20'000u);
    EXPECT_LT(ran("mpm").size(), 200'000u);
    std::vector<std::string> names;
    const Trace trace = ran("mpm:particles=4,grid=8,steps=1");
    for (const Region& region : trace.regions()) names.push_back(region.name);
    EXPECT_EQ(names, (std::vector<std::string>{"mass", "velocity", "position", "stress", "model", "nodeMass",
                                               "momentum", "force"}));
    EXPECT_EQ(trace.regions()[3].rows, 16u);
    EXPECT_EQ(trace.regions()[3].columns, 3u);
    EXPECT_EQ(trace.placeOf(ByteAddress{trace.regions()[3].base.value + 32}, Tick{0}), "stress[1][1]");
}

// The program checks mass, momentum and energy itself: they also hold at the limits of its options.
TEST(MaterialPoints, KeepWhatPhysicsKeeps) {
    for (const std::string spec : {"mpm:steps=200,particles=8,grid=8", "mpm:steps=200,particles=8",
                                   "mpm:steps=40,particles=27,grid=17", "mpm:particles=64,grid=64,steps=2"}) {
        EXPECT_GT(ran(spec).size(), 0u) << spec;
    }
}

TEST(MaterialPoints, NeedAParticleForEachCell) {
    Progress progress;
    const auto trace = runProgram(*parseProgramSpec("mpm:particles=7,grid=15"), progress);
    ASSERT_FALSE(trace.has_value());
    EXPECT_EQ(trace.error().sentence(),
              "mpm:particles=7,grid=15: 7 particles are too few for a body 7.5 cells wide; give particles=8 or more, "
              "or a smaller grid");
}

}  // namespace
}  // namespace whorl::sim
