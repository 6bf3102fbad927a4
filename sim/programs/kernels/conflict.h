// c = a + b: three concurrent streams, which conflict in a direct-mapped cache if the arrays are aligned alike.
#pragma once

namespace whorl::sim::kernels {

// listing
void add(auto& a, auto& b, auto& c, int n) {
    for (int i = 0; i < n; ++i) {
        c(i) = a(i) + b(i);
    }
}
// end

}  // namespace whorl::sim::kernels
