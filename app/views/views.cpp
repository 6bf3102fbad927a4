#include "app/views/views.h"

#include <algorithm>

namespace whorl::app {

void Views::cancel() {
    for (BackgroundWork* const work : works_) work->cancel();
}

bool Views::working() const {
    return std::any_of(works_.begin(), works_.end(), [](const BackgroundWork* work) { return work->working(); });
}

std::optional<sim::Error> Views::takeError() {
    for (BackgroundWork* const work : works_) {
        if (auto error = work->takeError()) return error;
    }
    return std::nullopt;
}

TimePointer pointerOn(const scene::TimeAxis& axis, float x) {
    return {.here = {axis.at(x), axis.at(x)},
            .isWhole = axis.isWhole(),
            .zoomed = [axis, x](double factor) { return axis.zoomed(x, factor); },
            .moved = [axis](float pixels) { return axis.moved(pixels); }};
}

}  // namespace whorl::app
