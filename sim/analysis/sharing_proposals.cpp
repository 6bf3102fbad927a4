#include "sim/analysis/sharing_proposals.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

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

class Proposing {
  public:
    Proposing(const SharingReport& report, const SharingGroup& group)
        : report_(report), blockSize_(report.blockSizes[group.level]) {
        for (const std::size_t b : group.blocks) takeBlock(report.blocks[b]);
    }

    std::vector<LayoutChange> proposals() const {
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

    /// Separates the things in a block that different CPUs use.
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

    /// Spreads a thing that other CPUs use from a field on.
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

    void add(std::vector<LayoutChange>& out, LayoutChange change, const Needs& needs, const SharedThing& thing) const {
        change.bytes = static_cast<std::int64_t>(blockSize_);
        const auto put = [&](LayoutChange::Kind kind, std::uint64_t element) {
            out.push_back(change);
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

/// Which CPU owns each element of a thing: the CPU that makes the largest share of its own writes there. So a CPU that
/// sets everything to zero before the others begin does not own it.
class Owners {
  public:
    void take(const SharedField& field, const SharedThing& thing) {
        const std::uint64_t element = (field.address.value - thing.base.value) / thing.element;
        for (const FieldUse& use : field.uses) {
            if (use.writes == 0) continue;
            writes_[element][use.cpu] += use.writes;
            ofAll_[use.cpu] += use.writes;
        }
    }
    bool alternate() const {
        std::set<std::uint32_t> cpus;
        std::size_t pieces = 0;
        std::optional<std::uint32_t> before;
        for (const auto& [element, writes] : writes_) {
            const auto owner = ownerOf(writes);
            if (!owner || owner == before) continue;
            ++pieces;
            cpus.insert(*owner);
            before = owner;
        }
        return cpus.size() > 1 && pieces >= 2 * cpus.size();
    }

  private:
    using Writes = std::map<std::uint32_t, std::uint64_t>;  ///< by CPU

    /// Empty unless the largest share is at least twice the second largest.
    std::optional<std::uint32_t> ownerOf(const Writes& writes) const {
        std::pair<double, std::uint32_t> most;
        double second = 0;
        for (const auto& [cpu, times] : writes) {
            const std::pair share(static_cast<double>(times) / static_cast<double>(ofAll_.at(cpu)), cpu);
            second = std::max(second, std::min(share.first, most.first));
            most = std::max(most, share);
        }
        return most.first < 2 * second ? std::nullopt : std::optional(most.second);
    }

    std::map<std::uint64_t, Writes> writes_;  ///< by element
    Writes ofAll_;
};

/// The changes for blocks of another size.
std::vector<LayoutChange> sized(std::vector<LayoutChange> changes, std::uint32_t size) {
    for (LayoutChange& change : changes) {
        change.bytes = size;
        if (change.element > size) return {};
    }
    return changes;
}

/// Padding instead of aligning, aligning instead of padding or spreading.
std::vector<LayoutChange> withOtherKind(std::vector<LayoutChange> changes) {
    using Kind = LayoutChange::Kind;
    for (LayoutChange& change : changes) {
        change.kind = change.kind == Kind::align ? Kind::pad : Kind::align;
        change.element = 0;
    }
    return changes;
}

}  // namespace

std::vector<std::uint32_t> coherentBlockSizes(const MachineConfig& machine) {
    std::vector<std::uint32_t> sizes;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const std::uint32_t size = machine.levels[l].block;
        if (machine.isCoherent(l) && std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
    }
    return sizes;
}

std::vector<std::size_t> alternatingThings(const SharingReport& report, const SharingGroup& group) {
    std::map<std::size_t, Owners> owners;  // by thing
    for (const std::size_t b : group.blocks) {
        for (const SharedField& field : report.blocks[b].fields) {
            if (report.things[field.thing].isNamed) owners[field.thing].take(field, report.things[field.thing]);
        }
    }
    std::vector<std::size_t> out;
    for (const auto& [thing, of] : owners) {
        if (of.alternate()) out.push_back(thing);
    }
    return out;
}

std::vector<LayoutChange> proposalsFor(const SharingReport& report, const SharingGroup& group) {
    return Proposing(report, group).proposals();
}

std::vector<std::vector<LayoutChange>> candidatesFor(const SharingGroup& group,
                                                     std::span<const std::uint32_t> blockSizes) {
    std::vector<std::vector<LayoutChange>> out;
    const auto add = [&](const std::vector<LayoutChange>& changes) {
        if (!changes.empty() && std::find(out.begin(), out.end(), changes) == out.end()) out.push_back(changes);
    };
    const std::vector<LayoutChange>& all = group.proposals;
    add(all);
    for (const std::uint32_t size : blockSizes) add(sized(all, size));
    add(withOtherKind(all));
    return out;
}

}  // namespace whorl::sim
