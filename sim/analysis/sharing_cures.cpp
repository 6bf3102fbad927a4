#include "sim/analysis/sharing_cures.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace whorl::sim {

namespace {

/// Which CPUs use a field, and which of them write it, one bit each.
struct Users {
    std::uint64_t all = 0;
    std::uint64_t writers = 0;
};

Users usersOf(const SharedField& field) {
    Users users;
    for (const FieldUse& use : field.uses) {
        users.all |= std::uint64_t{1} << use.cpu;
        if (use.writes > 0) users.writers |= std::uint64_t{1} << use.cpu;
    }
    return users;
}

/// Whether CPUs lose a block with these two fields by false sharing: a CPU uses only one of them, and it writes that
/// one, or some CPU writes the other.
bool disturb(const Users& a, const Users& b) {
    const std::uint64_t onlyA = a.all & ~b.all;
    const std::uint64_t onlyB = b.all & ~a.all;
    return (onlyA != 0 && b.writers != 0) || (onlyB != 0 && a.writers != 0) || (onlyA & a.writers) != 0 ||
           (onlyB & b.writers) != 0;
}

class Curing {
  public:
    Curing(const SharingReport& report, const SharingGroup& group)
        : report_(report), blockSize_(report.blockSizes[group.level]) {
        for (const std::size_t b : group.blocks) takeBlock(report.blocks[b]);
    }

    std::vector<LayoutChange> cures() const {
        // Several instances of a class give one piece of advice.
        std::map<std::string, std::vector<std::size_t>> ofLabel;
        for (const auto& [thing, needs] : needs_) ofLabel[report_.things[thing].label].push_back(thing);
        std::vector<LayoutChange> out;
        for (const auto& [label, things] : ofLabel) {
            const bool isOfClass = things.size() > 1 && report_.things[things.front()].isOfClass;
            if (isOfClass) {
                Needs all = needs_.at(things.front());
                for (const std::size_t t : things) all.join(needs_.at(t));
                add(out, {.thing = label, .ofClass = true}, all, report_.things[things.front()]);
                continue;
            }
            for (const std::size_t t : things) {
                add(out, {.thing = report_.things[t].name}, needs_.at(t), report_.things[t]);
            }
        }
        return out;
    }

  private:
    struct Needs {
        bool align = false;
        bool pad = false;
        bool spread = false;
        bool alignToSpread = false;
        std::uint64_t together = 0;  ///< bytes used by the same CPUs, from the start of the thing

        void join(const Needs& other) {
            align = align || other.align;
            pad = pad || other.pad;
            spread = spread || other.spread;
            alignToSpread = alignToSpread || other.alignToSpread;
            together = std::gcd(together, other.together);
        }
    };

    void takeBlock(const SharedBlock& block) {
        std::vector<Users> users;
        users.reserve(block.fields.size());
        for (const SharedField& field : block.fields) users.push_back(usersOf(field));
        bool isBetween = false;
        for (std::size_t i = 0; i < users.size(); ++i) {
            for (std::size_t j = i + 1; j < users.size() && !isBetween; ++j) {
                isBetween = block.fields[i].thing != block.fields[j].thing && disturb(users[i], users[j]);
            }
            const bool isNext = i > 0 && block.fields[i - 1].thing == block.fields[i].thing;
            if (isNext && disturb(users[i - 1], users[i])) spreadAt(block.fields[i]);
        }
        if (isBetween) separate(block);
    }

    /// Different things in a block are used by different CPUs.
    void separate(const SharedBlock& block) {
        isBetween_ = true;
        const std::uint64_t begin = block.block.value * blockSize_;
        std::set<std::size_t> things;
        for (const SharedField& field : block.fields) {
            if (report_.things[field.thing].isNamed) things.insert(field.thing);
        }
        bool any = false;
        for (const std::size_t t : things) {
            // A thing that begins at or before the block can stay.
            if (report_.things[t].base.value <= begin) continue;
            needs_[t].align = any = true;
        }
        if (any) return;
        for (const std::size_t t : things) needs_[t].pad = true;
    }

    /// From a field on, a thing is used by different CPUs than before it.
    void spreadAt(const SharedField& field) {
        const SharedThing& thing = report_.things[field.thing];
        if (!thing.isNamed) return;
        Needs& needs = needs_[field.thing];
        needs.spread = true;
        needs.together = std::gcd(std::gcd(needs.together, field.address.value - thing.base.value), blockSize_);
        // Elements are not split.
        if (needs.together % thing.element != 0) needs.together = thing.element;
        needs.alignToSpread = thing.base.value % blockSize_ + needs.together > blockSize_;
    }

    void add(std::vector<LayoutChange>& out, LayoutChange cure, const Needs& needs, const SharedThing& thing) const {
        cure.bytes = static_cast<std::int64_t>(blockSize_);
        const auto put = [&](LayoutChange::Kind kind, std::uint64_t element) {
            out.push_back(cure);
            out.back().kind = kind;
            out.back().element = element;
        };
        // A record apart from the others is left unchanged.
        const bool spreads = needs.spread && (thing.isArray || !isBetween_);
        const bool aligns = needs.align || (spreads && needs.alignToSpread);
        if (aligns) put(LayoutChange::Kind::align, 0);
        if (needs.pad && !aligns) put(LayoutChange::Kind::pad, 0);
        if (spreads) put(LayoutChange::Kind::spread, needs.together == thing.element ? 0 : needs.together);
    }

    const SharingReport& report_;
    std::uint64_t blockSize_;
    bool isBetween_ = false;
    std::map<std::size_t, Needs> needs_;  ///< by thing
};

}  // namespace

std::vector<LayoutChange> curesOf(const SharingReport& report, const SharingGroup& group) {
    return Curing(report, group).cures();
}

}  // namespace whorl::sim
