#include "render/scene/space/lane_merge.h"

#include <algorithm>

namespace whorl::scene {

/// Puts the parts in the order in which they begin.
void LaneMerge::begin() {
    colours_.clear();
    for (const Part& part : parts_) {
        const bool isKnown = std::find(colours_.begin(), colours_.end(), part.colour) != colours_.end();
        if (!isKnown) colours_.push_back(part.colour);
    }
    std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.from < b.from; });
    here_.clear();
    next_ = 0;
    if (!parts_.empty()) now_ = parts_.front().from;
}

/// The stretch from `now_` until any part begins or ends. False when there is none left.
bool LaneMerge::advance(Span& next) {
    std::erase_if(here_, [&](std::size_t i) { return parts_[i].to <= now_; });
    if (here_.empty()) {
        if (next_ == parts_.size()) return false;
        now_ = parts_[next_].from;
    }
    for (; next_ < parts_.size() && parts_[next_].from <= now_; ++next_) here_.push_back(next_);
    next.from = now_;
    next.to = next_ < parts_.size() ? parts_[next_].from : parts_[here_.front()].to;
    for (const std::size_t i : here_) next.to = std::min(next.to, parts_[i].to);
    next.stay = here_.size() == 1 ? parts_[here_.front()].stay : sim::Stay::kNone;
    next.colours.clear();
    for (const Rgba colour : colours_) {
        const auto has = [&](std::size_t i) { return parts_[i].colour == colour; };
        if (std::any_of(here_.begin(), here_.end(), has)) next.colours.push_back(colour);
    }
    now_ = next.to;
    return true;
}

}  // namespace whorl::scene
