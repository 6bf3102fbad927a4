#include "sim/report/sharing_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "sim/analysis/sharing_trials.h"
#include "sim/base/text.h"
#include "sim/report/machine_words.h"
#include "sim/report/order_words.h"
#include "sim/report/sharing_table.h"
#include "sim/report/table.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

constexpr std::size_t kWidth = 80;
/// The number of things named when there are many.
constexpr std::size_t kFew = 3;
/// The maximum number of CPUs, or groups of CPUs with the same uses, whose uses the text lists.
constexpr std::size_t kMaxCpusNamed = 4;

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

/// The end of the word that begins at `at`. A number in groups of digits is one.
std::size_t wordEnd(const std::string& text, std::size_t at) {
    const auto isDigit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    std::size_t end = std::min(text.find(' ', at), text.size());
    while (end < text.size() && end > at && isDigit(end - 1) && isDigit(end + 1)) {
        end = std::min(text.find(' ', end + 1), text.size());
    }
    return end;
}

/// Wraps a text between words; lines after the first are indented.
std::string wrapped(const std::string& text) {
    std::string out;
    std::size_t column = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = wordEnd(text, at);
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
    for (std::size_t i = 0; i < std::min(alike.size(), kMaxCpusNamed); ++i) {
        std::string words = alike[i].first;
        const bool isOne = alike[i].second.size() == 1;
        for (auto at = words.find('~'); at != std::string::npos; at = words.find('~')) {
            words.replace(at, 1, isOne ? "s" : "");
        }
        out +=
            fmt::format("{} {} {}{}", i == 0 ? "" : ";", isOne ? "CPU" : "CPUs", firstListed(alike[i].second), words);
    }
    if (alike.size() > kMaxCpusNamed) out += "; others likewise";
    return out.empty() ? out : out + ".";
}

std::string linesOf(const SharingGroup& group, const Trace& trace) {
    std::vector<std::string> words;
    for (const SharingLine& line : group.lines) {
        const Site& site = trace.site(line.site);
        if (!isNamed(site)) continue;
        words.push_back(fmt::format("{} ({})", siteName(trace, site),
                                    line.lost > 0     ? counted(line.lost, "cycle", "cycles")
                                    : line.misses > 0 ? counted(line.misses, "miss", "misses")
                                                      : "invalidates it"));
    }
    return words.empty() ? "" : " At fault: " + firstListed(words) + ".";
}

/// "align a to 64 bytes, align b to 64 bytes (--map "align:a:64" --map "align:b:64")".
std::string withOptions(const std::vector<LayoutChange>& changes) {
    std::vector<std::string> words;
    std::string options;
    for (const LayoutChange& change : changes) {
        words.push_back(asAdvice(change));
        options += " --map \"" + asText(change) + "\"";
    }
    return fmt::format("{} ({})", fmt::join(words, ", "), options.substr(1));
}

