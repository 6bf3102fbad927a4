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
    std::vector<std::string> names(kLineFormats.size());
    std::transform(kLineFormats.begin(), kLineFormats.end(), names.begin(),
                   [](const LineFormat& f) { return std::string(f.name); });
    names.insert(names.end(), {"whorl", "chiron"});
    return names;
}

}  // namespace whorl::sim
