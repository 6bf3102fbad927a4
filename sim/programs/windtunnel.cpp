// A wind tunnel in the manner of MP3D, the second case study of Chiron: false sharing of per-CPU data.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/machine/machine_config.h"
#include "sim/programs/catalogue.h"
#include "sim/programs/kernels/windtunnel.h"

namespace whorl::sim {

namespace {

using kernels::CellKind;
using kernels::Particle;
using kernels::Quadrant;
using kernels::Tunnel;
using kernels::TunnelCell;
using kernels::Vector;

constexpr const char* kTunnelMachine = "chiron-windtunnel";
constexpr std::uint64_t kTunnelL1Block = 64;
constexpr std::uint64_t kTunnelL2Block = 256;
constexpr double kInTunnel = 0.94;  ///< initial share of the particles in the tunnel

std::string_view classOf(CellKind kind) {
    constexpr std::array<std::string_view, 4> kClasses = {"Cell", "BoundaryCellWall", "BoundaryCellEntrance",
                                                          "BoundaryCellExit"};
    return kClasses[static_cast<std::size_t>(kind)];
}

/// Lays out and initialises the memory of the program, as CPU 0 does before tracing begins.
class Builder {
  public:
    Builder(Team& team, Tunnel& tunnel) : team_(team), tunnel_(tunnel) {}

    void globals() {
        ByteAddress at = global("collisions");
        tunnel_.collisions = SharedWord<std::int32_t>(at);
        at = global("printing");
        tunnel_.printing = Lock(at);
        at = global("barrier");
        tunnel_.barrier = Barrier(at);
        at = team_.allocate({.name = "reservoir", .size = kTunnelL1Block}, kTunnelL2Block);
        team_.name("reservoir", "ReservoirCell", at, kTunnelL1Block);
        tunnel_.reservoir = Lock(at);
        tunnel_.reservoirFirst = SharedWord<std::int32_t>(at, -1);
    }

    /// `apart`: the first quadrant lies in the second L1 block of an L2 block, so that the first three share an L2
    /// block.
    void quadrants(bool apart) {
        quadrant(team_.allocate({.name = "master quadrant", .size = kTunnelL1Block}, kTunnelL2Block), "MasterQuadrant",
                 0);
        const auto others = static_cast<std::uint64_t>(tunnel_.cpus) - 1;
        const std::uint64_t shift = apart ? kTunnelL1Block : 0;
        ByteAddress at = team_.allocate({.name = "quadrants",
                                         .size = shift + others * kTunnelL1Block,
                                         .elementSize = kTunnelL1Block,
                                         .rows = others},
                                        kTunnelL2Block);
        at.value += shift;
        for (int cpu = 1; cpu < tunnel_.cpus; ++cpu, at.value += kTunnelL1Block) quadrant(at, "Quadrant", cpu);
    }

    void cells() {
        const std::size_t count = std::size_t{Tunnel::kLength} * Tunnel::kWidth * Tunnel::kHeight;
        ByteAddress at = rowOf("cells", count);
        std::array<int, 4> ofKind{};
        for (int y = 0; y < Tunnel::kWidth; ++y) {
            for (int z = 0; z < Tunnel::kHeight; ++z) {
                for (int x = 0; x < Tunnel::kLength; ++x, at.value += kTunnelL1Block) {
                    const CellKind kind = Tunnel::kindOf(x, y, z);
                    const std::string_view kindName = classOf(kind);
                    team_.name(fmt::format("{} {}", kindName, ofKind[static_cast<std::size_t>(kind)]++),
                               std::string(kindName), at, kTunnelL1Block);
                    tunnel_.cells.push_back(cell(at, kind));
                }
            }
        }
    }

    void particles(int count) {
        ByteAddress at = rowOf("particles", static_cast<std::size_t>(count));
        for (int p = 0; p < count; ++p, at.value += kTunnelL1Block) {
            team_.name(fmt::format("Particle {}", p), "Particle", at, kTunnelL1Block);
            ByteAddress next = at;
            tunnel_.particles.push_back({.position = SharedArray<double>(next, 3),
                                         .velocity = SharedArray<double>(next, 3),
                                         .next = SharedWord<std::int32_t>(next, -1)});
        }
    }

  private:
    ByteAddress global(const std::string& called) {
        const ByteAddress at = team_.allocate({.name = called, .size = kTunnelL1Block}, kTunnelL2Block);
        team_.name(called, "Global", at, 8);
        return at;
    }
    ByteAddress rowOf(const std::string& called, std::size_t count) {
        return team_.allocate(
            {.name = called, .size = count * kTunnelL1Block, .elementSize = kTunnelL1Block, .rows = count},
            kTunnelL2Block);
    }
    void quadrant(ByteAddress at, const std::string& className, int cpu) {
        team_.name(fmt::format("{} {}", className, cpu), className, at, kTunnelL1Block);
        tunnel_.quadrants.push_back({.seed = SharedWord<std::uint64_t>(at, static_cast<std::uint64_t>(cpu) + 1),
                                     .at = SharedWord<std::int32_t>(at),
                                     .moved = SharedWord<std::int32_t>(at),
                                     .collisions = SharedWord<std::int32_t>(at)});
    }
    static TunnelCell cell(ByteAddress at, CellKind kind) {
        return {.kind = SharedWord<CellKind>(at, kind),
                .first = SharedWord<std::int32_t>(at, -1),
                .arriving = SharedWord<std::int32_t>(at, -1),
                .impacts = SharedWord<std::int32_t>(at),
                .total = SharedWord<std::int32_t>(at),
                .owed = SharedWord<double>(at)};
    }

