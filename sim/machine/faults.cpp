#include "sim/machine/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/machine/words.h"

namespace whorl::sim {

namespace {

/// The sound geometries nearest to one whose number of sets is not a power of two: another size, or other ways.
std::string nearestSound(const LevelConfig& level) {
    const std::uint64_t setBytes = std::uint64_t{level.ways} * level.block;
    const std::uint64_t below = std::bit_floor(std::max<std::uint64_t>(level.size / setBytes, 1));
    std::vector<std::string> sizes;
    for (const std::uint64_t sets : {below, below * 2}) {
        if (sets * level.ways > kMaxBlocksPerLevel || (sets > 1 && level.size < setBytes)) continue;
        sizes.push_back(fmt::format("{} ({} set{})", bytesAsWords(sets * setBytes), sets, sets == 1 ? "" : "s"));
    }
    std::string hint = fmt::format("with {} way{} of {} bytes the nearest sound size is {}", level.ways,
                                   level.ways == 1 ? "" : "s", level.block, listed(sizes, "or"));
    if (level.size % level.block != 0) return hint;

    // A number of blocks is a power of two times an odd number: the ways must hold the odd part.
    const std::uint64_t blocks = level.size / level.block;
    const auto off = [&](std::uint64_t w) { return w > level.ways ? w - level.ways : level.ways - w; };
    std::uint64_t ways = blocks >> static_cast<unsigned>(std::countr_zero(blocks));
    for (std::uint64_t w = ways; w <= kMaxWays && blocks % w == 0; w *= 2) {
        if (off(w) < off(ways)) ways = w;
    }
    if (ways > kMaxWays) return hint;
    return hint + fmt::format("; {} with {} ways is sound too", bytesAsWords(level.size), ways);
}

class Finder {
  public:
    explicit Finder(const MachineConfig& machine) : machine_(machine) {}

    std::vector<Fault> find() {
        const auto& levels = machine_.levels;
        if (levels.empty()) add("levels", "there is no level", "a machine has 1 to 8 levels");
        if (levels.size() > kMaxLevels) {
            add("levels", fmt::format("there are {} levels", levels.size()),
                fmt::format("there can be {} at most", kMaxLevels));
        }
        if (machine_.cpus < 1 || machine_.cpus > 64) {
            add("cpus", fmt::format("there are {} CPUs", machine_.cpus), "a machine has 1 to 64");
        }
        for (at_ = 0; at_ < levels.size(); ++at_) {
            checkName();
            if (checkNumbers(levels[at_])) checkSets(levels[at_]);
            checkAgainstNearer();
        }
        return std::move(faults_);
    }

  private:
    void add(std::string key, std::string what, std::string hint) {
        faults_.push_back({at_, std::move(key), std::move(what), std::move(hint)});
    }

    void checkName() {
        const std::string& name = machine_.levels[at_].name;
        if (name.empty()) add("name", "the name is empty", "give a name such as L1");
        for (std::size_t i = 0; i < at_; ++i) {
            if (name.empty() || machine_.levels[i].name != name) continue;
            add("name", fmt::format("level {} is called {} too", i + 1, inQuotes(name)), "levels need different names");
            return;
        }
    }

    /// False when a number makes no sense by itself, so that nothing can be said of their combination.
    bool checkNumbers(const LevelConfig& level) {
        const std::size_t before = faults_.size();
        if (level.size == 0) add("size", "the size is 0", std::string(kSizeHint));
        if (level.ways == 0 || level.ways > kMaxWays) {
            add("ways", fmt::format("{} ways", level.ways), fmt::format("a set has 1 to {} ways", kMaxWays));
        }
        if (!isPowerOfTwo(level.block) || level.block > kMaxBlockSize) {
            add("block", fmt::format("a block of {} bytes", level.block),
                fmt::format("a block is a power of two from 1 to {} bytes", kMaxBlockSize));
        }
        return faults_.size() == before;
    }

    void checkSets(const LevelConfig& level) {
        if (level.blocks() > kMaxBlocksPerLevel) {
            add("size",
                fmt::format("{} in blocks of {} bytes are {} blocks", bytesAsWords(level.size), level.block,
                            level.blocks()),
                fmt::format("a level has at most {}", kMaxBlocksPerLevel));
            return;
        }
        const std::uint64_t setBytes = std::uint64_t{level.ways} * level.block;
        if (level.size % setBytes != 0) {
            add("size",
                fmt::format("{} is not a whole number of sets of {} way{} of {} bytes", bytesAsWords(level.size),
                            level.ways, level.ways == 1 ? "" : "s", level.block),
                nearestSound(level));
        } else if (!isPowerOfTwo(level.sets())) {
            add("size",
                fmt::format("{} comes to {} sets, which is not a power of two", bytesAsWords(level.size), level.sets()),
                nearestSound(level));
        }
    }

    void checkAgainstNearer() {
        if (at_ == 0) return;
        const LevelConfig& level = machine_.levels[at_];
        const LevelConfig& nearer = machine_.levels[at_ - 1];
        if (level.block >= nearer.block || !isPowerOfTwo(level.block) || !isPowerOfTwo(nearer.block)) return;
        add("block",
            fmt::format("blocks of {} bytes are smaller than those of the level before ({} bytes)", level.block,
                        nearer.block),
            "blocks stay the same or grow from the CPU outward");
    }

    const MachineConfig& machine_;
    std::size_t at_ = Fault::kWholeMachine;
    std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> faultsOf(const MachineConfig& machine) {
    return Finder(machine).find();
}

Error joined(const std::vector<Error>& errors) {
    if (errors.size() == 1) return errors.front();
    constexpr std::size_t kMost = 20;
    std::string lines;
    for (std::size_t i = 0; i < std::min(errors.size(), kMost); ++i) {
        if (i > 0) lines += '\n';
        lines += errors[i].sentence();
    }
    if (errors.size() > kMost) lines += fmt::format("\nand {} faults more", errors.size() - kMost);
    return Error{.where = {}, .what = std::move(lines), .hint = {}, .cancelled = false};
}

std::optional<std::uint64_t> bytesFrom(std::string_view text) {
    const auto drop = [&](std::string_view ending) {
        if (!text.ends_with(ending)) return false;
        text.remove_suffix(ending.size());
        return true;
    };
    const bool binary = drop("iB");
    if (!binary) drop("B");
    unsigned shift = 0;
    if (drop("K") || drop("k")) {
        shift = 10;
    } else if (drop("M") || drop("m")) {
        shift = 20;
    } else if (drop("G") || drop("g")) {
        shift = 30;
    } else if (binary) {
        return std::nullopt;
    }
    const auto number = wholeNumber(text);
    if (!number || *number > (~std::uint64_t{0} >> shift)) return std::nullopt;
    return *number << shift;
}

}  // namespace whorl::sim