/// " They use … No cure: to …" or " Cure: …, which … Or: …".
std::string cureOf(const SharingReport& report, const SharingGroup& group) {
    constexpr std::size_t kNamed = 2;  // the best and another
    std::string out = remarksOn(report, group);
    if (!out.empty()) out.insert(0, " ");
    for (std::size_t i = 0; i < std::min(kNamed, group.cures.size()); ++i) {
        const Trial& cure = group.cures[i];
        out += fmt::format(" {}: {}, which {}.", i == 0 ? "Cure" : "Or", withOptions(cure.changes), savingsOf(cure));
    }
    return out;
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

/// How many trials there were, and how many help.
std::string trialsOf(const SharingReport& report) {
    if (report.tried == 0) return "";
    const std::size_t cures = allCures(report).size();
    const std::string helpful = cures == 0 ? "none saves" : cures == 1 ? "1 saves" : fmt::format("{} save", cures);
    const std::string rest =
        report.untried == 0 ? "" : fmt::format("; {} more were not tried", grouped(report.untried));
    return fmt::format("Tried on {}: {}, of which {} {:.0f} % of all stall cycles{}.\n", machineCalled(report.machine),
                       counted(report.tried, "change of the layout", "changes of the layout"), helpful, 100 * kMinGain,
                       rest);
}

/// "CPU 0", "CPUs 0, 1 and 2", "8 CPUs".
std::string cpusOf(const std::vector<std::uint32_t>& cpus) {
    if (cpus.size() > kFew + 1) return fmt::format("{} CPUs", cpus.size());
    std::vector<std::string> words;
    words.reserve(cpus.size());
    for (const std::uint32_t cpu : cpus) words.push_back(std::to_string(cpu));
    return (cpus.size() == 1 ? "CPU " : "CPUs ") + joinNames(words);
}

/// "if a and b began 32 bytes later, as another allocator or compiler may place them", "with blocks of 128 bytes, …".
std::string conditionOf(const LatentReport& report, const LatentGroup& group) {
    if (group.shifts.empty()) {
        return fmt::format("with blocks of {} bytes, as where adjacent blocks are fetched together",
                           report.doubled[group.level]);
    }
    std::vector<std::string> things;
    for (const LayoutChange& shift : group.shifts) things.push_back((shift.ofClass ? "each " : "") + shift.thing);
    std::reverse(things.begin(), things.end());
    const std::int64_t bytes = group.shifts.front().bytes;
    return fmt::format("if {} began {} bytes {}, as another allocator or compiler may place {}", joinNames(things),
                       bytes < 0 ? -bytes : bytes, bytes < 0 ? "earlier" : "later", things.size() == 1 ? "it" : "them");
}

std::string latentParagraph(const LatentReport& report, const LatentGroup& group) {
    const std::string more =
        group.falseMissesNow == 0 ? "" : fmt::format(" more than the {} of this run", grouped(group.falseMissesNow));
    std::string options;
    for (const LayoutChange& shift : group.shifts) options += " --map \"" + asText(shift) + "\"";
    return wrapped(fmt::format("Latent: {}, {} would share blocks of {} falsely in {}: {}{}; {} lost{}.",
                               conditionOf(report, group), cpusOf(group.cpus), firstListed(group.things),
                               report.levels[group.level], counted(group.falseMisses, "miss", "misses"), more,
                               counted(group.lost, "cycle", "cycles"),
                               options.empty() ? "" : fmt::format(" ({})", options.substr(1))));
}

std::string triedText(const LatentReport& report) {
    std::vector<std::string> tried;
    if (report.placements > 0) tried.push_back(counted(report.placements, "other placement", "other placements"));
    if (!report.doubled.empty()) tried.push_back("blocks twice as large");
    if (tried.empty()) return "No latent false sharing: there was nothing to try.\n";
    return fmt::format("Latent false sharing: {} tried{}.\n", joinNames(tried),
                       report.groups.empty() ? "; none would cause any" : "");
}

JsonValue changesAsJson(const std::vector<LayoutChange>& changes) {
    return jsonArrayOf(changes, [](const LayoutChange& change) {
        return JsonObject{{"kind", kChangeVerbs[static_cast<std::size_t>(change.kind)]},
                          {"thing", change.thing},
                          {"of_class", change.ofClass},
                          {"bytes", change.bytes},
                          {"element", change.element},
                          {"spec", asText(change)}};
    });
}

}  // namespace

std::string savingsOf(const Trial& trial) {
    const auto cycles = [](std::int64_t n) { return grouped(static_cast<std::uint64_t>(n < 0 ? -n : n)); };
    const auto verb = [](std::int64_t n) { return n < 0 ? "costs" : "saves"; };
    std::string out = "changes no cycles";
    if (trial.elapsed != 0) out = fmt::format("{} {} cycles elapsed", verb(trial.elapsed), cycles(trial.elapsed));
    if (trial.cycles != 0) out = fmt::format("{} {} access cycles", verb(trial.cycles), cycles(trial.cycles));
    if (trial.cycles != 0 && trial.elapsed != 0) {
        const bool isAlike = (trial.cycles < 0) == (trial.elapsed < 0);
        out += isAlike ? fmt::format(" and {} elapsed", cycles(trial.elapsed))
                       : fmt::format(", but {} {} elapsed", verb(trial.elapsed), cycles(trial.elapsed));
    }
    return trial.padding == 0 ? out
                              : fmt::format("{}, for {} of padding", out, counted(trial.padding, "byte", "bytes"));
}

std::string chunksInWords(std::string_view thing) {
    return fmt::format("neighbours in {} belong to different threads: give each a contiguous chunk", thing);
}

std::string remarksOn(const SharingReport& report, const SharingGroup& group) {
    const bool isTrue = group.cause == SharingGroup::Cause::trueSharing;
    const bool isTried = !group.cures.empty() || !group.rejected.empty();
    if (isTrue && !isTried) return "They use the same words: no change of the layout helps.";
    std::vector<std::string> out;
    if (isTrue) out.emplace_back("Most misses are of the same words.");
    if (group.through && isTried) {
        out.push_back(fmt::format("It is invalidated with the larger block of {} that contains it.",
                                  report.levels[*group.through]));
    }
    if (!group.alternating.empty()) {
        std::vector<std::string> names;
        for (const std::size_t thing : group.alternating) names.push_back(report.things[thing].name);
        out.push_back(chunksInWords(firstListed(names)) + ".");
        out.back().front() = 'N';
    }
    if (group.cures.empty() && isTried) {
        const Trial& least = group.rejected.front();
        out.push_back(fmt::format("{}: to {} {}.", least.helps() ? "Too little for a cure" : "No cure",
                                  withOptions(least.changes), savingsOf(least)));
    }
    return fmt::format("{}", fmt::join(out, " "));
}

