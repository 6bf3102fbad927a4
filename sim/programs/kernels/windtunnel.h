// A rarefied gas that flows through a wind tunnel, around a body: direct simulation by particles (Bird, "Molecular Gas
// Dynamics and the Direct Simulation of Gas Flows", 1994) on several CPUs, in the manner of MP3D (McDonald, 1988;
// Singh, Weber and Gupta, "SPLASH", 1992). In each step all particles fly, and then those that share a cell may
// collide. Lengths are in cells, and times in steps.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/programs/parallel/team.h"

namespace whorl::sim::kernels {

using Vector = std::array<double, 3>;

enum class CellKind : std::int32_t { open, wall, entrance, exit };

struct TunnelCell {
    SharedWord<CellKind> kind;
    SharedWord<std::int32_t> first;     ///< head of the list of its particles; -1: none
    SharedWord<std::int32_t> arriving;  ///< head of the list of particles that arrived in this step; -1: none
    SharedWord<std::int32_t> impacts;   ///< wall: impacts in this step
    SharedWord<std::int32_t> total;     ///< wall: impacts in all steps; else the particles counted in the cell
    SharedWord<double> owed;            ///< entrance: particles still due to enter
};

struct Particle {
    SharedArray<double> position, velocity;
    SharedWord<std::int32_t> next;  ///< next in the list of its cell
};

/// A CPU's own data.
struct Quadrant {
    SharedWord<std::uint64_t> seed;
    SharedWord<std::int32_t> at;  ///< the cell being processed
    SharedWord<std::int32_t> moved;
    SharedWord<std::int32_t> collisions;
};

struct Tunnel {
    /// Cells along the tunnel, across it, and from floor to ceiling; the outermost cells are the walls and the ends.
    static constexpr int kLength = 10, kWidth = 112, kHeight = 3;
    static constexpr double kStream = 0.25;   ///< velocity of the gas
    static constexpr double kThermal = 0.2;   ///< maximum initial deviation of a particle, along each axis
    static constexpr double kFarthest = 0.9;  ///< maximum distance of a flight per step, along each axis
    static constexpr double kEagerness = 3;   ///< collision probability per relative velocity

    std::vector<TunnelCell> cells;
    std::vector<Particle> particles;
    std::vector<Quadrant> quadrants;
    Lock reservoir;
    SharedWord<std::int32_t> reservoirFirst;
    SharedWord<std::int32_t> collisions;  ///< sum over all CPUs
    Lock printing;
    Barrier barrier;
    Bell created;
    int cpus = 0, steps = 0;
    bool print = false;
    double influx = 0;      ///< particles per step that enter through an open entrance cell
    double worstError = 0;  ///< largest relative error of momentum or energy in a collision

    static int cellAt(const Vector& at) {
        const auto whole = [&](std::size_t axis) { return static_cast<int>(at[axis]); };
        return (whole(1) * kHeight + whole(2)) * kLength + whole(0);
    }
    static Vector cornerOf(int cell) {
        const int x = cell % kLength;
        const int y = cell / (kLength * kHeight);
        const int z = cell / kLength % kHeight;
        return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
    }
    static bool isBody(int x, int y) { return x >= 3 && x < 7 && y >= 40 && y < 72; }
    static CellKind kindOf(int x, int y, int z) {
        if (x == 0) return CellKind::entrance;
        if (x == kLength - 1) return CellKind::exit;
        const bool isWall = y == 0 || y == kWidth - 1 || z == 0 || z == kHeight - 1;
        return isWall || isBody(x, y) ? CellKind::wall : CellKind::open;
    }
    int firstRow(int cpu) const { return kWidth * cpu / cpus; }

    /// Records how well a collision conserved momentum and energy.
    void noteCollision(const Vector& a, const Vector& b, const Vector& newA, const Vector& newB) {
        double energy = 0, change = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            energy += a[k] * a[k] + b[k] * b[k];
            change += newA[k] * newA[k] + newB[k] * newB[k] - a[k] * a[k] - b[k] * b[k];
            worstError = std::max(worstError, std::abs(newA[k] + newB[k] - a[k] - b[k]));
        }
        worstError = std::max(worstError, std::abs(change) / energy);
    }
};

/// The end of a flight along an axis after reflection by a wall.
inline double bounced(double from, double to) {
    const double face = to > from ? std::floor(from) + 1 : std::floor(from);
    return std::clamp(2 * face - to, std::floor(from), std::nextafter(std::floor(from) + 1, 0));
}

// listing
inline Task<double> random(Quadrant& mine) {
    const std::uint64_t seed = co_await mine.seed();
    const std::uint64_t next = seed * 6364136223846793005u + 1442695040888963407u;
    co_await (mine.seed() = next);
    co_return static_cast<double>(next >> 11) * 0x1p-53;
}

