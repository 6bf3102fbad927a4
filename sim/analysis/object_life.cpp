#include "sim/analysis/object_life.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "sim/base/containers.h"
#include "sim/replay/replay.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// A node before folding; its code is a number of LifeCodes.
struct RawNode {
    LifeNode node;
    double ticks = 0;  ///< sum of the ticks of its accesses
    std::uint64_t count = 0;
    SiteId site;
};

/// Numbers for the code that touches memory: functions first, then the lines and instructions outside of known
/// functions.
class LifeCodes {
  public:
    explicit LifeCodes(const Trace& trace) : trace_(trace), lines_(trace) {}

    std::uint32_t of(SiteId site) const {
        const std::uint32_t function = trace_.site(site).function;
        return function != 0 ? function : functions() + lines_.of(site);
    }
    bool isFunction(std::uint32_t code) const { return code < functions(); }
    std::string nameOf(std::uint32_t code) const {
        if (isFunction(code)) return trace_.functions()[code];
        return siteName(trace_, trace_.site(lines_.siteOf(code - functions())));
    }

  private:
    std::uint32_t functions() const { return static_cast<std::uint32_t>(trace_.functions().size()); }

    const Trace& trace_;
    SourceLines lines_;
};

bool isTaking(const Event& e) {
    return (e.kind == EventKind::invalidation && e.cause == Cause::coherence) || e.kind == EventKind::downgrade;
}

class LifeObserver final : public Observer {
  public:
    LifeObserver(const Run& run, const LifeSubject& subject, MissKindReader kinds)
        : machine_(run.machine()),
          kinds_(std::move(kinds)),
          subject_(subject),
          codes_(run.trace()),
          blockBytes_(machine_.blockBytes()) {}

    Wants wants() const override { return Wants::hitsApart; }
    void take(const Batch& batch) override {
        batch.forEachApart(
            [&](std::size_t i) {
                if (!isOfSubject(batch.accesses[i])) return;
                const Event hit = batch.hitAt(i);
                add(batch.accesses[i].unpack(), Tick{batch.first.value + i}, std::span(&hit, 1), false);
            },
            [&](Tick tick, const PackedAccess& access, std::span<const Event> events) {
                bool isFalselyShared = false;
                for (const Event& e : events) {
                    // The kinds of all misses must be read, in order.
                    const bool misses = e.kind == EventKind::miss;
                    if (misses && kinds_.next(e.level) == MissKind::falseSharing) isFalselyShared = true;
                }
                if (access.unrecorded() || !isOfSubject(access)) return;
                add(access.unpack(), tick, events, isFalselyShared);
            });
    }
    ObjectLife finish(std::size_t mostNodes);

  private:
    bool isOfSubject(const PackedAccess& access) const {
        return overlap(access.address(), access.size(), subject_.from, subject_.bytes);
    }
    RawNode& nodeOf(const Access& a, Tick tick);
    void add(const Access& a, Tick tick, std::span<const Event> events, bool isFalselyShared);
    void follow(const Access& a, std::uint32_t node, const LifeFetches& taken, const LifeFetches& fetched);
    std::vector<std::uint32_t> placeCodes(ObjectLife& life, std::size_t mostNodes) const;
    std::vector<std::uint32_t> foldNodes(ObjectLife& life, const std::vector<std::uint32_t>& placeOf) const;
    void foldEdges(ObjectLife& life, const std::vector<std::uint32_t>& nodeOf) const;

    const MachineConfig& machine_;
    MissKindReader kinds_;
    LifeSubject subject_;
    LifeCodes codes_;
    std::uint64_t blockBytes_;
    std::vector<RawNode> nodes_;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  ///< numbers of the nodes, by code and CPU
    std::unordered_map<std::uint64_t, LifeEdge> edges_;         ///< by both nodes
    std::array<std::uint32_t, kMaxCpus> recent_ = filled();     ///< the last node of each CPU
    BlockIds blocks_;
    std::vector<std::uint32_t> last_;  ///< by block: the node of its last access

    static std::array<std::uint32_t, kMaxCpus> filled() {
        std::array<std::uint32_t, kMaxCpus> none{};
        none.fill(kNone);
        return none;
    }
};

