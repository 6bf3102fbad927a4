#include "render/scene/space/space_scene.h"

namespace whorl::scene {

bool samePicture(const SpaceScene& a, const SpaceScene& b) {
    return a.size == b.size && a.background == b.background && a.toClip == b.toClip && a.toEye == b.toEye &&
           a.eye == b.eye && a.ambient == b.ambient && a.pointSize == b.pointSize && a.surface == b.surface &&
           a.boxes == b.boxes && a.faces == b.faces && a.segments == b.segments && a.points == b.points &&
           a.panes == b.panes && a.overlay == b.overlay;
}

}  // namespace whorl::scene