inline Task<> enter(Tunnel& tunnel, int cell, int p) {
    const int before = co_await tunnel.cells[cell].arriving().swap(p);
    co_await (tunnel.particles[p].next() = before);
}

inline Task<> leave(Tunnel& tunnel, int p) {
    co_await tunnel.reservoir.acquire();
    const int before = co_await tunnel.reservoirFirst();
    co_await (tunnel.particles[p].next() = before);
    co_await (tunnel.reservoirFirst() = p);
    co_await tunnel.reservoir.release();
}

inline Task<int> fetch(Tunnel& tunnel) {
    co_await tunnel.reservoir.acquire();
    const int p = co_await tunnel.reservoirFirst();
    if (p >= 0) {
        const int next = co_await tunnel.particles[p].next();
        co_await (tunnel.reservoirFirst() = next);
    }
    co_await tunnel.reservoir.release();
    co_return p;
}

// Axis by axis; walls throw it back, and the ends of the tunnel let it out.
inline Task<> fly(Tunnel& tunnel, Quadrant& mine, int p) {
    Particle& particle = tunnel.particles[p];
    Vector at{};
    for (int k = 0; k < 3; ++k) at[k] = co_await particle.position(k);
    bool isOut = false;
    for (int k = 0; k < 3; ++k) {
        const double v = co_await particle.velocity(k);
        const double from = at[k];
        const int left = Tunnel::cellAt(at);
        at[k] += std::clamp(v, -Tunnel::kFarthest, Tunnel::kFarthest);
        const int cell = Tunnel::cellAt(at);
        if (cell == left) continue;
        const CellKind kind = co_await tunnel.cells[cell].kind();
        isOut = isOut || kind == CellKind::entrance || kind == CellKind::exit;
        if (kind != CellKind::wall || isOut) continue;
        co_await tunnel.cells[cell].impacts().add(1);
        co_await (particle.velocity(k) = -v);
        at[k] = bounced(from, at[k]);
    }
    co_await work(300);
    const int moved = co_await mine.moved();
    co_await (mine.moved() = moved + 1);
    if (isOut) {
        co_await leave(tunnel, p);
        co_return;
    }
    for (int k = 0; k < 3; ++k) co_await (particle.position(k) = at[k]);
    co_await enter(tunnel, Tunnel::cellAt(at), p);
}

inline Task<> letIn(Tunnel& tunnel, Quadrant& mine, int cell) {
    const CellKind beyond = co_await tunnel.cells[cell + 1].kind();
    if (beyond != CellKind::open) co_return;
    double owed = co_await tunnel.cells[cell].owed() + tunnel.influx;
    const int p = owed < 1 ? -1 : co_await fetch(tunnel);
    if (p >= 0) {
        owed -= 1;
        Vector at = Tunnel::cornerOf(cell + 1);
        for (int k = 0; k < 3; ++k) {
            const double stream = k == 0 ? Tunnel::kStream : 0;
            const double own = Tunnel::kThermal * (2 * co_await random(mine) - 1);
            co_await (tunnel.particles[p].velocity(k) = stream + own);
            at[k] += (k == 0 ? Tunnel::kStream : 1) * co_await random(mine);
            co_await (tunnel.particles[p].position(k) = at[k]);
        }
        co_await enter(tunnel, Tunnel::cellAt(at), p);
    }
    co_await (tunnel.cells[cell].owed() = owed);
}

// The relative velocity turns anywhere (Marsaglia, 1972): momentum and energy stay.
inline Task<> collide(Tunnel& tunnel, Quadrant& mine, int p, int q) {
    Particle& a = tunnel.particles[p];
    Particle& b = tunnel.particles[q];
    Vector va{}, vb{}, newA{}, newB{};
    for (int k = 0; k < 3; ++k) va[k] = co_await a.velocity(k);
    for (int k = 0; k < 3; ++k) vb[k] = co_await b.velocity(k);
    double square = 0;
    for (int k = 0; k < 3; ++k) square += (va[k] - vb[k]) * (va[k] - vb[k]);
    const double speed = std::sqrt(square);
    const double chance = co_await random(mine);
    if (chance >= Tunnel::kEagerness * speed) co_return;
    double u = 1, w = 1;
    while (u * u + w * w >= 1) {
        u = 2 * co_await random(mine) - 1;
        w = 2 * co_await random(mine) - 1;
    }
    co_await work(400);
    const double s = u * u + w * w;
    const double root = 2 * std::sqrt(1 - s);
    const Vector turned{u * root, w * root, 1 - 2 * s};
    for (int k = 0; k < 3; ++k) {
        const double mean = (va[k] + vb[k]) / 2;
        newA[k] = mean + speed / 2 * turned[k];
        newB[k] = mean - speed / 2 * turned[k];
        co_await (a.velocity(k) = newA[k]);
        co_await (b.velocity(k) = newB[k]);
    }
    tunnel.noteCollision(va, vb, newA, newB);
    const int collisions = co_await mine.collisions();
    co_await (mine.collisions() = collisions + 1);
    co_await tunnel.collisions().add(1);
}

