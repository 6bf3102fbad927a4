// c = a + b: three streams at a time, which a direct-mapped cache cannot hold when the arrays are aligned alike.
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
