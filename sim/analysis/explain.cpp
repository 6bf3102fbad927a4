#include "sim/analysis/explain.h"

#include <fmt/format.h>

#include <bit>

#include "sim/replay/snapshot.h"

namespace whorl::sim {

namespace {

/// Takes the events of the CPU's own requests.
void takeEvents(std::vector<LevelExplanation>& levels, const Step& step) {
    std::size_t misses = 0;
    for (const Event& e : step.events) {
        std::optional<MissKind> kind;
        if (e.kind == EventKind::miss) {
            if (misses < step.kinds.size()) kind = step.kinds[misses];
            ++misses;
        }
        const bool isAnswer = e.kind == EventKind::hit || e.kind == EventKind::miss;
        if (!e.demand || !isAnswer || e.level >= levels.size()) continue;
        LevelExplanation& level = levels[e.level];
        if (!level.asked) level.hit = true;
        level.asked = true;
        if (e.kind == EventKind::hit) continue;
        level.hit = false;
        if (!level.kind) level.kind = kind;
    }
}

/// "TLB hit in way 2", "TLB miss: a page walk".
std::string translationInWords(const PageExplanation& page, const Cache& tlb) {
    if (page.walked) return "TLB miss: a page walk";
    const BlockAddress block{page.page};
    if (!tlb.holds(block)) return "TLB hit; then another page of the access took its entry";
    const std::string way = fmt::format("way {}", tlb.find(block));
    return "TLB hit in " + (tlb.sets() == 1 ? way : fmt::format("set {}, {}", tlb.setOf(block).value, way));
}

/// "page fault: page 0x4 left frame 2".
std::string faultInWords(const Step& step, const Event& fault) {
    for (const Event& e : step.events) {
        if (e.kind != EventKind::pageOut || e.set != fault.set) continue;
        return fmt::format("page fault: page {:#x} left frame {}{}", e.block.value, e.set.value,
                           e.dirty ? " and was written back" : "");
    }
    return fmt::format("page fault: frame {} was free", fault.set.value);
}

}  // namespace

std::optional<PageExplanation> explainPage(const Step& step, const Hierarchy& after) {
    const Cache* const tlb = after.tlb(step.access.cpu);
    const PageTable* const pages = after.pages();
    if (tlb == nullptr && pages == nullptr) return std::nullopt;
    PageExplanation out;
    out.offsetBits = pages != nullptr ? pages->pageShift() : tlb->blockShift();
    out.page = step.access.address.value >> out.offsetBits;
    out.offset = step.access.address.value & ((std::uint64_t{1} << out.offsetBits) - 1);
    if (pages != nullptr && pages->holds(BlockAddress{out.page})) out.frame = pages->find(BlockAddress{out.page});
    if (step.access.unrecorded) {
        out.words = "not recorded";
        return out;
    }
    std::string fault;
    for (const Event& e : step.events) {
        if (e.isInCache() || e.block.value != out.page) continue;
        out.walked |= e.kind == EventKind::tlbMiss;
        if (e.kind != EventKind::pageFault || out.faulted) continue;
        out.faulted = true;
        fault = faultInWords(step, e);
    }
    if (tlb != nullptr) out.words = translationInWords(out, *tlb) + (out.faulted ? "; " : "");
    if (out.faulted) out.words += fault;
    if (out.words.empty()) out.words = "in memory";
    return out;
}

std::string missInWords(MissKind kind) {
    switch (kind) {
        case MissKind::compulsory:
            return "a compulsory miss: this cache was never asked for the block before";
        case MissKind::capacity:
            return "a capacity miss: a fully associative cache of this size would have missed, too";
        case MissKind::conflict:
            return "a conflict miss: a fully associative cache of this size would have hit";
        case MissKind::trueSharing:
            return "a true sharing miss: another CPU's write invalidated the block and changed what is used now";
        case MissKind::falseSharing:
            return "a false sharing miss: another CPU's write invalidated the block, but changed nothing that is used";
    }
    return "a miss";
}

std::vector<LevelExplanation> explainAccess(const Step& step, const MachineConfig& machine) {
    std::vector<LevelExplanation> levels;
    levels.reserve(machine.levels.size());
    for (const LevelConfig& level : machine.levels) {
        const std::uint64_t block = step.access.address.value / level.block;
        LevelExplanation& e = levels.emplace_back();
        e.name = level.name;
        e.tag = block / level.sets();
        e.set = block % level.sets();
        e.offset = step.access.address.value % level.block;
        e.sets = level.sets();
        if (isPowerOfTwo(e.sets)) e.setBits = static_cast<unsigned>(std::countr_zero(e.sets));
        e.offsetBits = static_cast<unsigned>(std::countr_zero(std::uint64_t{level.block}));
    }
    takeEvents(levels, step);
    for (LevelExplanation& level : levels) {
        if (!level.asked) {
            level.words = "not accessed";
        } else if (level.hit) {
            level.words = "hit";
        } else {
            level.words = level.kind ? missInWords(*level.kind) : "a miss";
        }
    }
    return levels;
}

std::string binaryDigits(std::uint64_t value, unsigned bits) {
    std::string out;
    for (unsigned i = bits; i-- > 0;) {
        out += (value >> i & 1) != 0 ? '1' : '0';
        if (i != 0 && i % 4 == 0) out += ' ';
    }
    return out;
}

Sharing sharingAt(const MachineConfig& machine, const std::deque<Step>& steps, std::size_t step,
                  const Event& invalidation, std::uint64_t block) {
    const Access& write = steps[step].access;
    const ByteAddress base{invalidation.block.value * block};
    Sharing found = Sharing::unknown;
    for (std::size_t s = step; s-- > 0;) {
        const Access& a = steps[s].access;
        const bool isTheirs = machine.cacheOf(invalidation.level, a.cpu) == invalidation.cache;
        const bool touches = a.address.value <= base.value + (block - 1) && base <= a.last();
        if (!isTheirs || !touches) continue;
        const bool overlaps = a.address <= write.last() && write.address <= a.last();
        if (overlaps) return Sharing::ofTheBytes;
        found = Sharing::ofOtherBytes;
    }
    return found;
}

}  // namespace whorl::sim
