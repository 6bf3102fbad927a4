#include "sim/analysis/stay_list.h"

namespace whorl::sim {

std::uint64_t StayList::restOf(const Stay& stay) {
    return static_cast<std::uint64_t>(stay.leaving) | static_cast<std::uint64_t>(stay.holding) << 3 |
           std::uint64_t{stay.prefetched} << 5 | std::uint64_t{stay.dirty} << 6 | std::uint64_t{stay.byCpu} << kByCpu |
           std::uint64_t{stay.cpu} << kCpu | std::uint64_t{stay.cache} << kCache;
}

void StayList::push_back(const Stay& stay) {
    in_.push_back(next(stay.in));
    out_.push_back(outOf(stay.in, stay.out));
    from_.push_back(stay.from);
    to_.push_back(lengthOf(stay.from, stay.to));
    address_.push_back(stay.address.value);
    block_.push_back(stay.block);
    by_.push_back(next(stay.by));
    source_.push_back(next(stay.source));
    object_.push_back(next(stay.object));
    cost_.push_back(stay.cost);
    rest_.push_back(restOf(stay));
}

void StayList::set(std::size_t i, const Stay& stay) {
    in_.set(i, next(stay.in));
    out_.set(i, outOf(stay.in, stay.out));
    setTime(i, stay.from, stay.to);
    address_.set(i, stay.address.value);
    setPlaces(i, stay.block, stay.by, stay.source, stay.object);
    cost_.set(i, stay.cost);
    rest_.set(i, restOf(stay));
}

void StayList::setTime(std::size_t i, Cycles from, Cycles to) {
    from_.set(i, from);
    to_.set(i, lengthOf(from, to));
}

void StayList::setEnd(std::size_t i, Leaving leaving, Tick out, Cycles to, std::uint8_t byCpu, bool dirty) {
    const std::uint64_t ofEnd = restOf({.byCpu = 0xff, .leaving = Leaving{7}, .dirty = true});
    const Stay end{.byCpu = byCpu, .leaving = leaving, .dirty = dirty};
    rest_.set(i, (rest_[i] & ~ofEnd) | restOf(end));
    out_.set(i, outOf(Tick{in_[i] - 1}, out));
    to_.set(i, lengthOf(from_[i], to));
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
