// Merge sort: sorts each half, then merges both into a temporary array and copies the result back.
#pragma once

namespace whorl::sim::kernels {

// listing
void merge(auto& a, auto& temp, int from, int middle, int to) {
    int left = from;
    int right = middle;
    for (int i = from; i < to; ++i) {
        if (right == to || (left < middle && a(left) <= a(right))) {
            temp(i) = a(left++);
        } else {
            temp(i) = a(right++);
        }
    }
    for (int i = from; i < to; ++i) {
        a(i) = temp(i);
    }
}

void mergeSort(auto& a, auto& temp, int from, int to) {
    if (to - from < 2) return;
    const int middle = from + (to - from) / 2;
    mergeSort(a, temp, from, middle);
    mergeSort(a, temp, middle, to);
    merge(a, temp, from, middle, to);
}
// end

}  // namespace whorl::sim::kernels
