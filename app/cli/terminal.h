// What commands say to the person in the terminal: progress, results, errors.
#pragma once

#include <functional>
#include <string>

#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// Does a long job while the terminal shows how far it is, from 0.3 s on. An interrupt (Ctrl+C) cancels it.
void withProgress(const std::string& words, sim::Progress& progress, const std::function<void()>& job);

/// Writes a text to a file, which appears when it is whole, or to standard output for "-".
sim::Expected<void> writeText(const std::string& text, const std::string& path);

/// Says an error on standard error, unless it was the person who stopped; gives the exit status.
int report(const sim::Error& error);

}  // namespace whorl::app