inline Task<> moveCell(Tunnel& tunnel, Quadrant& mine, int c) {
    co_await (mine.at() = c);
    co_await work(40);
    TunnelCell& cell = tunnel.cells[c];
    const CellKind kind = co_await cell.kind();
    if (kind == CellKind::entrance) co_await letIn(tunnel, mine, c);
    if (kind != CellKind::open) co_return;
    int p = co_await cell.first();
    while (p >= 0) {
        const int next = co_await tunnel.particles[p].next();
        co_await fly(tunnel, mine, p);
        p = next;
    }
}

inline Task<> collideCell(Tunnel& tunnel, Quadrant& mine, int c) {
    co_await (mine.at() = c);
    co_await work(40);
    TunnelCell& cell = tunnel.cells[c];
    const CellKind kind = co_await cell.kind();
    int total = co_await cell.total();
    if (kind == CellKind::wall) {
        total += co_await cell.impacts();
        co_await (cell.impacts() = 0);
    }
    int p = co_await cell.arriving();
    co_await (cell.first() = p);
    co_await (cell.arriving() = -1);
    while (p >= 0) {
        ++total;
        const int q = co_await tunnel.particles[p].next();
        if (q < 0) break;
        ++total;
        co_await collide(tunnel, mine, p, q);
        p = co_await tunnel.particles[q].next();
    }
    co_await (cell.total() = total);
}

inline Task<> tell(Tunnel& tunnel) {
    co_await tunnel.printing.acquire();
    co_await work(600);
    co_await tunnel.printing.release();
}

inline Task<> simulate(Tunnel& tunnel, int cpu) {
    Quadrant& mine = tunnel.quadrants[cpu];
    const int plane = Tunnel::kHeight * Tunnel::kLength;
    const int from = tunnel.firstRow(cpu);
    const int to = tunnel.firstRow(cpu + 1);
    for (int step = 0; step < tunnel.steps; ++step) {
        for (int row = from; row < to; ++row) {
            if (tunnel.print) co_await tell(tunnel);
            for (int c = row * plane; c < (row + 1) * plane; ++c) {
                co_await moveCell(tunnel, mine, c);
            }
        }
        co_await tunnel.barrier.wait(tunnel.cpus);
        for (int c = from * plane; c < to * plane; ++c) {
            co_await collideCell(tunnel, mine, c);
        }
        co_await tunnel.barrier.wait(tunnel.cpus);
    }
}
// end

/// Run by CPU 0 before the others begin: puts the particles into the lists of their cells or of the reservoir.
inline Task<> setUp(Tunnel& tunnel) {
    for (TunnelCell& cell : tunnel.cells) {
        co_await (cell.kind() = cell.kind.value());
        co_await (cell.first() = -1);
        co_await (cell.arriving() = -1);
        co_await (cell.impacts() = 0);
        co_await (cell.total() = 0);
        co_await (cell.owed() = cell.owed.value());
    }
    for (int p = static_cast<int>(tunnel.particles.size()) - 1; p >= 0; --p) {
        Particle& particle = tunnel.particles[p];
        for (int k = 0; k < 3; ++k) {
            co_await (particle.position(k) = particle.position.values()[k]);
            co_await (particle.velocity(k) = particle.velocity.values()[k]);
        }
        const Vector at{particle.position.values()[0], particle.position.values()[1], particle.position.values()[2]};
        if (at[0] < 1) {
            co_await leave(tunnel, p);
            continue;
        }
        const int cell = Tunnel::cellAt(at);
        const int before = co_await tunnel.cells[cell].first();
        co_await (particle.next() = before);
        co_await (tunnel.cells[cell].first() = p);
    }
}

/// The task of each CPU.
inline Task<> worker(Team& team, Tunnel& tunnel, int cpu) {
    if (cpu == 0) {
        team.tracing(false);
        co_await setUp(tunnel);
        team.tracing(true);
        co_await tunnel.created.ring();
    } else {
        co_await tunnel.created.wait();
    }
    co_await simulate(tunnel, cpu);
}

}  // namespace whorl::sim::kernels
