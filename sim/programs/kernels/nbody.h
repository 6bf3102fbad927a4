// Bodies that attract each other, moved by the method of Barnes and Hut (Nature 324, 1986) on several CPUs, in the
// manner of the program of that name in SPLASH (Singh, Weber and Gupta, 1992): all CPUs build an octree together, treat
// far groups of bodies as one, and share the work by the cost of each body in the preceding step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/programs/parallel/team.h"

namespace whorl::sim::kernels {

struct Body {
    SharedWord<double> mass;
    SharedArray<double> position, velocity, force;  ///< force: per unit of mass
    SharedWord<std::int32_t> cost;                  ///< interactions in the last step
};

/// A cube of space. `sub`: the index of a body, the number of bodies plus the index of a cell, or kNone.
struct TreeCell {
    SharedWord<double> mass;
    SharedArray<double> position;  ///< centre of mass
    SharedArray<std::int32_t> sub;
    SharedWord<std::int32_t> cost, done;
    Lock lock;
};

struct Space {
    static constexpr std::int32_t kNone = -1;
    static constexpr double kOpening = 0.6;  ///< a cell with a larger ratio of size to distance is opened
    static constexpr double kSoftening = 0.05;
    static constexpr double kStep = 0.01;

    std::vector<Body> bodies;
    std::vector<TreeCell> cells;

    // The structure Global, in memory order.
    SharedArray<double> corner;  ///< corner of the root cube
    SharedWord<double> size;     ///< side length of the root cube
    SharedArray<double> least, most;
    SharedWord<std::int32_t> cellsUsed;
    SharedArray<std::int32_t> interactions, opened;  ///< load statistics, by CPU
    Lock box;
    Barrier barrier;

    Bell created;
    int cpus = 0, steps = 0;
    bool stats = false;

    int count() const { return static_cast<int>(bodies.size()); }
};

/// A CPU's private data.
struct Share {
    int cpu = 0;
    std::vector<int> bodies;  ///< bodies assigned to it in this step
    std::vector<int> cells;   ///< cells created by it, in order of creation
};

using Point = std::array<double, 3>;

/// A cube during a walk of the tree.
struct Cube {
    Point corner{};
    double size = 0;

