// The views in space of one history.
#pragma once

#include <memory>
#include <vector>

#include "app/views/space/block_views.h"
#include "app/views/space/folded_views.h"

namespace whorl::app {

class HistoryViews {
  public:
    HistoryViews(std::shared_ptr<const sim::Trace> trace, std::shared_ptr<const sim::History> history)
        : shown_(std::move(trace), std::move(history)) {}

    const ShownHistory& shown() const { return shown_; }
    const sim::History& history() const { return shown_.history(); }
    const std::shared_ptr<const sim::History>& shared() const { return shown_.shared(); }
    const sim::Trace& trace() const { return shown_.trace(); }

    /// Sets the histories of other runs shown beside this one, and the critical path that is lit; see ShownHistory.
    void compareWith(std::vector<std::shared_ptr<const sim::History>> others) { set(shown_.others, std::move(others)); }
    void light(std::shared_ptr<const LitPath> path) { set(shown_.path, std::move(path)); }

    FoldedViews& folded() { return folded_; }
    BlockViews& blocks() { return blocks_; }
    /// Those that make the picture of a view.
    SpaceViews& of(const ViewId& view) {
        if (view.kind == ViewId::Kind::blocks) return blocks_;
        return folded_;
    }

  private:
    template <class T>
    void set(T& what, T to) {
        if (to == what) return;
        what = std::move(to);
        folded_.forget();
        blocks_.forget();
    }

    ShownHistory shown_;
    FoldedViews folded_{shown_};
    BlockViews blocks_{shown_};
};

}  // namespace whorl::app
