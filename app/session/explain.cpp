#include "app/session/explain.h"

#include <bit>

namespace whorl::app {

namespace {

/// What the events tell of the CPU's own requests.
void takeEvents(std::vector<LevelExplained>& levels, const sim::Step& step) {
    std::size_t misses = 0;
    for (const sim::Event& e : step.events) {
        std::optional<sim::MissKind> kind;
        if (e.kind == sim::EventKind::miss) {
            if (misses < step.kinds.size()) kind = step.kinds[misses];
            ++misses;
        }
        const bool isAnswer = e.kind == sim::EventKind::hit || e.kind == sim::EventKind::miss;
        if (!e.demand || !isAnswer || e.level >= levels.size()) continue;
        LevelExplained& level = levels[e.level];
        if (!level.asked) level.hit = true;
        level.asked = true;
        if (e.kind == sim::EventKind::hit) continue;
        level.hit = false;
        if (!level.kind) level.kind = kind;
    }
}

}  // namespace

std::string missInWords(sim::MissKind kind) {
    switch (kind) {
        case sim::MissKind::compulsory:
            return "a compulsory miss: this cache never held the block before";
        case sim::MissKind::capacity:
            return "a capacity miss: a fully associative cache of this size would have lost it, too";
        case sim::MissKind::conflict:
            return "a conflict miss: a fully associative cache of this size would have kept it";
        case sim::MissKind::trueSharing:
            return "a true sharing miss: another CPU's write took it away, and wrote what is used now";
        case sim::MissKind::falseSharing:
            return "a false sharing miss: another CPU's write took it away, but wrote nothing that is used";
    }
    return "a miss";
}

std::vector<LevelExplained> explained(const sim::Step& step, const sim::MachineConfig& machine) {
    std::vector<LevelExplained> levels;
    levels.reserve(machine.levels.size());
    for (const sim::LevelConfig& level : machine.levels) {
        const std::uint64_t block = step.access.address.value / level.block;
        LevelExplained& e = levels.emplace_back();
        e.name = level.name;
        e.tag = block / level.sets();
        e.set = block % level.sets();
        e.offset = step.access.address.value % level.block;
        e.setBits = static_cast<unsigned>(std::countr_zero(std::uint64_t{level.sets()}));
        e.offsetBits = static_cast<unsigned>(std::countr_zero(std::uint64_t{level.block}));
    }
    takeEvents(levels, step);
    for (LevelExplained& level : levels) {
        if (!level.asked) {
            level.words = "not asked";
        } else if (level.hit) {
            level.words = "hit";
        } else {
            level.words = level.kind ? missInWords(*level.kind) : "a miss";
        }
    }
    return levels;
}

std::string binary(std::uint64_t value, unsigned bits) {
    std::string out;
    for (unsigned i = bits; i-- > 0;) {
        out += (value >> i & 1) != 0 ? '1' : '0';
        if (i != 0 && i % 4 == 0) out += ' ';
    }
    return out;
}

}  // namespace whorl::app
