#include "sim/trace/formats/line_formats.h"

#include <algorithm>
#include <array>

#include "sim/trace/formats/line_reader.h"

namespace whorl::sim {

namespace {

// "r 1000 4" is Whorl's text rather than Dinero's.
constexpr std::array kLineFormats{
    LineFormat{TraceFormat::lackey, "lackey", likeLackey, lackeyReader, false, true},
    LineFormat{TraceFormat::text, "text", likeText, textReader, true, false},
    LineFormat{TraceFormat::din, "din", likeDin, dinReader, false, true},
};

struct OtherFormat {
    TraceFormat format;
    std::string_view name;
};
constexpr std::array kOtherFormats{OtherFormat{TraceFormat::whorl, "whorl"},
                                   OtherFormat{TraceFormat::chiron, "chiron"}};

/// Calls f(TraceFormat, std::string_view name) for each format.
template <class F>
void forEachFormat(F&& f) {
    for (const LineFormat& format : kLineFormats) f(format.format, format.name);
    for (const OtherFormat& format : kOtherFormats) f(format.format, format.name);
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

std::vector<std::string> formatNames() {
    std::vector<std::string> names;
    forEachFormat([&](TraceFormat, std::string_view name) { names.emplace_back(name); });
    return names;
}

std::optional<TraceFormat> formatNamed(std::string_view name) {
    std::optional<TraceFormat> found;
    forEachFormat([&](TraceFormat format, std::string_view known) {
        if (known == name) found = format;
    });
    return found;
}

}  // namespace whorl::sim
