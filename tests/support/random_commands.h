// Random arguments of commands.
#pragma once

#include <random>
#include <string_view>

#include "app/commands/commands.h"

namespace whorl::app::random_commands {

using Random = std::mt19937_64;

/// A command and what is read from its text.
struct RoundTrip {
    Command written;
    Command read;
    bool isSame = false;  ///< in each argument
};

RoundTrip roundTrip(Random& random, std::string_view id);

/// A command of a kind with random arguments.
Command randomCommand(Random& random, std::string_view id);
template <class C>
Command randomCommand(Random& random) {
    return randomCommand(random, C::kForm.id);
}

}  // namespace whorl::app::random_commands
