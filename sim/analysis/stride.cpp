#include "sim/analysis/stride.h"

#include <algorithm>
#include <array>
#include <vector>

namespace whorl::sim {

std::string_view wordFor(StrideClass stride) {
    constexpr std::array<std::string_view, 5> kWords = {"none", "same", "unit", "constant", "irregular"};
    return kWords[static_cast<std::size_t>(stride)];
}

StrideTally& StrideTally::operator+=(const StrideTally& more) {
    steps_ += more.steps_;
    same_ += more.same_;
    unit_ += more.unit_;
    for (const auto& [bytes, times] : more.others_) count(bytes, times);
    return *this;
}

StrideSummary StrideTally::summary() const {
    StrideSummary out{.steps = steps_};
    if (steps_ == 0) return out;
    // Of equally frequent strides the shortest, upwards first: hash tables have no order.
    const auto rank = [](std::int64_t bytes) { return bytes < 0 ? -2 * bytes : 2 * bytes - 1; };
    for (const auto& [bytes, times] : others_) {
        if (times > out.ofThem || (times == out.ofThem && rank(bytes) < rank(out.bytes))) {
            out.ofThem = times;
            out.bytes = bytes;
        }
    }
    out.stride = StrideClass::constant;
    if (unit_ >= out.ofThem) out = {.stride = StrideClass::unit, .steps = steps_, .ofThem = unit_};
    if (same_ > out.ofThem) out = {.stride = StrideClass::same, .steps = steps_, .ofThem = same_};
    if (out.ofThem < steps_ - out.ofThem) {
        out = {.stride = StrideClass::irregular, .steps = steps_, .ofThem = steps_ - same_ - unit_};
    }
    return out;
}

/// Drops at least half of the strides, the rarest. A stride that makes up half of all steps is not among them for long.
void StrideTally::forgetRare() {
    std::vector<std::uint64_t> times;
    for (const auto& other : others_) times.push_back(other.second);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    const std::uint64_t most = *middle;
    std::erase_if(others_, [&](const auto& other) { return other.second <= most; });
}

}  // namespace whorl::sim
