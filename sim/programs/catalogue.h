// Helpers that the implementations of the built-in programs share. For this room only.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "sim/programs/access_recorder.h"
#include "sim/programs/program.h"
#include "sim/programs/random_numbers.h"

namespace whorl::sim {

/// Runs `body` and converts cancellation and lack of memory to errors, so that no exception leaves this room.
template <class Body>
Expected<Trace> runRecorded(Body&& body) {
    try {
        return body();
    } catch (const Cancelled&) {
        return tl::unexpected(Error::byUser());
    } catch (const std::bad_alloc&) {
        return fail({}, "there is not enough memory for the trace", "an access takes 16 bytes: choose a smaller n");
    }
}

/// The error for a program whose result differs from a simple reference computation: its trace would be wrong.
inline tl::unexpected<Error> wrongResult(const std::string& program) {
    return fail(program, "the result is wrong", "this is a bug in Whorl: please report it with the options used");
}

template <class T>
std::vector<T> randomValues(std::size_t count, std::uint64_t seed, int bound) {
    RandomNumbers from(seed);
    std::vector<T> out(count);
    for (T& value : out) value = static_cast<T>(from.below(bound));
    return out;
}

}  // namespace whorl::sim
