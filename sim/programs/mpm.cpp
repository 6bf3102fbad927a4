// The material point method of Choudhury and Rosen, "Abstract Visualization of Runtime Memory Behavior", V.C: a square
// elastic body that flies through the middle of a grid while it oscillates, elongated in one direction and then the
// other.
#include <cmath>

#include "sim/programs/catalogue.h"
#include "sim/programs/kernels/mpm.h"
#include "sim/programs/traced_array.h"

namespace whorl::sim {

namespace {

using Doubles = std::vector<double>;

constexpr double kTimestep = 0.2;  ///< a fifth of the time in which sound crosses a cell
constexpr double kDriftX = 0.02;   ///< cells per unit of time; a wave crosses about one
constexpr double kDriftY = 0.01;
constexpr double kStretch = 0.02;  ///< velocity of the body's edges, outward along x and inward along y

/// The initial particles, row by row from below. Lengths are in cells.
struct Start {
    Start(int side, int grid)
        : particles(side * side), columns(grid + 1), mass(count()), velocity(2 * count()), position(2 * count()) {
        const double half = grid / 4.0;  // the body fills the middle half of the grid's width
        const double spacing = 2 * half / side;
        const double centre = grid / 2.0;
        model.reserve(3 * count());
        for (std::size_t p = 0; p < count(); ++p) {
            const auto row = static_cast<int>(p) / side;
            const auto column = static_cast<int>(p) % side;
            const double x = (column + 0.5) * spacing - half;
            const double y = (row + 0.5) * spacing - half;
            position[2 * p] = centre + x;
            position[2 * p + 1] = centre + y;
            velocity[2 * p] = kDriftX + kStretch * x / half;
            velocity[2 * p + 1] = kDriftY - kStretch * y / half;
            mass[p] = spacing * spacing;
            const double stiffness = column < side / 2 ? 0.5 : 1;  // two materials, glued together
            model.insert(model.end(), {0.5 * stiffness, 0.4 * stiffness, 1});
        }
    }

    std::size_t count() const { return static_cast<std::size_t>(particles); }
    int nodes() const { return columns * columns; }

    int particles;
    int columns;  ///< columns of nodes
    Doubles mass, velocity, position;
    Doubles model;  ///< Lamé's two constants and the density
};

/// The traced arrays of the particles.
struct ParticleArrays {
    ParticleArrays(AccessRecorder& recorder, const Start& start)
        : particles(start.particles),
          mass(recorder, "mass", start.mass),
          velocity(recorder, "velocity", particles, 2, start.velocity),
          position(recorder, "position", particles, 2, start.position),
          stress(recorder, "stress", particles, 3, Doubles(3 * start.count())),
          model(recorder, "model", particles, 3, start.model) {}

    int particles;
    TracedArray<double> mass;
    TracedMatrix<double> velocity, position;
    TracedMatrix<double> stress;  ///< components along x, along y, and of shear
    TracedMatrix<double> model;
};

struct GridArrays {
    GridArrays(AccessRecorder& recorder, const Start& start)
        : nodes(start.nodes()),
          columns(start.columns),
          nodeMass(recorder, "nodeMass", Doubles(static_cast<std::size_t>(nodes))),
          momentum(recorder, "momentum", nodes, 2, Doubles(2 * static_cast<std::size_t>(nodes))),
          force(recorder, "force", nodes, 2, Doubles(2 * static_cast<std::size_t>(nodes))) {}

