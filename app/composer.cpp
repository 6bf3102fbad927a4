#include "app/composer.h"

namespace whorl::app {

Composer::Composer(Opened opened) : opened_(std::move(opened)), reader_(opened_.run) {}

const Picture& Composer::compose(double t, const scene::View& view) {
    if (!layout_ || layout_->size != view.size || layout_->textScale != view.textScale) {
        layout_ = std::make_unique<scene::RingLayout>(opened_.run->machine(), opened_.run->trace(), *opened_.homes,
                                                      view.size, view.textScale);
    }
    sim::Moment moment = reader_.at(t, scene::lookbackOf(view), view.cpu);
    scene::Scene scene = scene::choreograph(moment, subject(), *layout_, view);
    picture_.emplace(Picture{std::move(moment), std::move(scene), view});
    return *picture_;
}

const sim::Overview& Composer::overview() {
    const sim::Tick built = opened_.run->built();
    if (!overview_ || overviewAt_ != built) {
        overview_ = opened_.run->overview();
        overviewAt_ = built;
    }
    return *overview_;
}

}  // namespace whorl::app
