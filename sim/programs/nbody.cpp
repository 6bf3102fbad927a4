// The Barnes-Hut method, the third case study of Chiron: a tree built in parallel, and false sharing of unneeded
// statistics.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/machine/machine_config.h"
#include "sim/programs/catalogue.h"
#include "sim/programs/kernels/nbody.h"

namespace whorl::sim {

namespace {

using kernels::Body;
using kernels::Point;
using kernels::Share;
using kernels::Space;
using kernels::TreeCell;

constexpr const char* kNbodyMachine = "chiron-nbody";
constexpr std::uint64_t kNbodyL2Block = 256;
constexpr std::uint64_t kBodyBytes = 96;
constexpr std::uint64_t kCellBytes = 80;
constexpr std::uint64_t kGlobalBytes = 192;
constexpr int kSpareCells = 64;   ///< in addition to two per body, far more than needed
constexpr double kFastest = 0.3;  ///< maximum initial velocity of a body along each axis

/// A region of `count` items of the same size.
ByteAddress rowOf(Team& team, const std::string& called, std::size_t count, std::uint64_t bytes) {
    return team.allocate(
        {.name = called, .size = count * bytes, .elementSize = static_cast<std::uint32_t>(bytes), .rows = count},
        kNbodyL2Block);
}

/// The structure Global, with its fields packed as in any structure.
void layGlobal(Team& team, Space& space) {
    ByteAddress at = team.allocate({.name = "Global", .size = kGlobalBytes}, kNbodyL2Block);
    team.name("Global", "Global", at, kGlobalBytes);
    const auto cpus = static_cast<std::size_t>(space.cpus);
    space.corner = SharedArray<double>(at, 3);
    space.size = SharedWord<double>(at);
    space.least = SharedArray<double>(at, 3);
    space.most = SharedArray<double>(at, 3);
    space.cellsUsed = SharedWord<std::int32_t>(at);
    space.interactions = SharedArray<std::int32_t>(at, cpus);
    space.opened = SharedArray<std::int32_t>(at, cpus);
    space.box = Lock(at);
    space.barrier = Barrier(at);
}

void layBodies(Team& team, Space& space, int count) {
    ByteAddress at = rowOf(team, "bodies", static_cast<std::size_t>(count), kBodyBytes);
    space.bodies.reserve(static_cast<std::size_t>(count));
    for (int b = 0; b < count; ++b, at.value += kBodyBytes) {
        team.name(fmt::format("Body {}", b), "Body", at, kBodyBytes);
        ByteAddress next = at;
        Body& body = space.bodies.emplace_back();
        body.mass = SharedWord<double>(next, 1.0 / count);
        body.position = SharedArray<double>(next, 3);
        body.velocity = SharedArray<double>(next, 3);
        body.force = SharedArray<double>(next, 3);
        body.cost = SharedWord<std::int32_t>(next, 1);
    }
}

void layCells(Team& team, Space& space, int count) {
    ByteAddress at = rowOf(team, "cells", static_cast<std::size_t>(count), kCellBytes);
    space.cells.reserve(static_cast<std::size_t>(count));
    for (int c = 0; c < count; ++c, at.value += kCellBytes) {
        team.name(fmt::format("Cell {}", c), "Cell", at, kCellBytes);
        ByteAddress next = at;
        TreeCell& cell = space.cells.emplace_back();
        cell.mass = SharedWord<double>(next);
        cell.position = SharedArray<double>(next, 3);
        cell.sub = SharedArray<std::int32_t>(next, 8, Space::kNone);
        cell.cost = SharedWord<std::int32_t>(next);
        cell.done = SharedWord<std::int32_t>(next);
        cell.lock = Lock(next);
    }
}

/// A ball of bodies, denser towards its centre, with zero total momentum.
void scatter(Space& space) {
    constexpr int kSteps = 1 << 20;
    RandomNumbers numbers(6);
    const auto either = [&] { return 2.0 * numbers.below(kSteps) / kSteps - 1; };
    Point drift{};
    for (Body& body : space.bodies) {
        Point at{1, 1, 1};
        while (at[0] * at[0] + at[1] * at[1] + at[2] * at[2] > 1) at = {either(), either(), either()};
        const double radius = std::sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        for (std::size_t k = 0; k < 3; ++k) {
            body.position.values()[k] = at[k] * radius;
            space.least.values()[k] = std::min(space.least.values()[k], at[k] * radius);
            space.most.values()[k] = std::max(space.most.values()[k], at[k] * radius);
            body.velocity.values()[k] = kFastest * either();
            drift[k] += body.velocity.values()[k] / static_cast<double>(space.count());
        }
    }
    for (Body& body : space.bodies) {
        for (std::size_t k = 0; k < 3; ++k) body.velocity.values()[k] -= drift[k];
    }
}

/// Whether the tree contains each body exactly once.
bool hasAllOnce(const Space& space) {
    std::vector<int> seen(space.bodies.size());
    std::vector<std::int32_t> left{space.count()};
    while (!left.empty()) {
        const std::int32_t sub = left.back();
        left.pop_back();
        if (sub == Space::kNone) continue;
        if (sub < space.count()) {
            ++seen[static_cast<std::size_t>(sub)];
        } else {
            const auto& subs = space.cells[static_cast<std::size_t>(sub - space.count())].sub.values();
            left.insert(left.end(), subs.begin(), subs.end());
        }
    }
    return std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; });
}

