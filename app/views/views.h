// The views of some kinds that show one run: what their users need to know of them, whatever they show.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <variant>

#include "app/session/session.h"
#include "render/scene/cells/common_scale.h"
#include "render/scene/flat_scene.h"
#include "render/scene/scene.h"
#include "render/scene/space/space_scene.h"
#include "sim/base/error.h"

namespace whorl::app {

/// Nothing where the view has no picture yet.
using TileScene = std::variant<std::monostate, const scene::Scene*, const scene::FlatScene*, const scene::SpaceScene*>;

class Views {
  public:
    Views() = default;
    virtual ~Views() = default;
    Views(const Views&) = delete;
    Views& operator=(const Views&) = delete;

    /// Cancels what is computed in the background; it is repeated only when something else is needed.
    virtual void cancel() {}
    /// Something that a picture shows is being computed.
    virtual bool working() const { return false; }
    /// Why it could not be computed, once; nothing if it was cancelled.
    virtual std::optional<sim::Error> takeError() { return std::nullopt; }

    /// The picture of a view, `size` in pixels. Owned by the views; valid until the next call for that view.
    virtual TileScene pictureOf(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) = 0;
    /// Of runs beside each other: the largest number of a view's picture, nothing if it shows none; and that of all of
    /// them, which its colours or heights are then relative to; none: its own.
    virtual std::optional<double> largest(const ViewId& /*view*/, const RunContext& /*context*/, glm::ivec2 /*size*/,
                                          float /*scale*/) {
        return std::nullopt;
    }
    virtual void setCommon(const ViewId& /*view*/, const std::optional<scene::CommonScale>& /*common*/) {}
};

}  // namespace whorl::app