std::string asAdvice(const LayoutChange& change) {
    const std::string thing = change.ofClass ? "each " + change.thing : change.thing;
    switch (change.kind) {
        case LayoutChange::Kind::shift:
            return fmt::format("shift {} by {} bytes", thing, change.bytes);
        case LayoutChange::Kind::align:
            return fmt::format("align {} to {} bytes", thing, change.bytes);
        case LayoutChange::Kind::pad:
            return fmt::format("pad {} to {} bytes", thing, change.bytes);
        case LayoutChange::Kind::transpose:
            return fmt::format("store {} transposed", thing);
        case LayoutChange::Kind::split:
            return fmt::format("split {} into an array for each field", thing);
        case LayoutChange::Kind::block:
            return fmt::format("store {} in tiles of {} rows", thing, change.bytes);
        case LayoutChange::Kind::pool:
            return fmt::format("take the memory of {} from a pool of its own", thing);
        case LayoutChange::Kind::reserve:
            return fmt::format("reserve the memory of {} at once", thing);
        case LayoutChange::Kind::spread:
            break;
    }
    const std::string parts = change.element == 0 ? "the elements" : fmt::format("every {} bytes", change.element);
    return fmt::format("spread {} of {} to {} bytes each", parts, thing, change.bytes);
}

std::string latentAsText(const LatentReport& report, std::size_t top) {
    std::string out = triedText(report);
    const std::size_t shown = std::min(top, report.groups.size());
    for (std::size_t g = 0; g < shown; ++g) out += '\n' + latentParagraph(report, report.groups[g]) + '\n';
    if (shown < report.groups.size()) {
        out += fmt::format("\n… and {} that would cost less\n", report.groups.size() - shown);
    }
    return out;
}

JsonValue trialAsJson(const Trial& trial) {
    return JsonObject{{"changes", changesAsJson(trial.changes)},
                      {"saved_cycles", trial.cycles},
                      {"saved_elapsed", trial.elapsed},
                      {"padding", trial.padding}};
}

