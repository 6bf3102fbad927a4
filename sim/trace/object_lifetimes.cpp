#include "sim/trace/object_lifetimes.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace whorl::sim {
namespace {

bool reaches(const Object& object, ByteAddress address) {
    return address.value - object.base.value < object.size;
}

}  // namespace

void endBeforeNext(std::vector<Object>& objects) {
    std::stable_sort(objects.begin(), objects.end(), [](const Object& a, const Object& b) { return a.born < b.born; });
    std::map<std::uint64_t, Object*> alive;  // by base
    for (Object& o : objects) {
        if (o.born == o.died) continue;
        auto other = alive.upper_bound(o.base.value);
        if (other != alive.begin() && reaches(*std::prev(other)->second, o.base)) --other;
        while (other != alive.end() && (other->first < o.base.value || reaches(o, ByteAddress{other->first}))) {
            Object& before = *other->second;
            before.died = std::min(before.died, o.born);
            other = alive.erase(other);
        }
        alive.insert_or_assign(o.base.value, &o);
    }
    std::sort(objects.begin(), objects.end(),
              [](const Object& a, const Object& b) { return std::pair(a.base, a.born) < std::pair(b.base, b.born); });
}

}  // namespace whorl::sim
