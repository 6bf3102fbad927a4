// The picture of the table of a cache: what is in each way, the address at hand and where its index leads, and what the
// last accesses changed, which moves as it does in the rings: blocks come in from the right, where the next level is,
// and leave there.
#pragma once

#include "render/scene/cells/table_layout.h"
#include "render/scene/flat_scene.h"

namespace whorl::scene {

/// `frame` is that of the same subject and look.
FlatScene tableScene(const TableSubject& subject, const TableLook& look, const TableFrame& frame);

}  // namespace whorl::scene
