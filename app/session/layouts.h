// Layouts: named ways to look at any run. Some come with Whorl, others are the user's own (Session::layouts).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"
#include "sim/base/error.h"

namespace whorl::app {

/// The layouts that come with Whorl. They name levels by their index, so that each machine has them.
std::span<const Layout> shippedLayouts();
bool isShipped(std::string_view layout);
/// The user's own, then those that come with Whorl.
std::vector<Layout> layoutsOf(const Session& session);

/// Looks as the layout of this name says; views that the machine lacks are left out. The error names all layouts.
sim::Expected<void> showLayout(Session& session, std::string_view name);

/// The session as a layout of this name: its views, their places, and what is around them.
Layout layoutOf(const Session& session, std::string name);
/// An error for a name that no layout of the user's own can have.
sim::Expected<void> checkLayoutName(std::string_view name);

}  // namespace whorl::app
