// Jobs in threads, as the program runs them.
#pragma once

#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "sim/base/jobs.h"

namespace whorl::sim::test {

/// Each job in a thread of its own. Throws what a job throws.
inline void inThreads(const Jobs& jobs) {
    std::vector<std::exception_ptr> thrown(jobs.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        threads.emplace_back([&, i] {
            try {
                jobs[i]();
            } catch (...) {
                thrown[i] = std::current_exception();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& e : thrown) {
        if (e) std::rethrow_exception(e);
    }
}

}  // namespace whorl::sim::test