namespace {

std::string sharingAsText(const SharingReport& report, const Trace& trace, std::size_t top) {
    if (report.groups.empty()) return "No CPU invalidates a block of another.\n";
    std::string out = fmt::format("{} lost by sharing, of {} access cycles.\n", counted(report.lost, "cycle", "cycles"),
                                  grouped(report.cycles)) +
                      trialsOf(report);
    const std::size_t shown = std::min(top, report.groups.size());
    for (std::size_t g = 0; g < shown; ++g) out += '\n' + paragraphOf(report, report.groups[g], trace) + '\n';
    if (shown < report.groups.size()) {
        out += fmt::format("\n… and {} that cost less\n", report.groups.size() - shown);
    }
    if (report.together) {
        out += '\n' +
               wrapped(fmt::format("Together: {}, which {}.", withOptions(report.together->changes),
                                   savingsOf(*report.together))) +
               '\n';
    }
    return out;
}

std::string orderText(const SharingAnswer& answer) {
    return wrapped(orderInWords(*answer.order, "cycles are lost by sharing", answer.report.lost,
                                &SharingCosts::bySharing)) +
           '\n';
}

/// "mm.c:12", the address of the instruction, or nothing where neither is known.
JsonValue siteAsJson(SiteId id, const Trace& trace) {
    const Site& site = trace.site(id);
    return isNamed(site) ? JsonValue(siteName(trace, site)) : JsonValue();
}

JsonValue fieldAsJson(const SharedField& field, const SharedBlock& block, const SharingReport& report,
                      const Trace& trace) {
    const auto lineOf = [&](const FieldLine& line) {
        return JsonObject{{"line", siteAsJson(line.site, trace)},
                          {"reads", line.reads},
                          {"writes", line.writes},
                          {"lost", line.lost}};
    };
    const auto useOf = [](const FieldUse& use) {
        return JsonObject{{"cpu", use.cpu}, {"reads", use.reads}, {"writes", use.writes}};
    };
    return JsonObject{{"place", field.place},
                      {"address", fmt::format("{:#x}", field.address.value)},
                      {"offset", offsetOf(field, block, report)},
                      {"size", field.size},
                      {"reads", field.reads()},
                      {"writes", field.writes()},
                      {"invalidations", field.invalidations},
                      {"true_sharing", field.trueMisses},
                      {"false_sharing", field.falseMisses},
                      {"lost", field.lost},
                      {"cause", keyFor(causeOf(field.trueMisses, field.falseMisses))},
                      {"lines", jsonArrayOf(field.lines, lineOf)},
                      {"cpus", jsonArrayOf(field.uses, useOf)}};
}

JsonValue blockAsJson(const SharedBlock& block, const SharingReport& report, const Trace& trace) {
    const auto fieldOf = [&](const SharedField& field) { return fieldAsJson(field, block, report, trace); };
    return JsonObject{{"block", fmt::format("{:#x}", block.block.value * report.blockSizes[block.level])},
                      {"reads", block.reads()},
                      {"writes", block.writes()},
                      {"invalidations", block.invalidations},
                      {"true_sharing", block.trueMisses},
                      {"false_sharing", block.falseMisses},
                      {"lost", block.lost},
                      {"fields", jsonArrayOf(block.fields, fieldOf)}};
}

JsonValue groupAsJson(const SharingGroup& group, const SharingReport& report, const Trace& trace) {
    const auto lineOf = [&](const SharingLine& line) {
        return JsonObject{{"line", siteAsJson(line.site, trace)},
                          {"misses", line.misses},
                          {"invalidations", line.invalidations},
                          {"lost", line.lost}};
    };
    const auto nameOf = [&](std::size_t thing) { return report.things[thing].name; };
    const auto blockOf = [&](std::size_t b) { return blockAsJson(report.blocks[b], report, trace); };
    return JsonObject{{"level", report.levels[group.level]},
                      {"cause", keyFor(group.cause)},
                      {"things", group.things},
                      {"invalidations", group.invalidations},
                      {"true_sharing", group.trueMisses},
                      {"false_sharing", group.falseMisses},
                      {"lost", group.lost},
                      {"lines", jsonArrayOf(group.lines, lineOf)},
                      {"cures", jsonArrayOf(group.cures, trialAsJson)},
                      {"rejected", jsonArrayOf(group.rejected, trialAsJson)},
                      {"alternating", jsonArrayOf(group.alternating, nameOf)},
                      {"through", group.through ? JsonValue(report.levels[*group.through]) : JsonValue()},
                      {"blocks", jsonArrayOf(group.blocks, blockOf)}};
}

JsonValue latentAsJson(const LatentReport& report) {
    JsonValue doubled;
    for (std::size_t l = 0; l < report.doubled.size(); ++l) doubled[report.levels[l]] = report.doubled[l];
    const auto groupOf = [&](const LatentGroup& group) {
        return JsonObject{{"shifts", changesAsJson(group.shifts)},
                          {"level", report.levels[group.level]},
                          {"things", group.things},
                          {"cpus", group.cpus},
                          {"false_sharing", group.falseMisses},
                          {"false_sharing_now", group.falseMissesNow},
                          {"lost", group.lost}};
    };
    return JsonObject{{"placements", report.placements},
                      {"doubled_blocks", std::move(doubled)},
                      {"groups", jsonArrayOf(report.groups, groupOf)}};
}

JsonObject sharingAsJson(const SharingReport& report, const Trace& trace) {
    const auto groupOf = [&](const SharingGroup& group) { return groupAsJson(group, report, trace); };
    return {{"from", report.range.from.value},
            {"to", report.range.to.value},
            {"lost", report.lost},
            {"cycles", report.cycles},
            {"machine", report.machine},
            {"tried", report.tried},
            {"untried", report.untried},
            {"together", report.together ? trialAsJson(*report.together) : JsonValue()},
            {"groups", jsonArrayOf(report.groups, groupOf)}};
}

}  // namespace

Document sharingDocument(SharingAnswer answer) {
    const auto found = std::make_shared<const SharingAnswer>(std::move(answer));
    const auto table = [=] { return sharingTable(found->report, *found->trace); };
    return {.text =
                [=](std::size_t top) {
                    std::string out = sharingAsText(found->report, *found->trace, top);
                    if (found->order) out += '\n' + orderText(*found);
                    const bool hasBlocks = found->showsBlocks && !found->report.blocks.empty();
                    if (hasBlocks) out += '\n' + sharingTableAsText(table(), top);
                    return found->latent ? out + '\n' + latentAsText(*found->latent, top) : out;
                },
            .json =
                [=] {
                    JsonObject json = sharingAsJson(found->report, *found->trace);
                    if (found->latent) json.emplace_back("latent", latentAsJson(*found->latent));
                    if (found->order) json.emplace_back("order", orderAsJson(*found->order));
                    return json;
                },
            .csv = [=] { return table().table; }};
}

}  // namespace whorl::sim
