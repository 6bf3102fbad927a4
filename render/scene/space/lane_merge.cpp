#include "render/scene/space/lane_merge.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace whorl::scene {

namespace {

/// Which parts cover a time.
class Cover {
  public:
    explicit Cover(const std::vector<LaneMerge::Part>& parts) : parts_(parts), kindOf_(parts.size()) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto known = std::find(colours_.begin(), colours_.end(), parts[i].colour);
            kindOf_[i] = static_cast<std::size_t>(known - colours_.begin());
            if (known == colours_.end()) colours_.push_back(parts[i].colour);
        }
        counts_.resize(colours_.size());
    }

    void change(std::size_t part, bool begins) {
        counts_[kindOf_[part]] += begins ? 1 : -1;
        if (begins) {
            here_.push_back(part);
        } else {
            std::erase(here_, part);
        }
    }
    bool isEmpty() const { return here_.empty(); }
    LaneMerge::Stretch stretch(double from, double to) const {
        LaneMerge::Stretch out{from, to, {}, here_.size() == 1 ? parts_[here_.front()].stay : sim::Stay::kNone};
        for (std::size_t c = 0; c < colours_.size(); ++c) {
            if (counts_[c] > 0) out.colours.push_back(colours_[c]);
        }
        return out;
    }

  private:
    const std::vector<LaneMerge::Part>& parts_;
    std::vector<Rgba> colours_;
    std::vector<std::size_t> kindOf_;  ///< by part, index into colours_
    std::vector<int> counts_;          ///< by colour
    std::vector<std::size_t> here_;    ///< few at a time: at most one of each cache
};

struct Edge {
    double at;
    std::size_t part;
    bool begins;
};

}  // namespace

std::vector<LaneMerge::Stretch> LaneMerge::take() {
    const std::vector<Part> parts = std::exchange(parts_, {});
    std::vector<Edge> edges;
    edges.reserve(2 * parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].to <= parts[i].from) continue;
        edges.push_back({parts[i].from, i, true});
        edges.push_back({parts[i].to, i, false});
    }
    std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
    std::vector<Stretch> out;
    Cover cover(parts);
    for (std::size_t i = 0; i < edges.size();) {
        const double at = edges[i].at;
        for (; i < edges.size() && edges[i].at == at; ++i) cover.change(edges[i].part, edges[i].begins);
        if (i == edges.size() || cover.isEmpty()) continue;
        Stretch next = cover.stretch(at, edges[i].at);
        const bool goesOn =
            !out.empty() && out.back().to == at && out.back().colours == next.colours && out.back().stay == next.stay;
        if (goesOn) {
            out.back().to = next.to;
        } else {
            out.push_back(std::move(next));
        }
    }
    return out;
}

}  // namespace whorl::scene