RawNode& LifeObserver::nodeOf(const Access& a, Tick tick) {
    const std::uint32_t code = codes_.of(a.site);
    std::uint32_t& recent = recent_[a.cpu];
    if (recent != kNone && nodes_[recent].node.code == code) return nodes_[recent];
    const auto [known, isNew] =
        numbers_.try_emplace(std::uint64_t{code} * kMaxCpus + a.cpu, static_cast<std::uint32_t>(nodes_.size()));
    recent = known->second;
    if (isNew) {
        RawNode& made = nodes_.emplace_back();
        made.node.code = code;
        made.node.cpu = a.cpu;
        made.node.first = tick;
        made.site = a.site;
    }
    return nodes_[recent];
}

void LifeObserver::add(const Access& a, Tick tick, std::span<const Event> events, bool isFalselyShared) {
    RawNode& raw = nodeOf(a, tick);
    LifeNode& node = raw.node;
    const std::uint64_t counts = countOf(a, machine_);
    const Cycles cost = costOf(events, machine_);
    const Cycles penalty = penaltyOf(cost, a, machine_);
    LifeFetches taken;
    LifeFetches fetched;
    if (std::any_of(events.begin(), events.end(), isTaking)) {
        taken = {1, penalty};
    } else if (penalty > 0) {
        fetched = {1, penalty};
    }
    node.accesses += counts;
    node.writes += a.isWrite() ? counts : 0;
    node.cycles += cost;
    node.taken += taken;
    node.fetched += fetched;
    if (isFalselyShared) node.falseShared += {1, penalty};
    node.last = tick;
    const std::uint64_t since = tick.value - subject_.range.from.value;
    // As a ratio, because the product of two ticks may not fit.
    const auto bin = static_cast<std::size_t>(static_cast<double>(since) / static_cast<double>(subject_.range.size()) *
                                              static_cast<double>(LifeNode::kBins));
    node.when[std::min(bin, LifeNode::kBins - 1)] += counts;
    raw.ticks += static_cast<double>(tick.value);
    ++raw.count;
    follow(a, static_cast<std::uint32_t>(&raw - nodes_.data()), taken, fetched);
}

/// Moves each block of the access to the node.
void LifeObserver::follow(const Access& a, std::uint32_t node, const LifeFetches& taken, const LifeFetches& fetched) {
    const std::uint64_t end = subject_.from.value + (subject_.bytes - 1);
    const std::uint64_t first = std::max(a.address.value, subject_.from.value) / blockBytes_;
    const std::uint64_t last = std::min(a.last().value, end) / blockBytes_;
    // The loop counts blocks, because the last one may have the largest number.
    for (std::uint64_t i = 0; i <= last - first; ++i) {
        const std::uint64_t block = first + i;
        const std::uint32_t id = blocks_.of(BlockAddress{block});
        if (id == last_.size()) last_.push_back(kNone);
        const std::uint32_t before = std::exchange(last_[id], node);
        if (before == node) continue;
        ++nodes_[node].node.episodes;
        if (before == kNone) {
            ++nodes_[node].node.begins;
            continue;
        }
        LifeEdge& edge = edges_[std::uint64_t{before} << 32 | node];
        edge.from = before;
        edge.to = node;
        ++edge.count;
        if (block != first) continue;
        edge.taken += taken;
        edge.fetched += fetched;
    }
}

// --- folding ---

/// Sums over the nodes of a code, or of several.
struct CodeSum {
    std::vector<std::uint32_t> numbers;  ///< numbers of the codes
    Cycles cycles = 0;
    double ticks = 0;
    std::uint64_t count = 0;
    SiteId site;  ///< site of the first access
    Tick first;
    std::uint64_t cpus = 0;  ///< one bit each

    void add(const CodeSum& more) {
        if (count == 0 || more.first < first) {
            site = more.site;
            first = more.first;
        }
        numbers.insert(numbers.end(), more.numbers.begin(), more.numbers.end());
        cycles += more.cycles;
        ticks += more.ticks;
        count += more.count;
        cpus |= more.cpus;
    }
    std::size_t nodes() const { return static_cast<std::size_t>(std::popcount(cpus)); }
    double meanTick() const { return ticks / static_cast<double>(count); }
};

