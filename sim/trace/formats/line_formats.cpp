#include "sim/trace/formats/line_formats.h"

#include <algorithm>
#include <array>

#include "sim/trace/formats/line_reader.h"

namespace whorl::sim {

namespace {

// "r 1000 4" is Whorl's text rather than Dinero's, if other lines show that (see hasBaseOpen).
constexpr std::array kLineFormats{
    LineFormat{TraceFormat::lackey, "lackey", likeLackey, lackeyReader, false, true},
    LineFormat{TraceFormat::text, "text", likeText, textReader, true, false},
    LineFormat{TraceFormat::din, "din", likeDin, dinReader, false, true},
    LineFormat{TraceFormat::drcachesim, "drcachesim", likeDrcachesim, drcachesimReader, true, true},
    LineFormat{TraceFormat::pinatrace, "pinatrace", likePinatrace, pinatraceReader, false, false},
};

struct OtherFormat {
    TraceFormat format;
    std::string_view name;
    bool hasCpus;
};
constexpr std::array kOtherFormats{OtherFormat{TraceFormat::whorl, "whorl", true},
                                   OtherFormat{TraceFormat::chiron, "chiron", true},
                                   OtherFormat{TraceFormat::champsim, "champsim", false}};

/// Calls f for each format; both structures have its name, and whether it has CPUs.
template <class F>
void forEachFormat(F&& f) {
    for (const LineFormat& format : kLineFormats) f(format);
    for (const OtherFormat& format : kOtherFormats) f(format);
}

}  // namespace

std::span<const LineFormat> lineFormats() {
    return kLineFormats;
}

const LineFormat* lineFormat(TraceFormat format) {
    const auto found =
        std::find_if(kLineFormats.begin(), kLineFormats.end(), [&](const LineFormat& f) { return f.format == format; });
    return found == kLineFormats.end() ? nullptr : &*found;
}

bool hasCpus(TraceFormat format) {
    bool has = false;
    forEachFormat([&](const auto& known) { has = has || (known.format == format && known.hasCpus); });
    return has;
}

std::vector<std::string> formatNames() {
    std::vector<std::string> names;
    forEachFormat([&](const auto& format) { names.emplace_back(format.name); });
    return names;
}

std::optional<TraceFormat> formatNamed(std::string_view name) {
    std::optional<TraceFormat> found;
    forEachFormat([&](const auto& format) {
        if (format.name == name) found = format.format;
    });
    return found;
}

}  // namespace whorl::sim
