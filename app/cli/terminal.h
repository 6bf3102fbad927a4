// Terminal output of commands: progress, results, errors.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/session/opened.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// " 37 %", or how many accesses have been read (" 12.4 M accesses") where the total is unknown; empty if neither is
/// known.
std::string progressWords(const sim::Progress& progress);

/// ", 12 s left" or ", 3 min left". `fraction`: the finished share; `passed`: seconds so far. Empty while the estimate
/// is poor, or the job is nearly finished.
std::string timeLeft(double fraction, double passed);

/// Runs a long job and shows its progress in the terminal from 0.3 s on. A signal that asks to end (Ctrl+C)
/// cancels it.
void withProgress(const std::string& words, sim::Progress& progress, const std::function<void()>& job);

/// The result of a job that can be cancelled: it has failed, or there is none, if it was.
template <class T>
sim::Expected<T> resultOf(sim::Expected<T> result) {
    return result;
}
template <class T>
sim::Expected<T> resultOf(std::optional<T> result) {
    if (!result) return tl::unexpected(sim::Error::byUser());
    return *std::move(result);
}
template <class T>
sim::Expected<std::shared_ptr<T>> resultOf(std::shared_ptr<T> result) {
    if (!result) return tl::unexpected(sim::Error::byUser());
    return result;
}
inline sim::Expected<void> resultOf(bool isDone) {
    if (!isDone) return tl::unexpected(sim::Error::byUser());
    return {};
}

/// Runs a long job in the same way, with a progress of its own, and gives its result: an error if it was cancelled.
template <class Job>
auto inProgress(const std::string& words, const Job& job) {
    sim::Progress progress;
    std::optional<decltype(job(progress))> result;
    withProgress(words, progress, [&] { result.emplace(job(progress)); });
    return resultOf(*std::move(result));
}

/// Reports on standard error what a trace has lost or skipped, if anything.
void sayWarnings(const OpenRequest& request, const sim::Trace& trace);

/// Reports an error on standard error, unless the user cancelled; returns the exit status.
int report(const sim::Error& error);

}  // namespace whorl::app
