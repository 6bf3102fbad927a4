// C = C + A B, block by block, so that only three small blocks are in use at a time.
#pragma once

#include <algorithm>

namespace whorl::sim::kernels {

// listing
void multiplyBlocked(auto& A, auto& B, auto& C, int n, int block) {
    for (int i0 = 0; i0 < n; i0 += block) {
        for (int j0 = 0; j0 < n; j0 += block) {
            for (int k0 = 0; k0 < n; k0 += block) {
                const int iEnd = std::min(i0 + block, n);
                const int jEnd = std::min(j0 + block, n);
                const int kEnd = std::min(k0 + block, n);
                for (int i = i0; i < iEnd; ++i) {
                    for (int j = j0; j < jEnd; ++j) {
                        double sum = 0;
                        for (int k = k0; k < kEnd; ++k) {
                            sum += A(i, k) * B(k, j);
                        }
                        C(i, j) += sum;
                    }
                }
            }
        }
    }
}
// end

}  // namespace whorl::sim::kernels
