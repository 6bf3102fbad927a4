// Initialises a new array.
#pragma once

namespace whorl::sim::kernels {

// listing
void initialize(auto& a, int n) {
    for (int i = 0; i < n; ++i) {
        a(i) = 1.0;
    }
}
// end

}  // namespace whorl::sim::kernels