    /// The octant that contains a point.
    int eighthOf(const Point& p) const {
        int k = 0;
        for (int axis = 0; axis < 3; ++axis) k |= p[axis] >= corner[axis] + size / 2 ? 1 << axis : 0;
        return k;
    }
    Cube eighth(int k) const {
        Cube part{.corner = corner, .size = size / 2};
        for (int axis = 0; axis < 3; ++axis) part.corner[axis] += (k >> axis & 1) != 0 ? part.size : 0;
        return part;
    }
};

// listing
inline Task<Point> placeOf(Body& body) {
    Point at{};
    for (int k = 0; k < 3; ++k) at[k] = co_await body.position(k);
    co_return at;
}

inline Task<int> newCell(Space& global, Share& mine) {
    const int c = co_await global.cellsUsed().add(1);
    for (int k = 0; k < 8; ++k) co_await (global.cells[c].sub(k) = Space::kNone);
    co_await (global.cells[c].done() = 0);
    mine.cells.push_back(c);
    co_return c;
}

inline Task<> clearTree(Space& global, Share& mine) {
    co_await (global.cellsUsed() = 0);
    co_await newCell(global, mine);
}

// From the root down to where there is room; a place that is taken becomes a cell.
inline Task<> load(Space& global, Share& mine, int b) {
    const Point at = co_await placeOf(global.bodies[b]);
    Cube cube;
    for (int k = 0; k < 3; ++k) cube.corner[k] = co_await global.corner(k);
    cube.size = co_await global.size();
    int c = 0;
    while (true) {
        co_await work(20);
        TreeCell& cell = global.cells[c];
        const int k = cube.eighthOf(at);
        int sub = co_await cell.sub(k);
        if (sub < global.count()) {
            co_await cell.lock.acquire();
            sub = co_await cell.sub(k);
            if (sub == Space::kNone) {
                co_await (cell.sub(k) = b);
                co_await cell.lock.release();
                co_return;
            }
            if (sub < global.count()) {
                const int made = co_await newCell(global, mine);
                const Point other = co_await placeOf(global.bodies[sub]);
                const int side = cube.eighth(k).eighthOf(other);
                co_await (global.cells[made].sub(side) = sub);
                sub = global.count() + made;
                co_await (cell.sub(k) = sub);
            }
            co_await cell.lock.release();
        }
        c = sub - global.count();
        cube = cube.eighth(k);
    }
}

// The cells that were made last have their parts ready first.
inline Task<> weigh(Space& global, Share& mine) {
    for (std::size_t i = mine.cells.size(); i-- > 0;) {
        TreeCell& cell = global.cells[mine.cells[i]];
        double mass = 0;
        Point centre{};
        int cost = 0;
        for (int k = 0; k < 8; ++k) {
            const int sub = co_await cell.sub(k);
            if (sub == Space::kNone) continue;
            double part = 0;
            Point at{};
            if (sub < global.count()) {
                part = co_await global.bodies[sub].mass();
                at = co_await placeOf(global.bodies[sub]);
                cost += co_await global.bodies[sub].cost();
            } else {
                TreeCell& below = global.cells[sub - global.count()];
                while (co_await below.done() == 0) co_await work(40);
                part = co_await below.mass();
                for (int j = 0; j < 3; ++j) at[j] = co_await below.position(j);
                cost += co_await below.cost();
            }
            mass += part;
            for (int j = 0; j < 3; ++j) centre[j] += part * at[j];
            co_await work(30);
        }
        co_await (cell.mass() = mass);
        for (int k = 0; k < 3; ++k) co_await (cell.position(k) = centre[k] / mass);
        co_await (cell.cost() = cost);
        co_await (cell.done() = 1);
    }
}

// Every CPU walks the tree, and takes the bodies of its part of the cost.
inline Task<> partition(Space& global, Share& mine) {
    const std::int64_t all = co_await global.cells[0].cost();
    std::int64_t before = 0;
    std::vector<int> left{global.count()};
    mine.bodies.clear();
    while (!left.empty()) {
        const int sub = left.back();
        left.pop_back();
        int cost = 0;
        if (sub < global.count()) {
            cost = co_await global.bodies[sub].cost();
            if (before * global.cpus / all == mine.cpu) mine.bodies.push_back(sub);
        } else {
            TreeCell& cell = global.cells[sub - global.count()];
            cost = co_await cell.cost();
            const std::int64_t from = before * global.cpus / all;
            const std::int64_t to = (before + cost - 1) * global.cpus / all;
            if (from <= mine.cpu && mine.cpu <= to) {
                for (int k = 7; k >= 0; --k) {
                    const int below = co_await cell.sub(k);
                    if (below != Space::kNone) left.push_back(below);
                }
                cost = 0;
            }
        }
        before += cost;
        co_await work(10);
    }
}

inline Task<> attract(Space& global, Share& mine, int b) {
    const Point at = co_await placeOf(global.bodies[b]);
    const double size = co_await global.size();
    Point force{};
    int cost = 0;
    std::vector<std::pair<int, double>> left{{global.count(), size}};
    while (!left.empty()) {
        const auto [sub, side] = left.back();
        left.pop_back();
        if (sub == b) continue;
        Point to{};
        double mass = 0;
        if (sub < global.count()) {
            to = co_await placeOf(global.bodies[sub]);
            mass = co_await global.bodies[sub].mass();
        } else {
            TreeCell& cell = global.cells[sub - global.count()];
            for (int k = 0; k < 3; ++k) to[k] = co_await cell.position(k);
            double square = 0;
            for (int k = 0; k < 3; ++k) square += (to[k] - at[k]) * (to[k] - at[k]);
            co_await work(40);
            if (side * side >= Space::kOpening * Space::kOpening * square) {
                for (int k = 7; k >= 0; --k) {
                    const int below = co_await cell.sub(k);
                    if (below != Space::kNone) left.emplace_back(below, side / 2);
                }
                if (global.stats) {
                    const int opened = co_await global.opened(mine.cpu);
                    co_await (global.opened(mine.cpu) = opened + 1);
                }
                continue;
            }
            mass = co_await cell.mass();
        }
        double square = Space::kSoftening * Space::kSoftening;
        for (int k = 0; k < 3; ++k) square += (to[k] - at[k]) * (to[k] - at[k]);
        const double pull = mass / (square * std::sqrt(square));
        for (int k = 0; k < 3; ++k) force[k] += pull * (to[k] - at[k]);
        co_await work(150);
        ++cost;
    }
    if (global.stats) {
        const int interactions = co_await global.interactions(mine.cpu);
        co_await (global.interactions(mine.cpu) = interactions + cost);
    }
    for (int k = 0; k < 3; ++k) co_await (global.bodies[b].force(k) = force[k]);
    co_await (global.bodies[b].cost() = cost);
}

inline Task<> advance(Space& global, Share& mine) {
    Point least{}, most{};
    least.fill(1e30);
    most.fill(-1e30);
    for (const int b : mine.bodies) {
        Body& body = global.bodies[b];
        for (int k = 0; k < 3; ++k) {
            const double force = co_await body.force(k);
            const double v = co_await body.velocity(k) + Space::kStep * force;
            const double x = co_await body.position(k) + Space::kStep * v;
            co_await (body.velocity(k) = v);
            co_await (body.position(k) = x);
            least[k] = std::min(least[k], x);
            most[k] = std::max(most[k], x);
            co_await work(20);
        }
    }
    co_await global.box.acquire();
    for (int k = 0; k < 3; ++k) {
        const double low = co_await global.least(k);
        if (least[k] < low) co_await (global.least(k) = least[k]);
        const double high = co_await global.most(k);
        if (most[k] > high) co_await (global.most(k) = most[k]);
    }
    co_await global.box.release();
}

// The root for the next step: a cube around all bodies.
inline Task<> surround(Space& global) {
    double size = 0;
    for (int k = 0; k < 3; ++k) {
        const double low = co_await global.least(k);
        const double high = co_await global.most(k);
        size = std::max(size, 1.001 * (high - low));
        co_await (global.corner(k) = low);
        co_await (global.least(k) = 1e30);
        co_await (global.most(k) = -1e30);
    }
    co_await (global.size() = size);
}

inline Task<> step(Space& global, Share& mine) {
    mine.cells.clear();
    if (mine.cpu == 0) co_await clearTree(global, mine);
    co_await global.barrier.wait(global.cpus);
    for (const int b : mine.bodies) co_await load(global, mine, b);
    co_await global.barrier.wait(global.cpus);
    co_await weigh(global, mine);
    co_await global.barrier.wait(global.cpus);
    co_await partition(global, mine);
    co_await global.barrier.wait(global.cpus);
    for (const int b : mine.bodies) co_await attract(global, mine, b);
    co_await global.barrier.wait(global.cpus);
    co_await advance(global, mine);
    co_await global.barrier.wait(global.cpus);
    if (mine.cpu == 0) co_await surround(global);
}
// end

/// Run by CPU 0 before the others begin: initialises the bodies in memory.
inline Task<> setUp(Space& global) {
    for (Body& body : global.bodies) {
        co_await (body.mass() = body.mass.value());
        for (int k = 0; k < 3; ++k) co_await (body.position(k) = body.position.values()[k]);
        for (int k = 0; k < 3; ++k) co_await (body.velocity(k) = body.velocity.values()[k]);
        co_await (body.cost() = 1);
    }
    co_await surround(global);
}

/// The task of each CPU.
inline Task<> nbodyWorker(Team& team, Space& global, Share& mine) {
    if (mine.cpu == 0) {
        team.tracing(false);
        co_await setUp(global);
        team.tracing(true);
        co_await global.created.ring();
    } else {
        co_await global.created.wait();
    }
    for (int i = 0; i < global.steps; ++i) co_await step(global, mine);
}

}  // namespace whorl::sim::kernels
