#include "sim/machine/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/base/types.h"

namespace whorl::sim {

namespace {

/// "1 way", "8 ways".
std::string counted(std::uint64_t number, std::string_view thing) {
    return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

/// A hint with the nearest valid geometries to one whose size is not a whole number of sets, with at most `mostBlocks`
/// blocks: another size, or another number of ways.
std::string nearestValid(const LevelConfig& level, std::uint64_t mostBlocks) {
    const std::uint64_t setBytes = std::uint64_t{level.ways} * level.block;
    const std::uint64_t below = std::max<std::uint64_t>(level.size / setBytes, 1);
    std::vector<std::string> sizes;
    for (const std::uint64_t sets : {below, below + 1}) {
        if (sets * level.ways > mostBlocks || (sets > 1 && level.size < setBytes)) continue;
        sizes.push_back(fmt::format("{} ({})", formatBytes(sets * setBytes), counted(sets, "set")));
    }
    if (sizes.empty()) return fmt::format("the caches of a level have at most {} blocks together", kMaxBlocksPerLevel);
    std::string hint = fmt::format("with {} of {} the nearest valid size is {}", counted(level.ways, "way"),
                                   counted(level.block, "byte"), joinNames(sizes, "or"));
    if (level.size % level.block != 0) return hint;

    // Try the nearest number of ways that divides the number of blocks.
    const std::uint64_t blocks = level.size / level.block;
    const std::uint64_t most = std::min<std::uint64_t>(blocks, kMaxWays);
    for (std::uint64_t off = 1; off < level.ways || level.ways + off <= most; ++off) {
        for (const std::uint64_t ways : {level.ways - std::min<std::uint64_t>(off, level.ways), level.ways + off}) {
            if (ways == 0 || ways > most || blocks % ways != 0) continue;
            return hint + fmt::format("; {} with {} is valid too", formatBytes(level.size), counted(ways, "way"));
        }
    }
    return hint;
}

class Validator {
  public:
    Validator(const MachineConfig& machine, UnknownFields unknown) : machine_(machine), bad_(std::move(unknown)) {}

    std::vector<ConfigError> find() {
        const auto& levels = machine_.levels;
        checkWhole();
        checkTlb();
        checkMemory();
        for (at_ = 0; at_ < std::min(levels.size(), kMaxLevels); ++at_) {
            if (bad_.contains(ConfigError::pathOf(at_, ""))) continue;
            checkName();
            checkNumbers(levels[at_]);
            checkBlockAgainstNearer();
            checkSharing(levels[at_]);
            checkSets(levels[at_]);
            checkInclusion(levels[at_]);
            checkFullWrites(levels[at_]);
            checkOpt(levels[at_]);
        }
        return std::move(errors_);
    }

  private:
    static constexpr std::size_t kWhole = ConfigError::kWholeMachine;

    /// Reports an error. An invalid value is not used to validate others.
    void add(std::string key, std::string what, std::string hint) {
        bad_.insert(ConfigError::pathOf(at_, key));
        errors_.push_back({at_, std::move(key), std::move(what), std::move(hint)});
    }

    bool good(std::size_t level, std::initializer_list<std::string_view> keys) const {
        if (bad_.empty()) return true;
        if (bad_.contains(ConfigError::pathOf(level, ""))) return false;
        return std::none_of(keys.begin(), keys.end(), [&](std::string_view key) {
            return bad_.contains(ConfigError::pathOf(level, std::string(key)));
        });
    }

    /// The name of a level in a message about another one.
    std::string called(std::size_t level) const {
        const std::string& name = machine_.levels[level].name;
        return name.empty() ? fmt::format("level {}", level + 1) : name;
    }

    void checkLatency(std::string key, std::uint32_t cycles) {
        if (!good(at_, {key}) || cycles <= kMaxLatency) return;
        add(std::move(key), fmt::format("a latency of {} cycles", cycles), fmt::format("give {} at most", kMaxLatency));
    }

    void checkWhole() {
        const auto& levels = machine_.levels;
        if (levels.size() > kMaxLevels) {
            add("levels", fmt::format("there are {} levels", levels.size()),
                fmt::format("there can be {} at most", kMaxLevels));
        }
        if (good(kWhole, {"cpus"}) && (machine_.cpus < 1 || machine_.cpus > kMaxCpus)) {
            add("cpus", fmt::format("there are {} CPUs", machine_.cpus),
                fmt::format("a machine has 1 to {}", kMaxCpus));
        }
        checkLatency("memory_latency", machine_.memoryLatency);
        checkLatency("upgrade_latency", machine_.upgradeLatency);
        checkLatency("writeback_latency", machine_.writebackLatency);
    }

    void checkTlb() {
        const TlbConfig& tlb = machine_.tlb;
        if (tlb.entries == 0 && good(kWhole, {"tlb.entries"})) return;
        if (good(kWhole, {"tlb.entries"}) && tlb.entries > kMaxTlbEntries) {
            add("tlb.entries", fmt::format("{} entries", tlb.entries), fmt::format("give {} at most", kMaxTlbEntries));
        }
        if (good(kWhole, {"tlb.ways"}) && tlb.ways == 0) {
            add("tlb.ways", "0 ways", "give 1 or more, or \"full\" for one set of all entries");
        }
        if (good(kWhole, {"tlb.entries", "tlb.ways"}) && tlb.entries % tlb.ways != 0) {
            add("tlb.entries",
                fmt::format("{} entries are not a whole number of sets of {}", tlb.entries, counted(tlb.ways, "way")),
                fmt::format("give a multiple of {}, or other ways", tlb.ways));
        }
        // Memory has the same page size, which is checked there.
        if (!machine_.memory.isBounded() || machine_.memory.page != tlb.page) checkPage("tlb.page", tlb.page, 1);
        checkLatency("tlb.walk", tlb.walk);
    }

    /// The nearest `levels` levels must not have blocks larger than a page.
    void checkPage(std::string key, std::uint32_t page, std::size_t levels) {
        if (!good(kWhole, {key})) return;
        if (!isPowerOfTwo(page)) {
            add(std::move(key), "a page of " + counted(page, "byte"), "a page is a power of two such as 4K");
            return;
        }
        if (machine_.levels.empty() && page < kMemoryWord) {
            add(std::move(key), fmt::format("a page of {} is smaller than a word of memory", counted(page, "byte")),
                fmt::format("give a page of {} bytes at least", kMemoryWord));
            return;
        }
        for (std::size_t l = 0; l < std::min(levels, machine_.levels.size()); ++l) {
            if (!good(l, {"block"}) || page >= machine_.levels[l].block) continue;
            add(std::move(key),
                fmt::format("a page of {} is smaller than the blocks of {} ({})", counted(page, "byte"), called(l),
                            counted(machine_.levels[l].block, "byte")),
                "give a page of as many bytes at least");
            return;
        }
    }

    void checkMemory() {
        const MemoryConfig& memory = machine_.memory;
        if (!memory.isBounded() && good(kWhole, {"memory.size"})) return;
        checkPage("memory.page", memory.page, machine_.levels.size());
        const bool knowsPages = good(kWhole, {"memory.page"});
        const bool hasTlb = machine_.tlb.entries != 0 && good(kWhole, {"tlb.entries", "tlb.page"});
        if (knowsPages && hasTlb && memory.page != machine_.tlb.page) {
            add("memory.page",
                fmt::format("a page of {}, but those of the TLB have {}", counted(memory.page, "byte"),
                            machine_.tlb.page),
                "give both the same, or leave one of them out");
        }
        if (knowsPages && good(kWhole, {"memory.size"})) checkFrames(memory);
        if (good(kWhole, {"memory.fault"}) && memory.fault > kMaxFault) {
            add("memory.fault", fmt::format("a page fault of {} cycles", memory.fault),
                fmt::format("give {} at most", kMaxFault));
        }
    }

    void checkFrames(const MemoryConfig& memory) {
        const std::string size = formatBytes(memory.size);
        const std::string page = formatBytes(memory.page);
        const std::uint64_t frames = memory.size / memory.page;
        if (memory.size % memory.page != 0) {
            add("memory.size", fmt::format("{} is not a whole number of pages of {}", size, page),
                fmt::format("give a multiple of {}", page));
        } else if (frames < 2) {
            add("memory.size", fmt::format("{} is one page, but an access may touch two", size),
                fmt::format("give {} at least", formatBytes(std::uint64_t{2} * memory.page)));
        } else if (frames > kMaxFrames) {
            add("memory.size", fmt::format("{} is {} pages of {}", size, frames, page),
                fmt::format("a memory has at most {}", kMaxFrames));
        }
    }

    void checkName() {
        const std::string& name = machine_.levels[at_].name;
        if (!good(at_, {"name"})) return;
        if (name.empty()) add("name", "the name is empty", "give a name such as L1");
        for (std::size_t i = 0; i < at_; ++i) {
            if (name.empty() || !good(i, {"name"}) || machine_.levels[i].name != name) continue;
            add("name", fmt::format("level {} is called {} too", i + 1, quotedText(name)),
                "levels need different names");
            return;
        }
    }

    /// Checks each number on its own.
    void checkNumbers(const LevelConfig& level) {
        if (good(at_, {"size"}) && level.size == 0) add("size", "the size is 0", std::string(kSizeHint));
        if (good(at_, {"ways"}) && (level.ways == 0 || level.ways > kMaxWays)) {
            add("ways", counted(level.ways, "way"), fmt::format("a set has 1 to {} ways", kMaxWays));
        }
        if (good(at_, {"block"}) && (!isPowerOfTwo(level.block) || level.block > kMaxBlockSize)) {
            add("block", "a block of " + counted(level.block, "byte"),
                fmt::format("a block is a power of two from 1 to {} bytes", kMaxBlockSize));
        }
        if (good(at_, {"degree"}) && (level.degree == 0 || level.degree > kMaxDegree)) {
            add("degree", counted(level.degree, "block") + " a prefetch", fmt::format("give 1 to {}", kMaxDegree));
        }
        checkLatency("latency", level.latency);
    }

    void checkSets(const LevelConfig& level) {
        if (!good(at_, {"size", "block"})) return;
        if (level.blocks() > kMaxBlocksPerLevel) {
            add("size",
                fmt::format("{} in blocks of {} are {} blocks", formatBytes(level.size), counted(level.block, "byte"),
                            level.blocks()),
                fmt::format("a level has at most {}", kMaxBlocksPerLevel));
            return;
        }
        const bool knowsCaches = good(kWhole, {"cpus"}) && good(at_, {"shared_by"});
        const std::uint32_t caches = knowsCaches ? machine_.caches(at_) : 1;
        if (level.blocks() * caches > kMaxBlocksPerLevel) {
            add("size", fmt::format("{} caches of {} blocks", caches, level.blocks()),
                fmt::format(
                    "the caches of a level have at most {} together: make them smaller, or let more CPUs share one",
                    kMaxBlocksPerLevel));
            return;
        }
        if (!good(at_, {"ways"})) return;
        const std::uint64_t setBytes = std::uint64_t{level.ways} * level.block;
        if (level.size % setBytes != 0) {
            add("size",
                fmt::format("{} is not a whole number of sets of {} of {}", formatBytes(level.size),
                            counted(level.ways, "way"), counted(level.block, "byte")),
                nearestValid(level, kMaxBlocksPerLevel / caches));
        }
    }

    void checkBlockAgainstNearer() {
        if (at_ == 0 || !good(at_, {"block"}) || !good(at_ - 1, {"block"})) return;
        const std::uint32_t block = machine_.levels[at_].block;
        const std::uint32_t nearer = machine_.levels[at_ - 1].block;
        if (block >= nearer) return;
        add("block",
            fmt::format("blocks of {} are smaller than those of the level before ({})", counted(block, "byte"),
                        counted(nearer, "byte")),
            "blocks stay the same or grow from the CPU outward");
    }

    /// CPUs per cache of a level, with 0 (all) resolved.
    std::uint32_t groupOf(std::size_t level) const {
        const std::uint32_t shared = machine_.levels[level].sharedBy;
        return shared == 0 ? machine_.cpus : shared;
    }

    void checkSharing(const LevelConfig& level) {
        if (!good(kWhole, {"cpus"}) || !good(at_, {"shared_by"})) return;
        const std::uint32_t group = groupOf(at_);
        if (machine_.cpus % group != 0) {
            add("shared_by",
                fmt::format("each cache serves {}, but the machine has {}", counted(level.sharedBy, "CPU"),
                            machine_.cpus),
                "give a divisor of cpus, change cpus, or write \"all\"");
        } else if (at_ > 0 && good(at_ - 1, {"shared_by"}) && group % groupOf(at_ - 1) != 0) {
            const std::uint32_t nearer = groupOf(at_ - 1);
            add("shared_by",
                fmt::format("each cache serves {}, but each {} cache serves {}", counted(group, "CPU"), called(at_ - 1),
                            nearer),
                fmt::format("give a multiple of {}, or \"all\"", nearer));
        }
    }

    void checkInclusion(const LevelConfig& level) {
        if (!good(at_, {"inclusion"}) || level.inclusion == Inclusion::none) return;
        if (at_ == 0) {
            add("inclusion", "the first level can be neither inclusive nor exclusive: no level is nearer",
                "give it to a farther level, or write none");
        } else if (level.inclusion == Inclusion::exclusive) {
            checkExclusive(level, machine_.levels[at_ - 1]);
        }
    }

    /// An exclusive level exchanges blocks with the next nearer level only, unchanged.
    void checkExclusive(const LevelConfig& level, const LevelConfig& nearer) {
        const std::string before = called(at_ - 1);
        if (good(at_, {"block"}) && good(at_ - 1, {"block"}) && level.block != nearer.block) {
            add("block",
                fmt::format("an exclusive level has blocks of {}, {} before it of {}", counted(level.block, "byte"),
                            before, nearer.block),
                "give both the same block");
        }
        if (good(at_, {"write"}) && level.writeThrough) {
            add("write", "an exclusive level cannot write through", "let it write back");
        }
        if (good(at_, {"allocate"}) && !level.allocate) {
            add("allocate", "an exclusive level must allocate on a write miss", "write true");
        }
        if (good(at_, {"prefetch"}) && level.prefetch != Prefetcher::none) {
            add("prefetch",
                fmt::format("an exclusive level holds only what {} has evicted, so it cannot prefetch", before),
                fmt::format("write none; {} may have a prefetcher", before));
        }
        if (good(at_ - 1, {"write"}) && nearer.writeThrough) {
            add("inclusion", fmt::format("it is exclusive, but {} before it writes through", before),
                fmt::format("let {} write back", before));
        }
        if (good(at_ - 1, {"allocate"}) && !nearer.allocate) {
            add("inclusion", fmt::format("it is exclusive, but {} before it does not allocate on a write", before),
                fmt::format("let {} allocate", before));
        }
    }

    /// A block that is overwritten whole is not fetched through the farther levels, but inclusion relies on that.
    void checkFullWrites(const LevelConfig& level) {
        const bool known = good(kWhole, {"conventions.full_write_fetches"}) && good(at_, {"inclusion"});
        if (!known || machine_.conventions.fullWriteFetches || level.inclusion == Inclusion::none) return;
        add("inclusion",
            fmt::format("it is {}, but by the convention full_write_fetches = false blocks are not fetched through it",
                        level.inclusion == Inclusion::inclusive ? "inclusive" : "exclusive"),
            "write none, or leave the convention out");
    }

    /// OPT needs the sequence of requests and invalidations in advance, so they must not depend on the content of any
    /// level. Invalidations of the first level by other CPUs' writes do not.
    void checkOpt(const LevelConfig& level) {
        if (!good(at_, {"policy"}) || level.policy != Policy::opt) return;
        const auto& levels = machine_.levels;
        const auto refuse = [&](std::string why, std::string hint) {
            add("policy", "opt needs to know the requests to the level in advance, but " + std::move(why),
                std::move(hint));
        };
        if (good(at_, {"allocate"}) && !level.allocate) {
            add("policy", "opt is the best policy only where a miss always fills, but writes do not allocate",
                "write \"allocate\": true, or choose another policy");
        }
        for (std::size_t i = 0; i < std::min(levels.size(), kMaxLevels); ++i) {
            if (!good(i, {"inclusion"}) || levels[i].inclusion == Inclusion::none) continue;
            const bool inclusive = levels[i].inclusion == Inclusion::inclusive;
            if (at_ == 0) {
                // An exclusive level never affects the nearest level.
                if (!inclusive) continue;
                add("policy",
                    fmt::format("opt needs to know in advance what leaves the level, but {} is inclusive: what it "
                                "evicts leaves the nearer levels, too",
                                called(i)),
                    fmt::format("set the inclusion of {} to none, or choose another policy", called(i)));
                continue;
            }
            refuse(fmt::format("{} is {}", called(i), inclusive ? "inclusive" : "exclusive"),
                   fmt::format("set the inclusion of {} to none, or choose another policy", called(i)));
        }
        for (std::size_t i = 0; i <= at_; ++i) {
            if (good(i, {"prefetch"}) && levels[i].prefetch != Prefetcher::none) {
                refuse(called(i) + " prefetches",
                       fmt::format("set the prefetch of {} to none, or choose another policy", called(i)));
            }
            const bool known = good(kWhole, {"cpus", "protocol"}) && good(i, {"shared_by"});
            if (at_ == 0 || !known || machine_.protocol == Protocol::none || machine_.caches(i) < 2) continue;
            refuse(fmt::format("the caches of {} invalidate each other", called(i)),
                   "set the protocol to none, or choose another policy");
        }
    }

    const MachineConfig& machine_;
    std::size_t at_ = kWhole;
    std::vector<ConfigError> errors_;
    UnknownFields bad_;
};

}  // namespace

std::vector<ConfigError> configErrors(const MachineConfig& machine, UnknownFields unknown) {
    return Validator(machine, std::move(unknown)).find();
}

std::string ConfigError::pathOf(std::size_t level, const std::string& key) {
    if (level == kWholeMachine) return key;
    const std::string path = fmt::format("levels[{}]", level);
    return key.empty() ? path : jsonPath(path, key);
}

Error joinErrors(const std::vector<Error>& errors) {
    if (errors.size() == 1) return errors.front();
    constexpr std::size_t kMax = 20;
    std::string lines;
    for (std::size_t i = 0; i < std::min(errors.size(), kMax); ++i) {
        if (i > 0) lines += '\n';
        lines += errors[i].sentence();
    }
    if (errors.size() >= kManyErrors) {
        lines += "\nand many more errors";
    } else if (errors.size() > kMax) {
        lines += fmt::format("\nand {} more errors", errors.size() - kMax);
    }
    return Error{.where = {}, .what = std::move(lines), .hint = {}, .cancelled = false};
}

Expected<MachineConfig> checked(MachineConfig machine, const std::string& where) {
    const std::vector<ConfigError> faults = configErrors(machine);
    if (faults.empty()) return machine;
    std::vector<Error> errors;
    for (const ConfigError& fault : faults) {
        std::string what = fault.what;
        if (fault.level != ConfigError::kWholeMachine) {
            const std::string& name = machine.levels[fault.level].name;
            what = fmt::format("{}: {}", name.empty() ? fmt::format("level {}", fault.level + 1) : name, what);
        } else if (fault.key != "levels" && fault.key != "cpus") {
            what = fmt::format("{}: {}", fault.key, what);
        }
        errors.push_back({.where = where, .what = std::move(what), .hint = fault.hint, .cancelled = false});
    }
    return tl::unexpected(joinErrors(errors));
}

}  // namespace whorl::sim
