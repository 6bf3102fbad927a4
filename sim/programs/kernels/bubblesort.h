// Bubble sort: ever shorter sweeps, each of which moves the largest remaining element to its place.
#pragma once

namespace whorl::sim::kernels {

// listing
void bubbleSort(auto& a, int n) {
    for (int last = n - 1; last > 0; --last) {
        for (int i = 0; i < last; ++i) {
            if (a(i) > a(i + 1)) {
                const int larger = a(i);
                a(i) = a(i + 1);
                a(i + 1) = larger;
            }
        }
    }
}
// end

}  // namespace whorl::sim::kernels
