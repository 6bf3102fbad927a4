#include "sim/trace/formats/text_markers.h"

#include <algorithm>

namespace whorl::sim {

std::vector<TimedMarker> markersOf(const Trace& trace) {
    std::vector<TimedMarker> markers;
    for (std::size_t i = 0; i < trace.objects().size(); ++i) {
        const Object& o = trace.objects()[i];
        const bool brief = o.died == o.born;
        markers.push_back(
            {.at = o.born, .kind = brief ? TimedMarker::Kind::briefLife : TimedMarker::Kind::birth, .index = i});
        if (!brief && o.died.value <= trace.size()) {
            markers.push_back({.at = o.died, .kind = TimedMarker::Kind::death, .index = i});
        }
    }
    for (std::size_t i = 0; i < trace.marks().size(); ++i) {
        markers.push_back({.at = trace.marks()[i].at, .kind = TimedMarker::Kind::mark, .index = i});
    }
    std::sort(markers.begin(), markers.end(),
              [](const TimedMarker& a, const TimedMarker& b) { return a.order() < b.order(); });
    return markers;
}

}  // namespace whorl::sim
