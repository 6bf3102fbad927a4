// Random traces that touch memory here and there, some of it in declared regions: the same for the same seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include "render/scene/cells/memory_cells.h"
#include "sim/trace/trace_builder.h"

namespace whorl::scene::test {

/// Some clusters of accesses: at both ends of the address space, across 4 GB, and anywhere.
inline std::shared_ptr<const sim::Trace> randomMemory(std::uint64_t seed) {
    std::mt19937_64 dice(seed);
    sim::TraceBuilder builder("random");
    const auto clusters = 1 + dice() % 6;
    for (std::uint64_t c = 0; c < clusters; ++c) {
        const std::uint64_t span = std::uint64_t{1} << dice() % 15;
        const std::uint64_t bases[] = {0, dice() % 100'000, (std::uint64_t{1} << 32) - span / 2,
                                       ~std::uint64_t{0} - span - 64, dice() >> dice() % 30};
        const std::uint64_t base = std::min(bases[dice() % 5], ~std::uint64_t{0} - span - 64);
        if (dice() % 2 == 0) {
            sim::Region region;
            region.name = "r" + std::to_string(c);
            region.base = sim::ByteAddress{base + dice() % (span / 2 + 1)};
            region.size = 1 + dice() % (dice() % 4 == 0 ? span : span / 4 + 1);
            region.size = std::min(region.size, ~std::uint64_t{0} - region.base.value);
            builder.addRegion(region);
        }
        for (std::uint64_t i = 0; i < 1 + dice() % 60; ++i) {
            sim::Access a;
            a.address = sim::ByteAddress{base + dice() % span};
            a.size = 1 + static_cast<std::uint32_t>(dice() % (dice() % 5 == 0 ? 64 : 8));
            a.op = dice() % 3 == 0 ? sim::Op::write : sim::Op::read;
            builder.add(a);
        }
    }
    return std::make_shared<const sim::Trace>(builder.finish());
}

inline MemoryShape randomShape(std::uint64_t seed) {
    std::mt19937_64 dice(seed * 77 + 5);
    MemoryShape shape;
    shape.cell = kMinCell << dice() % 9;
    shape.columns = 1u << dice() % 7;
    shape.groups = static_cast<MemoryGroups>(seed % 3);
    shape.curve = seed / 3 % 2 == 0 ? MemoryCurve::linear : MemoryCurve::hilbert;
    shape.piece = shape.row() << dice() % 4;
    return shape;
}

/// Calls f(place, address) for each cell that exists.
template <class F>
void forEachCell(const MemoryCells& cells, F&& f) {
    for (std::uint32_t g = 0; g < cells.groups().groups.size(); ++g) {
        for (std::uint32_t row = 0; row < cells.groups().groups[g].rows; ++row) {
            for (std::uint32_t column = 0; column < cells.groups().columns; ++column) {
                const CellPlace place{g, row, column};
                if (const auto address = cells.addressAt(place)) f(place, *address);
            }
        }
    }
}

}  // namespace whorl::scene::test
