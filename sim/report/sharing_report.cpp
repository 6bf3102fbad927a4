#include "sim/report/sharing_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "sim/report/table.h"

namespace whorl::sim {

namespace {

constexpr std::size_t kWidth = 80;
/// The number of things named when there are many.
constexpr std::size_t kFew = 3;
/// The maximum number of CPUs, or groups of CPUs with the same uses, whose uses the text lists.
constexpr std::size_t kMostCpus = 4;

/// "3 misses", "1 miss".
std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", grouped(n), n == 1 ? one : many);
}

/// "A, B and C", or "A, B, C and 4 more".
std::string firstListed(const std::vector<std::string>& words) {
    std::string out;
    const std::size_t shown = words.size() <= kFew + 1 ? words.size() : kFew;
    for (std::size_t i = 0; i < shown; ++i) {
        const bool isLast = i + 1 == words.size();
        out += (i == 0 ? "" : isLast ? " and " : ", ") + words[i];
    }
    return shown < words.size() ? fmt::format("{} and {} more", out, words.size() - shown) : out;
}

/// Wraps a text between words; lines after the first are indented.
std::string wrapped(const std::string& text) {
    std::string out;
    std::size_t column = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::size_t length = end - at;
        if (column > 0 && column + 1 + length > kWidth) {
            out += "\n   ";
            column = 3;
        } else if (column > 0) {
            out += ' ';
            ++column;
        }
        out += text.substr(at, length);
        column += length;
        at = end + 1;
    }
    return out;
}

/// How often places are used, in address order.
class Places {
  public:
    void add(const SharedField& field, std::uint64_t count) {
        const auto [at, isNew] = numberOf_.try_emplace(field.place, counts_.size());
        if (isNew) counts_.push_back({field.place, field.address, 0});
        counts_[at->second].count += count;
    }
    bool isEmpty() const { return counts_.empty(); }
    /// The most used first.
    std::vector<std::string> ranked() const {
        std::vector<Count> all = counts_;
        std::sort(all.begin(), all.end(), [](const Count& a, const Count& b) {
            return a.count != b.count ? a.count > b.count : a.address < b.address;
        });
        std::vector<std::string> out;
        out.reserve(all.size());
        for (Count& c : all) out.push_back(std::move(c.place));
        return out;
    }

  private:
    struct Count {
        std::string place;
        ByteAddress address;
        std::uint64_t count;
    };
    std::map<std::string, std::size_t> numberOf_;
    std::vector<Count> counts_;
};

/// "CPU 0 writes A[0] and reads A[4]; CPUs 1 and 2 read A[0]."
std::string usesOf(const SharingReport& report, const SharingGroup& group) {
    std::map<std::uint32_t, std::pair<Places, Places>> ofCpu;  // writes, reads
    for (const std::size_t b : group.blocks) {
        for (const SharedField& field : report.blocks[b].fields) {
            for (const FieldUse& use : field.uses) {
                if (use.writes > 0) ofCpu[use.cpu].first.add(field, use.writes);
                if (use.reads > 0) ofCpu[use.cpu].second.add(field, use.reads);
            }
        }
    }
    // CPUs with the same uses share a clause, with its verbs in the singular or in the plural.
    std::vector<std::pair<std::string, std::vector<std::string>>> alike;
    for (const auto& [cpu, uses] : ofCpu) {
        const std::string writes = uses.first.isEmpty() ? "" : firstListed(uses.first.ranked());
        const std::string reads = uses.second.isEmpty() ? "" : firstListed(uses.second.ranked());
        const std::string words = writes == reads  ? " read~ and write~ " + writes
                                  : writes.empty() ? " read~ " + reads
                                  : reads.empty()  ? " write~ " + writes
                                                   : fmt::format(" write~ {}, read~ {}", writes, reads);
        auto at = std::find_if(alike.begin(), alike.end(), [&](const auto& of) { return of.first == words; });
        if (at == alike.end()) at = alike.insert(alike.end(), {words, {}});
        at->second.push_back(std::to_string(cpu));
    }
    std::string out;
    for (std::size_t i = 0; i < std::min(alike.size(), kMostCpus); ++i) {
        std::string words = alike[i].first;
        const bool isOne = alike[i].second.size() == 1;
        for (auto at = words.find('~'); at != std::string::npos; at = words.find('~')) {
            words.replace(at, 1, isOne ? "s" : "");
        }
        out +=
            fmt::format("{} {} {}{}", i == 0 ? "" : ";", isOne ? "CPU" : "CPUs", firstListed(alike[i].second), words);
    }
    if (alike.size() > kMostCpus) out += "; others likewise";
    return out.empty() ? out : out + ".";
}

