#include "sim/analysis/stay_list.h"

namespace whorl::sim {

std::uint64_t StayList::restOf(const Stay& stay) {
    return std::uint64_t{stay.cache} | std::uint64_t{stay.cpu} << 8 | std::uint64_t{stay.byCpu} << 16 |
           static_cast<std::uint64_t>(stay.leaving) << 24 | static_cast<std::uint64_t>(stay.holding) << 27 |
           std::uint64_t{stay.prefetched} << 29 | std::uint64_t{stay.dirty} << 30;
}

void StayList::push_back(const Stay& stay) {
    forEachColumn(*this, [](NumberColumn& column) { column.push_back(0); });
    set(size() - 1, stay);
}

void StayList::set(std::size_t i, const Stay& stay) {
    in_.set(i, stay.in.value + 1);
    out_.set(i, stay.out.value + 1);
    setTime(i, stay.from, stay.to);
    address_.set(i, stay.address.value);
    block_.set(i, stay.block);
    by_.set(i, next(stay.by));
    source_.set(i, next(stay.source));
    object_.set(i, next(stay.object));
    cost_.set(i, stay.cost);
    rest_.set(i, restOf(stay));
}

void StayList::setTime(std::size_t i, Cycles from, Cycles to) {
    from_.set(i, from);
    to_.set(i, to);
}

void StayList::setEnd(std::size_t i, Leaving leaving, Tick out, Cycles to, std::uint8_t byCpu, bool dirty) {
    constexpr std::uint64_t kOfEnd = std::uint64_t{0xff} << 16 | std::uint64_t{7} << 24 | std::uint64_t{1} << 30;
    const Stay end{.byCpu = byCpu, .leaving = leaving, .dirty = dirty};
    rest_.set(i, (rest_[i] & ~kOfEnd) | (restOf(end) & kOfEnd));
    out_.set(i, out.value + 1);
    to_.set(i, to);
}

void StayList::setPlaces(std::size_t i, std::uint32_t block, std::uint32_t by, std::uint32_t source,
                         std::uint32_t object) {
    block_.set(i, block);
    by_.set(i, next(by));
    source_.set(i, next(source));
    object_.set(i, next(object));
}

void StayList::sort(const std::vector<std::uint32_t>& order) {
    forEachColumn(*this, [&](NumberColumn& column) { column = column.inOrder(order); });
}

std::size_t StayList::bytes() const {
    std::size_t sum = 0;
    forEachColumn(*this, [&](const NumberColumn& column) { sum += column.bytes(); });
    return sum;
}

void ChangeList::push_back(const Change& change) {
    stay_.push_back(change.stay);
    tick_.push_back(change.tick.value);
    at_.push_back(change.at);
    holding_.push_back(static_cast<std::uint64_t>(change.holding));
}

void ChangeList::set(std::size_t i, const Change& change) {
    stay_.set(i, change.stay);
    tick_.set(i, change.tick.value);
    at_.set(i, change.at);
    holding_.set(i, static_cast<std::uint64_t>(change.holding));
}

void ChangeList::sort(const std::vector<std::uint32_t>& order) {
    for (NumberColumn* column : {&stay_, &tick_, &at_, &holding_}) *column = column->inOrder(order);
}

std::size_t ChangeList::bytes() const {
    return stay_.bytes() + tick_.bytes() + at_.bytes() + holding_.bytes();
}

}  // namespace whorl::sim
