// What a player of pages does without: it opens the .whorl files that its page has, and patterns; it changes no
// layouts, and has no tables of what costs most.
#include <array>
#include <cstdlib>

#include "sim/analysis/sharing_trials.h"
#include "sim/analysis/why.h"
#include "sim/programs/program.h"
#include "sim/trace/formats/foreign_content.h"
#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/trace_formats.h"
#include "sim/trace/layout/mapped_trace.h"
#include "sim/trace/layout/relocation.h"
#include "sim/trace/region_file.h"

namespace whorl::sim {

std::span<const Program> programs() {
    return {};
}

std::span<const KnownFormat> knownFormats() {
    static constexpr std::array kFormats{KnownFormat{.format = TraceFormat::whorl,
                                                     .name = "whorl",
                                                     .hasCpus = true,
                                                     .bringsMachine = true,
                                                     .hasSyncs = true,
                                                     .begins = likeWhorl,
                                                     .readBytes = readWhorl}};
    return kFormats;
}
const KnownFormat& known(TraceFormat) {
    return knownFormats().front();
}
std::vector<std::string> formatNames() {
    return {"whorl"};
}
std::optional<TraceFormat> formatNamed(std::string_view name) {
    return name == "whorl" ? std::optional(TraceFormat::whorl) : std::nullopt;
}
Expected<void> readText(const Reading& reading, const KnownFormat*, std::unique_ptr<ByteSource>) {
    return fail(reading.name, "this is not a .whorl file", "write one with whorl trace");
}
std::optional<Error> foreignContent(std::string_view, const std::string&) {
    return std::nullopt;
}
Expected<std::vector<Region>> readRegions(const std::string& path) {
    return fail(path, "a page reads no files that name memory");
}
Expected<Trace> withRegions(Trace trace, std::vector<Region>, const std::string&) {
    return trace;
}

Expected<Trace> mapped(const std::shared_ptr<const Trace>&, const std::vector<LayoutChange>&, Progress&, bool) {
    return fail({}, "a page does not change the layout of memory", "open the run in Whorl itself");
}
/// All views of a trace have its layout.
ByteAddress sameByte(const Trace&, const Trace&, ByteAddress byte) {
    return byte;
}
/// Of gathered objects, which only a change of the layout makes.
void Relocation::apply(std::span<PackedAccess>, Tick) const {
    std::abort();
}

Expected<WhyReport> whyOf(const std::shared_ptr<const Trace>&, const MachineConfig&, const WhyRequest&, Progress&) {
    return fail({}, "a page does not tell why accesses miss", "ask whorl why");
}
bool tryCures(SharingReport&, const Run&, Progress&) {
    return true;
}

}  // namespace whorl::sim