    int nodes;
    int columns;
    TracedArray<double> nodeMass;
    TracedMatrix<double> momentum, force;
};

/// The conserved quantities.
struct Conserved {
    double mass = 0;
    double momentumX = 0;
    double momentumY = 0;
    double energy = 0;  ///< kinetic and elastic
};

Conserved conservedBy(const Start& start, const Doubles& velocity, const Doubles& stress) {
    Conserved kept;
    for (std::size_t p = 0; p < start.count(); ++p) {
        const double m = start.mass[p];
        const double vx = velocity[2 * p];
        const double vy = velocity[2 * p + 1];
        const double spread = start.model[3 * p];
        const double shear = start.model[3 * p + 1];
        const double xx = stress[3 * p];
        const double yy = stress[3 * p + 1];
        const double xy = stress[3 * p + 2];
        // The strains for the stress, in plane strain.
        const double trace = (xx + yy) / (2 * (spread + shear));
        const double work = (xx * (xx - spread * trace) + yy * (yy - spread * trace) + 2 * xy * xy) / (2 * shear);
        kept.mass += m;
        kept.momentumX += m * vx;
        kept.momentumY += m * vy;
        kept.energy += m * (vx * vx + vy * vy) / 2 + m / start.model[3 * p + 2] * work / 2;
    }
    return kept;
}

bool near(double a, double b, double share) {
    return std::abs(a - b) <= share * std::abs(b);
}

/// Whether the body has conserved mass, momentum and energy, and the grid agrees with it.
bool conserves(const Conserved& before, const Conserved& after, const Doubles& nodeMass, const Doubles& momentum) {
    Conserved grid;
    for (const double m : nodeMass) grid.mass += m;
    for (std::size_t i = 0; i < nodeMass.size(); ++i) {
        grid.momentumX += momentum[2 * i];
        grid.momentumY += momentum[2 * i + 1];
    }
    constexpr double kRounding = 1e-9;
    constexpr double kEnergy = 0.05;  // tolerance for the finite timestep
    return near(grid.mass, before.mass, kRounding) && near(grid.momentumX, before.momentumX, kRounding) &&
           near(grid.momentumY, before.momentumY, kRounding) && near(after.momentumX, before.momentumX, kRounding) &&
           near(after.momentumY, before.momentumY, kRounding) && near(after.energy, before.energy, kEnergy);
}

std::uint64_t expectedAccesses(const Start& start, std::uint64_t steps) {
    const auto nodes = static_cast<std::uint64_t>(start.nodes());
    // One sweep over the particles for the momentum; then four per step, and two over the grid.
    return start.count() * 29 + steps * (start.count() * (29 + 23 + 30 + 22) + nodes * (6 + 5));
}

Expected<Trace> runMpm(const ProgramArguments& arguments, Progress& progress) {
    const auto side = static_cast<int>(arguments.number("particles"));
    const auto cells = static_cast<int>(arguments.number("grid"));
    const auto steps = static_cast<int>(arguments.number("steps"));
    if (2 * side < cells) {
        return fail(arguments.traceName(),
                    fmt::format("{} particles are too few for a body {:g} cells wide", side, cells / 2.0),
                    fmt::format("give particles={} or more, or a smaller grid", (cells + 1) / 2));
    }
    return runRecorded([&]() -> Expected<Trace> {
        const Start start(side, cells);
        const auto expected = expectedAccesses(start, static_cast<std::uint64_t>(steps));
        AccessRecorder recorder(arguments.traceName(), listingOf("mpm.h"), expected, progress);
        ParticleArrays body(recorder, start);
        GridArrays grid(recorder, start);
        kernels::materialPoints(body, grid, kTimestep, steps);
        const Conserved before = conservedBy(start, start.velocity, Doubles(3 * start.count()));
        const Conserved after = conservedBy(start, body.velocity.values(), body.stress.values());
        if (!conserves(before, after, grid.nodeMass.values(), grid.momentum.values())) {
            return wrongResult(arguments.traceName());
        }
        return recorder.finish();
    });
}

}  // namespace

Program mpmProgram() {
    return {.name = "mpm",
            .description = "Simulates an elastic body of particles flying through a grid: the material point method.",
            .options = {{.name = "particles",
                         .description = "particles along each side of the square body",
                         .defaultValue = "16",
                         .min = 4,
                         .max = 64},
                        {.name = "grid",
                         .description = "cells along each side of the grid, of which the body fills the middle half",
                         .defaultValue = "16",
                         .min = 8,
                         .max = 64},
                        {.name = "steps",
                         .description = "timesteps",
                         .defaultValue = "3",
                         .min = 1,
                         .max = 200,
                         .words = {{"1", "1 step"}, {"", "{} steps"}}}},
            .machine = "paper",
            .run = runMpm};
}

}  // namespace whorl::sim
