// Names of views that several tests show.
#pragma once

#include "app/session/view_id.h"

namespace whorl::app {

inline constexpr ViewId kRings{ViewId::Kind::rings};
inline constexpr ViewId kSources{ViewId::Kind::sources};
inline constexpr ViewId kObjects{ViewId::Kind::objects};
inline constexpr ViewId kL1{ViewId::Kind::blocks, 0};
inline constexpr ViewId kL2{ViewId::Kind::blocks, 1};
inline constexpr ViewId kMemory{ViewId::Kind::memory};
inline constexpr ViewId kLive{ViewId::Kind::memoryLive};

}  // namespace whorl::app
