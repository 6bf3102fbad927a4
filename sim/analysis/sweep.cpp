#include "sim/analysis/sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.h"

namespace whorl::sim {

namespace {

constexpr std::string_view kShardHint = "use i/n, the i-th of n parts, such as 1/4";

/// FNV-1a (Fowler, Noll, Vo), 64 bits, eight bytes at a time.
std::uint64_t hashed(std::string_view bytes, std::uint64_t hash) {
    constexpr std::uint64_t kPrime = 0x100000001b3;
    while (!bytes.empty()) {
        char eight[8] = {};
        bytes.remove_prefix(bytes.copy(eight, 8));
        std::uint64_t word = 0;
        for (unsigned i = 0; i < 8; ++i) word |= std::uint64_t{static_cast<unsigned char>(eight[i])} << 8 * i;
        hash = (hash ^ word) * kPrime;
        hash ^= hash >> 32;
    }
    return hash;
}

}  // namespace

Expected<Axis> axisOf(std::string_view words) {
    const std::size_t equals = words.find('=');
    const std::string_view key = trimmed(words.substr(0, equals));
    if (equals == std::string_view::npos || key.empty()) {
        return fail("", fmt::format("{} does not say what to sweep", quotedText(words)),
                    "write a key, =, and values, as in L1.ways=1,2,4 or L2.size=16K:1M:x2");
    }
    auto values = WHORL_TRY(parseSweepValues(words.substr(equals + 1)));
    std::vector<std::string> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
        return fail(std::string(key), fmt::format("the value {} comes twice", quotedText(*twice)), "leave one out");
    }
    return Axis{.key = std::string(key), .values = std::move(values)};
}

Expected<Shard> shardOf(std::string_view words) {
    const std::size_t slash = words.find('/');
    const auto index = wholeNumber(words.substr(0, slash));
    const auto count = slash == std::string_view::npos ? std::nullopt : wholeNumber(words.substr(slash + 1));
    if (!index || !count) return fail("", fmt::format("{} is not a shard", quotedText(words)), std::string(kShardHint));
    if (*index < 1 || *index > *count || *count > kMaxPoints) {
        return fail("", fmt::format("there is no shard {}", quotedText(words)), std::string(kShardHint));
    }
    return Shard{.index = *index, .count = *count};
}

Expected<Sweep> Sweep::of(MachineConfig base, std::vector<Axis> axes) {
    std::uint64_t points = 1;
    for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
        const auto same = [&](const Axis& other) { return other.key == axis->key; };
        if (std::find_if(axes.begin(), axis, same) != axis) {
            return fail(axis->key, "it is swept twice", "put all of its values into one --sweep");
        }
        points *= axis->values.size();
        if (points > kMaxPoints) {
            return fail("", fmt::format("the sweep has more than {} points", kMaxPoints), "leave some values out");
        }
        // A key that the machine does not have is a typing error; a value that does not fit is a result.
        Expected<MachineConfig> tried = tl::unexpected(Error{});
        for (const std::string& value : axis->values) {
            tried = withValue(base, axis->key + "=" + value);
            if (tried) break;
        }
        if (!tried) return tl::unexpected(std::move(tried).error());
    }
    return Sweep(std::move(base), std::move(axes), points);
}

std::vector<std::string> Sweep::valuesAt(std::uint64_t point) const {
    std::vector<std::string> values(axes_.size());
    for (std::size_t i = axes_.size(); i-- > 0;) {
        values[i] = axes_[i].values[point % axes_[i].values.size()];
        point /= axes_[i].values.size();
    }
    return values;
}

Expected<MachineConfig> Sweep::machineAt(std::uint64_t point) const {
    MachineConfig machine = base_;
    const std::vector<std::string> values = valuesAt(point);
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        auto changed = withValue(std::move(machine), axes_[i].key + "=" + values[i]);
        if (!changed) return changed;
        machine = *std::move(changed);
    }
    return checked(std::move(machine), {});
}

std::vector<std::uint64_t> Sweep::pointsOf(Shard shard) const {
    std::vector<std::uint64_t> points;
    points.reserve(points_ / shard.count + 1);
    for (std::uint64_t point = shard.index - 1; point < points_; point += shard.count) points.push_back(point);
    return points;
}

SweepSubject subjectOf(const Trace& trace, Range range) {
    std::uint64_t hash = 0xcbf29ce484222325;
    // Not the packed bytes: the same trace is packed differently in memory and in a file.
    TraceCursor cursor(trace);
    for (std::size_t c = 0; c < trace.accesses().chunks(); ++c) {
        const auto chunk = cursor.chunk(c);
        hash = hashed({reinterpret_cast<const char*>(chunk.data()), chunk.size_bytes()}, hash);
    }
    for (const LayoutChange& change : trace.changes()) hash = hashed(asText(change), hash);
    return {.trace = trace.name(),
            .accesses = trace.size(),
            .digest = fmt::format("{:016x}", hash),
            .range = range,
            .extras = {}};
}

}  // namespace whorl::sim