/// The codes, the costliest first.
std::vector<CodeSum> rankedCodes(const std::vector<RawNode>& nodes) {
    std::map<std::uint32_t, CodeSum> sums;
    for (const RawNode& raw : nodes) {
        CodeSum& sum = sums[raw.node.code];
        const std::uint64_t cpu = std::uint64_t{1} << raw.node.cpu;
        sum.add({{}, raw.node.cycles, raw.ticks, raw.count, raw.site, raw.node.first, cpu});
        sum.numbers = {raw.node.code};
    }
    std::vector<CodeSum> ranked;
    ranked.reserve(sums.size());
    for (auto& [number, sum] : sums) ranked.push_back(std::move(sum));
    std::stable_sort(ranked.begin(), ranked.end(), [](const CodeSum& a, const CodeSum& b) {
        return std::tuple(a.cycles, a.count) > std::tuple(b.cycles, b.count);
    });
    return ranked;
}

/// The number of ranked codes that are listed one by one: those that fit, beside the others on each CPU.
std::size_t namedCodes(const std::vector<CodeSum>& ranked, std::size_t mostNodes) {
    std::size_t named = 0;
    std::size_t used = 0;
    while (named < ranked.size() && used + ranked[named].nodes() <= mostNodes) used += ranked[named++].nodes();
    if (named == ranked.size()) return named;
    std::uint64_t others = 0;
    for (std::size_t i = named; i < ranked.size(); ++i) others |= ranked[i].cpus;
    while (named > 1 && used + static_cast<std::size_t>(std::popcount(others)) > mostNodes) {
        used -= ranked[--named].nodes();
        others |= ranked[named].cpus;
    }
    named = std::max<std::size_t>(named, 1);
    // A single remaining code is listed by itself.
    return named + 1 == ranked.size() ? ranked.size() : named;
}

/// Lists the leading codes one by one, and all others as one; returns the place of each code number in the list.
std::vector<std::uint32_t> LifeObserver::placeCodes(ObjectLife& life, std::size_t mostNodes) const {
    std::vector<CodeSum> sums = rankedCodes(nodes_);
    const std::size_t named = namedCodes(sums, mostNodes);
    for (std::size_t i = named + 1; i < sums.size(); ++i) sums[named].add(sums[i]);
    sums.resize(std::min(sums.size(), named + 1));
    std::stable_sort(sums.begin(), sums.end(),
                     [](const CodeSum& a, const CodeSum& b) { return a.meanTick() < b.meanTick(); });
    std::uint32_t numbers = 0;
    for (const RawNode& raw : nodes_) numbers = std::max(numbers, raw.node.code + 1);
    std::vector<std::uint32_t> placeOf(numbers, kNone);
    for (const CodeSum& sum : sums) {
        LifeCode code;
        const bool isOne = sum.numbers.size() == 1;
        code.name = isOne ? codes_.nameOf(sum.numbers.front()) : fmt::format("{} others", sum.numbers.size());
        code.site = sum.site;
        code.isFunction = isOne && codes_.isFunction(sum.numbers.front());
        code.others = isOne ? 0 : static_cast<std::uint32_t>(sum.numbers.size());
        code.meanTick = sum.meanTick();
        for (const std::uint32_t number : sum.numbers) placeOf[number] = static_cast<std::uint32_t>(life.codes.size());
        life.codes.push_back(std::move(code));
    }
    return placeOf;
}

/// Sums up the nodes of each code and CPU; returns the new place of each node.
std::vector<std::uint32_t> LifeObserver::foldNodes(ObjectLife& life, const std::vector<std::uint32_t>& placeOf) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
    for (const RawNode& raw : nodes_) known[{placeOf[raw.node.code], raw.node.cpu}] = 0;
    std::uint32_t place = 0;
    for (auto& [key, at] : known) at = place++;
    life.nodes.resize(known.size());
    std::vector<bool> isBegun(known.size());
    std::vector<std::uint32_t> placeOfNode;
    for (const RawNode& raw : nodes_) {
        const LifeNode& more = raw.node;
        const std::uint32_t at = known[{placeOf[more.code], more.cpu}];
        placeOfNode.push_back(at);
        LifeNode& sum = life.nodes[at];
        sum.first = isBegun[at] ? std::min(sum.first, more.first) : more.first;
        isBegun[at] = true;
        sum.code = placeOf[more.code];
        sum.cpu = more.cpu;
        sum.accesses += more.accesses;
        sum.writes += more.writes;
        sum.cycles += more.cycles;
        sum.taken += more.taken;
        sum.fetched += more.fetched;
        sum.falseShared += more.falseShared;
        sum.episodes += more.episodes;
        sum.begins += more.begins;
        sum.last = std::max(sum.last, more.last);
        for (std::size_t b = 0; b < LifeNode::kBins; ++b) sum.when[b] += more.when[b];
    }
    for (const std::uint32_t node : last_) ++life.nodes[placeOfNode[node]].ends;
    return placeOfNode;
}

