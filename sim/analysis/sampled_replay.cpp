#include "sim/analysis/sampled_replay.h"

#include <algorithm>

namespace whorl::sim {

namespace {

/// Enough pieces to meet alternating phases of a program, few enough that restoring the machine costs less than
/// playing.
constexpr std::uint64_t kPieces = 32;

}  // namespace

Sample sampleOf(const Run& run, Range range, std::uint64_t sample) {
    Sample out;
    if (sample == 0 || range.size() <= sample) {
        out.pieces = {range};
        out.played = range.size();
        return out;
    }
    const std::uint64_t pieces = std::min(kPieces, sample);
    const std::uint64_t length = sample / pieces;
    for (std::uint64_t i = 0; i < pieces; ++i) {
        const Tick wanted{range.from.value + range.size() / pieces * i};
        Tick from = std::max(run.checkpointBefore(wanted), range.from);
        // Where checkpoints are rare, pieces join.
        if (!out.pieces.empty()) from = std::max(from, out.pieces.back().to);
        const Tick to{std::min(from.value + length, range.to.value)};
        if (!out.pieces.empty() && out.pieces.back().to == from) {
            out.pieces.back().to = to;
        } else {
            out.pieces.push_back({from, to});
        }
        out.played += to.value - from.value;
    }
    out.share = static_cast<double>(out.played) / static_cast<double>(range.size());
    return out;
}

}  // namespace whorl::sim
