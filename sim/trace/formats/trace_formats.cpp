#include "sim/trace/formats/trace_formats.h"

#include <algorithm>
#include <array>

namespace whorl::sim {

namespace {

constexpr KnownFormat ofLines(TraceFormat format, std::string_view name, decltype(KnownFormat::like) like,
                              decltype(KnownFormat::lineReader) reader, bool hasCpus, bool hasInstructions) {
    return {.format = format,
            .name = name,
            .hasCpus = hasCpus,
            .hasInstructions = hasInstructions,
            .like = like,
            .lineReader = reader};
}

// "r 1000 4" belongs to Whorl's text rather than Dinero's format if other lines show that (see hasBaseOpen).
constexpr std::array kFormats{
    ofLines(TraceFormat::lackey, "lackey", likeLackey, lackeyReader, false, true),
    ofLines(TraceFormat::text, "text", likeText, textReader, true, false),
    ofLines(TraceFormat::din, "din", likeDin, dinReader, false, true),
    ofLines(TraceFormat::drcachesim, "drcachesim", likeDrcachesim, drcachesimReader, true, true),
    ofLines(TraceFormat::pinatrace, "pinatrace", likePinatrace, pinatraceReader, false, false),
    KnownFormat{.format = TraceFormat::whorl,
                .name = "whorl",
                .hasCpus = true,
                .bringsMachine = true,
                .hasSyncs = true,
                .begins = likeWhorl,
                .readBytes = readWhorl},
    KnownFormat{.format = TraceFormat::chiron,
                .name = "chiron",
                .hasCpus = true,
                .bringsMachine = true,
                .begins = likeChiron,
                .readText = readChiron},
    KnownFormat{.format = TraceFormat::champsim, .name = "champsim", .named = namesChampsim, .readBytes = readChampsim},
};

}  // namespace

std::span<const KnownFormat> knownFormats() {
    return kFormats;
}

const KnownFormat& known(TraceFormat format) {
    return *std::find_if(kFormats.begin(), kFormats.end(), [&](const KnownFormat& f) { return f.format == format; });
}

std::vector<std::string> formatNames() {
    std::vector<std::string> names;
    names.reserve(kFormats.size());
    for (const KnownFormat& format : kFormats) names.emplace_back(format.name);
    return names;
}

std::optional<TraceFormat> formatNamed(std::string_view name) {
    const auto found =
        std::find_if(kFormats.begin(), kFormats.end(), [&](const KnownFormat& f) { return f.name == name; });
    return found == kFormats.end() ? std::nullopt : std::optional(found->format);
}

}  // namespace whorl::sim