void LifeObserver::foldEdges(ObjectLife& life, const std::vector<std::uint32_t>& nodeOf) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, LifeEdge> sums;
    for (const auto& [key, edge] : edges_) {
        const std::uint32_t from = nodeOf[edge.from];
        const std::uint32_t to = nodeOf[edge.to];
        // A move within one folded node continues its episode.
        if (from == to) {
            life.nodes[to].episodes -= edge.count;
            continue;
        }
        LifeEdge& sum = sums[{from, to}];
        sum.from = from;
        sum.to = to;
        sum.count += edge.count;
        sum.taken += edge.taken;
        sum.fetched += edge.fetched;
    }
    for (const auto& [key, edge] : sums) life.edges.push_back(edge);
    std::stable_sort(life.edges.begin(), life.edges.end(),
                     [](const LifeEdge& a, const LifeEdge& b) { return a.count > b.count; });
}

ObjectLife LifeObserver::finish(std::size_t mostNodes) {
    ObjectLife life;
    life.subject = subject_;
    life.blockBytes = blockBytes_;
    life.blocks = blocks_.size();
    if (nodes_.empty()) return life;
    foldEdges(life, foldNodes(life, placeCodes(life, mostNodes)));
    return life;
}

template <class Of>
auto sumOf(const ObjectLife& life, const Of& of) {
    decltype(of(LifeNode{})) sum{};
    for (const LifeNode& node : life.nodes) sum += of(node);
    return sum;
}

/// What a range and a lifetime have in common; empty, at the start of the range, if nothing.
Range within(Range range, const Object& object) {
    const Tick from = std::max(range.from, object.born);
    const Tick to = std::min(range.to, object.died);
    return from < to ? Range{from, to} : Range{range.from, range.from};
}

}  // namespace

std::uint64_t ObjectLife::accesses() const {
    return sumOf(*this, [](const LifeNode& n) { return n.accesses; });
}
Cycles ObjectLife::cycles() const {
    return sumOf(*this, [](const LifeNode& n) { return n.cycles; });
}
LifeFetches ObjectLife::taken() const {
    return sumOf(*this, [](const LifeNode& n) { return n.taken; });
}
LifeFetches ObjectLife::fetched() const {
    return sumOf(*this, [](const LifeNode& n) { return n.fetched; });
}

LifeSubject lifeSubjectOf(const Object& object, Range range) {
    return {object.base, std::max<std::uint64_t>(1, object.size), within(range, object)};
}

const Object* lifeObjectAt(ByteAddress from, std::uint64_t bytes, const Trace& trace) {
    const std::vector<Object>& objects = trace.objects();
    const auto begin = std::lower_bound(objects.begin(), objects.end(), from,
                                        [](const Object& o, ByteAddress a) { return o.base < a; });
    const auto end =
        std::upper_bound(begin, objects.end(), from, [](ByteAddress a, const Object& o) { return a < o.base; });
    return end - begin == 1 && begin->size == bytes ? &*begin : nullptr;
}

LifeSubject lifeSubjectOf(const Place& memory, const Trace& trace, Range range) {
    const Object* const object = lifeObjectAt(memory.from, memory.bytes, trace);
    return object != nullptr ? lifeSubjectOf(*object, range) : LifeSubject{memory.from, memory.bytes, range};
}

std::shared_ptr<const ObjectLife> objectLifeOf(const Run& run, const LifeSubject& subject, Progress& progress,
                                               std::size_t mostNodes) {
    Run::Resumed from = run.resumeAt(subject.range.from);
    progress.start(subject.range.size());
    LifeObserver observer(run, subject, std::move(from.kinds));
    if (!replay(run.trace(), from.machine, subject.range, observer, progress)) return nullptr;
    return std::make_shared<const ObjectLife>(observer.finish(mostNodes));
}

}  // namespace whorl::sim