    Team& team_;
    Tunnel& tunnel_;
};

/// The initial particles: spread evenly over the open cells, moving with the stream; the rest in the reservoir.
void scatter(Tunnel& tunnel) {
    std::vector<int> open;
    for (int c = 0; c < static_cast<int>(tunnel.cells.size()); ++c) {
        if (tunnel.cells[static_cast<std::size_t>(c)].kind.value() == CellKind::open) open.push_back(c);
    }
    constexpr int kSteps = 1 << 20;
    RandomNumbers numbers(5);
    const auto share = [&] { return static_cast<double>(numbers.below(kSteps)) / kSteps; };
    const std::size_t count = tunnel.particles.size();
    const auto inTunnel = static_cast<std::size_t>(kInTunnel * static_cast<double>(count));
    for (std::size_t p = 0; p < count; ++p) {
        Vector at{};
        if (p < inTunnel) at = Tunnel::cornerOf(open[p * open.size() / inTunnel]);
        for (std::size_t k = 0; k < 3; ++k) {
            tunnel.particles[p].position.values()[k] = at[k] + share();
            tunnel.particles[p].velocity.values()[k] =
                (k == 0 ? Tunnel::kStream : 0) + Tunnel::kThermal * (2 * share() - 1);
        }
    }
    for (TunnelCell& cell : tunnel.cells) {
        if (cell.kind.value() == CellKind::entrance) cell.owed.value() = share();
    }
    tunnel.influx = static_cast<double>(inTunnel) / static_cast<double>(open.size()) * Tunnel::kStream;
}

/// Marks the particles of a linked list as seen. False if a particle occurs twice or lies outside `cell`.
bool countList(const Tunnel& tunnel, int first, std::vector<bool>& seen, int cell) {
    for (int p = first; p >= 0; p = tunnel.particles[static_cast<std::size_t>(p)].next.value()) {
        const auto at = static_cast<std::size_t>(p);
        if (seen[at]) return false;
        seen[at] = true;
        const std::vector<double>& place = tunnel.particles[at].position.values();
        if (cell >= 0 && Tunnel::cellAt({place[0], place[1], place[2]}) != cell) return false;
    }
    return true;
}

/// Whether each particle is in exactly one list, that of the open cell that contains it or of the reservoir, and
/// collisions conserved momentum and energy.
bool conserves(const Tunnel& tunnel) {
    std::vector<bool> seen(tunnel.particles.size());
    for (std::size_t c = 0; c < tunnel.cells.size(); ++c) {
        const TunnelCell& cell = tunnel.cells[c];
        if (cell.arriving.value() != -1) return false;
        if (cell.kind.value() != CellKind::open && cell.first.value() != -1) return false;
        if (!countList(tunnel, cell.first.value(), seen, static_cast<int>(c))) return false;
    }
    if (!countList(tunnel, tunnel.reservoirFirst.value(), seen, -1)) return false;
    if (std::find(seen.begin(), seen.end(), false) != seen.end()) return false;
    int collisions = 0;
    for (const Quadrant& quadrant : tunnel.quadrants) collisions += quadrant.collisions.value();
    constexpr double kRounding = 1e-12;
    return collisions == tunnel.collisions.value() && tunnel.worstError <= kRounding;
}

Expected<Trace> runWindtunnel(const ProgramArguments& arguments, Progress& progress) {
    const auto particles = static_cast<int>(arguments.number("particles"));
    const auto steps = static_cast<int>(arguments.number("steps"));
    return runRecorded([&]() -> Expected<Trace> {
        const MachineConfig machine = loadMachine(kTunnelMachine).value();
        Tunnel tunnel;
        tunnel.cpus = static_cast<int>(machine.cpus);
        tunnel.steps = steps;
        tunnel.print = arguments.word("print") == "on";
        const auto expected =
            30'000 + static_cast<std::uint64_t>(steps) * (30'000 + 60 * static_cast<std::uint64_t>(particles));
        Team team(arguments.traceName(), machine, listingOf("windtunnel.h"), expected, progress);
        Builder builder(team, tunnel);
        builder.globals();
        builder.quadrants(arguments.word("quadrants") == "apart");
        builder.cells();
        builder.particles(particles);
        scatter(tunnel);
        for (int cpu = 0; cpu < tunnel.cpus; ++cpu) team.start(kernels::worker(team, tunnel, cpu));
        if (!team.run() || !conserves(tunnel)) return wrongResult(arguments.traceName());
        return team.finish();
    });
}

}  // namespace

Program windtunnelProgram() {
    return {
        .name = "windtunnel",
        .description = "Simulates a rarefied gas flowing through a wind tunnel, around a body, on eight CPUs.",
        .options = {{.name = "particles", .description = "particles", .defaultValue = "1000", .min = 1, .max = 20'000},
                    {.name = "steps",
                     .description = "timesteps",
                     .defaultValue = "3",
                     .min = 1,
                     .max = 50,
                     .words = {{"1", "1 step"}, {"", "{} steps"}}},
                    {.name = "quadrants",
                     .description =
                         "how the data of the CPUs is laid out: those of both halves of the machine share an L2 block, "
                         "or lie apart",
                     .defaultValue = "shared",
                     .choices = {"shared", "apart"},
                     .words = {{"shared", "quadrants in one L2 block"}, {"apart", "quadrants apart"}}},
                    {.name = "print",
                     .description = "whether each CPU prints which plane it works on, one after the other",
                     .defaultValue = "on",
                     .choices = {"on", "off"},
                     .words = {{"on", "with printing"}, {"off", "without printing"}}}},
        .machine = kTunnelMachine,
        .run = runWindtunnel};
}

}  // namespace whorl::sim
