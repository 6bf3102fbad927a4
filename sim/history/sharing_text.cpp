// The sharing report in words.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "sim/history/sharing_report.h"
#include "sim/measure/sheet.h"

namespace whorl::sim {

namespace {

constexpr std::size_t kWidth = 80;
/// Things that are named of many.
constexpr std::size_t kFew = 3;

/// "3 misses", "1 miss".
std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", grouped(n), n == 1 ? one : many);
}

/// "A, B and C", or "A, B, C and 4 more".
std::string listed(const std::vector<std::string>& words) {
    std::string out;
    const std::size_t shown = words.size() <= kFew + 1 ? words.size() : kFew;
    for (std::size_t i = 0; i < shown; ++i) {
        const bool isLast = i + 1 == words.size();
        out += (i == 0 ? "" : isLast ? " and " : ", ") + words[i];
    }
    return shown < words.size() ? fmt::format("{} and {} more", out, words.size() - shown) : out;
}

/// Broken into lines between words; those after the first are indented.
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

using Counts = std::map<std::string, std::uint64_t>;

/// What is used most first.
std::vector<std::string> ranked(const Counts& counts) {
    std::vector<std::pair<std::string, std::uint64_t>> all(counts.begin(), counts.end());
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<std::string> out;
    out.reserve(all.size());
    for (const auto& [place, count] : all) out.push_back(place);
    return out;
}

/// "CPU 0 writes A[0] and reads A[4]." for each.
std::string usesOf(const SharingReport& report, const SharingGroup& group) {
    std::map<std::uint32_t, std::pair<Counts, Counts>> ofCpu;  // writes, reads
    for (const std::size_t b : group.blocks) {
        for (const SharedField& field : report.blocks[b].fields) {
            for (const FieldUse& use : field.uses) {
                if (use.writes > 0) ofCpu[use.cpu].first[field.place] += use.writes;
                if (use.reads > 0) ofCpu[use.cpu].second[field.place] += use.reads;
            }
        }
    }
    std::vector<std::string> sentences;
    for (const auto& [cpu, uses] : ofCpu) {
        const std::string writes = uses.first.empty() ? "" : " writes " + listed(ranked(uses.first));
        const std::string reads = uses.second.empty() ? "" : " reads " + listed(ranked(uses.second));
        sentences.push_back(
            fmt::format("CPU {}{}{}{}", cpu, writes, writes.empty() || reads.empty() ? "" : ",", reads));
    }
    std::string out;
    for (const std::string& sentence : sentences) out += (out.empty() ? " " : "; ") + sentence;
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
                                                      : "takes it away"));
    }
    return words.empty() ? "" : " At fault: " + listed(words) + ".";
}

std::string cureOf(const SharingGroup& group) {
    if (group.cause == SharingGroup::Cause::trueSharing) {
        return " They use the same words: no other place in memory cures that.";
    }
    if (group.cures.empty()) return "";
    std::vector<std::string> words;
    std::string specs;
    for (const LayoutChange& cure : group.cures) {
        words.push_back(asAdvice(cure));
        specs += " --map \"" + asText(cure) + "\"";
    }
    return fmt::format(" Cure: {} ({}).", fmt::join(words, ", "), specs.substr(1));
}

std::string paragraphOf(const SharingReport& report, const SharingGroup& group, const Trace& trace) {
    const bool isFalse = group.cause == SharingGroup::Cause::falseSharing;
    const bool isTrue = group.cause == SharingGroup::Cause::trueSharing;
    const double share =
        report.cycles == 0 ? 0.0 : 100 * static_cast<double>(group.lost) / static_cast<double>(report.cycles);
    return wrapped(
        fmt::format("{}: {} of {}: {}. Taken away {}; {} by false sharing, {} by true; {} lost, {:.1f} % of all.{}{}{}",
                    report.levels[group.level], counted(group.blocks.size(), "block", "blocks"),
                    group.labels.empty() ? "memory" : listed(group.labels),
                    isFalse  ? "false sharing"
                    : isTrue ? "true sharing"
                             : "shared, but not missed",
                    counted(group.invalidations, "time", "times"), counted(group.falseMisses, "miss", "misses"),
                    grouped(group.trueMisses), counted(group.lost, "cycle", "cycles"), share, usesOf(report, group),
                    linesOf(group, trace), cureOf(group)));
}

}  // namespace

std::string sharingAsText(const SharingReport& report, const Trace& trace, std::size_t top) {
    if (report.groups.empty()) return "No CPU takes a block away from another.\n";
    std::string out = fmt::format("{} lost by sharing, of {} that were waited.\n",
                                  counted(report.lost, "cycle", "cycles"), grouped(report.cycles));
    const std::size_t shown = std::min(top, report.groups.size());
    for (std::size_t g = 0; g < shown; ++g) out += '\n' + paragraphOf(report, report.groups[g], trace) + '\n';
    if (shown < report.groups.size()) {
        out += fmt::format("\n… and {} that cost less\n", report.groups.size() - shown);
    }
    return out;
}

}  // namespace whorl::sim