std::string linesOf(const SharingGroup& group, const Trace& trace) {
    std::vector<std::string> words;
    for (const SharingLine& line : group.lines) {
        const Site& site = trace.site(line.site);
        if (site.line == 0 && site.pc.value == 0) continue;
        const std::string name = site.line != 0 ? fmt::format("{}:{}", trace.files()[site.file].path, site.line)
                                                : fmt::format("{:#x}", site.pc.value);
        words.push_back(fmt::format("{} ({})", name,
                                    line.lost > 0     ? counted(line.lost, "cycle", "cycles")
                                    : line.misses > 0 ? counted(line.misses, "miss", "misses")
                                                      : "invalidates it"));
    }
    return words.empty() ? "" : " At fault: " + firstListed(words) + ".";
}

std::string cureOf(const SharingReport& report, const SharingGroup& group) {
    if (group.cause == SharingGroup::Cause::trueSharing) {
        return " They use the same words: no change of the layout helps.";
    }
    if (group.cures.empty()) return "";
    std::string out;
    if (group.through) {
        out = fmt::format(" It is invalidated with the larger block of {} that contains it.",
                          report.levels[*group.through]);
    }
    std::vector<std::string> words;
    std::string specs;
    for (const LayoutChange& cure : group.cures) {
        words.push_back(asAdvice(cure));
        specs += " --map \"" + asText(cure) + "\"";
    }
    return fmt::format("{} Cure: {} ({}).", out, fmt::join(words, ", "), specs.substr(1));
}

std::string paragraphOf(const SharingReport& report, const SharingGroup& group, const Trace& trace) {
    const bool isFalse = group.cause == SharingGroup::Cause::falseSharing;
    const bool isTrue = group.cause == SharingGroup::Cause::trueSharing;
    const double share =
        report.cycles == 0 ? 0.0 : 100 * static_cast<double>(group.lost) / static_cast<double>(report.cycles);
    return wrapped(fmt::format(
        "{}: {} of {}: {}. Invalidated {}; {} by false sharing, {} by true sharing; {} lost, {:.1f} % of all.{}{}{}",
        report.levels[group.level], counted(group.blocks.size(), "block", "blocks"),
        group.things.empty() ? "memory" : firstListed(group.things),
        isFalse  ? "false sharing"
        : isTrue ? "true sharing"
                 : "shared, but not missed",
        counted(group.invalidations, "time", "times"), counted(group.falseMisses, "miss", "misses"),
        grouped(group.trueMisses), counted(group.lost, "cycle", "cycles"), share, usesOf(report, group),
        linesOf(group, trace), cureOf(report, group)));
}

}  // namespace

std::string asAdvice(const LayoutChange& change) {
    const std::string thing = change.ofClass ? "each " + change.thing : change.thing;
    switch (change.kind) {
        case LayoutChange::Kind::shift:
            return fmt::format("shift {} by {} bytes", thing, change.bytes);
        case LayoutChange::Kind::align:
            return fmt::format("align {} to {} bytes", thing, change.bytes);
        case LayoutChange::Kind::pad:
            return fmt::format("pad {} to {} bytes", thing, change.bytes);
        case LayoutChange::Kind::spread:
            break;
    }
    const std::string parts = change.element == 0 ? "the elements" : fmt::format("every {} bytes", change.element);
    return fmt::format("spread {} of {} to {} bytes each", parts, thing, change.bytes);
}

std::string sharingAsText(const SharingReport& report, const Trace& trace, std::size_t top) {
    if (report.groups.empty()) return "No CPU invalidates a block of another.\n";
    std::string out = fmt::format("{} lost by sharing, of {} access cycles.\n", counted(report.lost, "cycle", "cycles"),
                                  grouped(report.cycles));
    const std::size_t shown = std::min(top, report.groups.size());
    for (std::size_t g = 0; g < shown; ++g) out += '\n' + paragraphOf(report, report.groups[g], trace) + '\n';
    if (shown < report.groups.size()) {
        out += fmt::format("\n… and {} that cost less\n", report.groups.size() - shown);
    }
    return out;
}

}  // namespace whorl::sim
