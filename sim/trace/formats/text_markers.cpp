#include "sim/trace/formats/text_markers.h"

#include <algorithm>

namespace whorl::sim {

std::vector<Moment> momentsOf(const Trace& trace) {
    std::vector<Moment> moments;
    for (std::size_t i = 0; i < trace.objects().size(); ++i) {
        const Object& o = trace.objects()[i];
        const bool brief = o.died == o.born;
        moments.push_back({.at = o.born, .kind = brief ? Moment::Kind::briefLife : Moment::Kind::birth, .index = i});
        if (!brief && o.died.value <= trace.size()) {
            moments.push_back({.at = o.died, .kind = Moment::Kind::death, .index = i});
        }
    }
    for (std::size_t i = 0; i < trace.marks().size(); ++i) {
        moments.push_back({.at = trace.marks()[i].at, .kind = Moment::Kind::mark, .index = i});
    }
    std::sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) { return a.order() < b.order(); });
    return moments;
}

}  // namespace whorl::sim
