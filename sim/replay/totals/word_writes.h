// The CPU that last wrote each word, and the time: distinguishes true from false sharing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "sim/base/types.h"

namespace whorl::sim {

class WordWrites {
  public:
    static constexpr std::uint64_t kWord = 4;  ///< bytes

    struct Write {
        std::uint64_t when = 0;  ///< the access's tick plus 1; 0: never
        std::uint32_t cpu = 0;
    };

    Write last(std::uint64_t word) const {
        const auto page = pages_.find(word / kPage);
        return page == pages_.end() ? Write{} : (*page->second)[word % kPage];
    }
    void write(std::uint64_t word, std::uint64_t when, std::uint32_t cpu) {
        auto& page = pages_[word / kPage];
        if (!page) page = std::make_unique<Page>();
        (*page)[word % kPage] = {when, cpu};
    }

  private:
    static constexpr std::uint64_t kPage = 256;  ///< words
    using Page = std::array<Write, kPage>;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

}  // namespace whorl::sim
