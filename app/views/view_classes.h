// The classes that make the pictures of flat views. A program has those that view_classes.cpp lists; a small player of
// pages has a list of its own.
#pragma once

#include <memory>
#include <span>

#include "app/session/view_id.h"
#include "app/views/views.h"

namespace whorl::app {

/// A class of flat views: it makes the pictures of these kinds.
struct ViewClass {
    std::span<const ViewId::Kind> kinds;
    std::unique_ptr<Views> (*make)(const ViewSources& sources);
};

template <class V>
constexpr ViewClass classOf() {
    return {V::kKinds,
            [](const ViewSources& sources) -> std::unique_ptr<Views> { return std::make_unique<V>(sources); }};
}

std::span<const ViewClass> flatViewClasses();

}  // namespace whorl::app
