#include "sim/trace/delay_list.h"

namespace whorl::sim {

// For each: the accesses since the one before, doubled, plus 1 if it waited for another; the work; how many accesses
// ago that other was.

void DelayList::push_back(const Delay& delay) {
    const bool waits = delay.after != Delay::kNoAccess;
    appendVarint(bytes_, (delay.at.value - last_.value) << 1 | (waits ? 1 : 0));
    appendVarint(bytes_, delay.work);
    if (waits) appendVarint(bytes_, delay.at.value - delay.after.value);
    last_ = delay.at;
    ++size_;
}

void DelayList::Cursor::advance() {
    std::uint64_t step = 0;
    has_ = readVarint(rest_, step);
    if (!has_) return;
    delay_.at.value += step >> 1;
    readVarint(rest_, delay_.work);
    delay_.after = Delay::kNoAccess;
    std::uint64_t ago = 0;
    if ((step & 1) != 0 && readVarint(rest_, ago)) delay_.after = Tick{delay_.at.value - ago};
}

}  // namespace whorl::sim