/// The position of a body when the forces were last computed.
Point placeBefore(const Body& body) {
    Point at{};
    for (std::size_t k = 0; k < 3; ++k) {
        at[k] = body.position.values()[k] - Space::kStep * body.velocity.values()[k];
    }
    return at;
}

/// The error of the forces relative to direct summation over all pairs of bodies (root mean square).
double errorOfForces(const Space& space) {
    double error = 0, sum = 0;
    for (const Body& body : space.bodies) {
        const Point at = placeBefore(body);
        Point exact{};
        for (const Body& other : space.bodies) {
            if (&other == &body) continue;
            const Point to = placeBefore(other);
            double square = Space::kSoftening * Space::kSoftening;
            for (std::size_t k = 0; k < 3; ++k) square += (to[k] - at[k]) * (to[k] - at[k]);
            const double pull = other.mass.value() / (square * std::sqrt(square));
            for (std::size_t k = 0; k < 3; ++k) exact[k] += pull * (to[k] - at[k]);
        }
        for (std::size_t k = 0; k < 3; ++k) {
            error += (body.force.values()[k] - exact[k]) * (body.force.values()[k] - exact[k]);
            sum += exact[k] * exact[k];
        }
    }
    return sum == 0 ? 0 : std::sqrt(error / sum);
}

/// The total momentum, which should be zero, relative to the sum of the bodies' momenta.
double driftOf(const Space& space) {
    Point momentum{};
    double sum = 0;
    for (const Body& body : space.bodies) {
        for (std::size_t k = 0; k < 3; ++k) {
            momentum[k] += body.mass.value() * body.velocity.values()[k];
            sum += body.mass.value() * std::abs(body.velocity.values()[k]);
        }
    }
    return (std::abs(momentum[0]) + std::abs(momentum[1]) + std::abs(momentum[2])) / sum;
}

bool conserves(const Space& space) {
    constexpr double kForces = 0.02;
    constexpr double kDrift = 0.01;
    return hasAllOnce(space) && errorOfForces(space) <= kForces && driftOf(space) <= kDrift;
}

Expected<Trace> runNbody(const ProgramArguments& arguments, Progress& progress) {
    const auto bodies = static_cast<int>(arguments.number("bodies"));
    const auto steps = static_cast<int>(arguments.number("steps"));
    return runRecorded([&]() -> Expected<Trace> {
        const MachineConfig machine = loadMachine(kNbodyMachine).value();
        Space space;
        space.cpus = static_cast<int>(machine.cpus);
        space.steps = steps;
        space.stats = arguments.word("stats") == "on";
        const auto expected = static_cast<std::uint64_t>(bodies * steps) * 700;
        Team team(arguments.traceName(), machine, listingOf("nbody.h"), expected, progress);
        layGlobal(team, space);
        layBodies(team, space, bodies);
        layCells(team, space, 2 * bodies + kSpareCells);
        scatter(space);
        std::vector<Share> shares(machine.cpus);
        for (int cpu = 0; cpu < space.cpus; ++cpu) {
            Share& share = shares[static_cast<std::size_t>(cpu)];
            share.cpu = cpu;
            for (int b = bodies * cpu / space.cpus; b < bodies * (cpu + 1) / space.cpus; ++b) share.bodies.push_back(b);
            team.start(kernels::nbodyWorker(team, space, share));
        }
        if (!team.run() || !conserves(space)) return wrongResult(arguments.traceName());
        return team.finish();
    });
}

}  // namespace

Program nbodyProgram() {
    return {
        .name = "nbody",
        .description =
            "Moves bodies that attract each other on eight CPUs, which build a tree together (Barnes and Hut).",
        .options = {{.name = "bodies", .description = "bodies", .defaultValue = "128", .min = 8, .max = 4096},
                    {.name = "steps",
                     .description = "timesteps",
                     .defaultValue = "4",
                     .min = 1,
                     .max = 50,
                     .words = {{"1", "1 step"}, {"", "{} steps"}}},
                    {.name = "stats",
                     .description = "whether the CPUs keep statistics of their loads, side by side in shared memory",
                     .defaultValue = "on",
                     .choices = {"on", "off"},
                     .words = {{"on", "with statistics"}, {"off", "without statistics"}}}},
        .machine = kNbodyMachine,
        .run = runNbody};
}

}  // namespace whorl::sim
