// A key press by the user.
#pragma once

#include <gtest/gtest.h>

#include "app/session/bindings.h"

namespace whorl::app {

inline void press(Session& session, std::string_view chord) {
    const Binding* binding = bindingForKey(chord, session);
    ASSERT_NE(binding, nullptr) << chord;
    binding->command.applyTo(session);
}

}  // namespace whorl::app
