// c = a + b, several times: three streams that conflict in a direct-mapped cache if the arrays are aligned alike.
#pragma once

namespace whorl::sim::kernels {

// listing
void addRepeatedly(auto& a, auto& b, auto& c, auto& x, auto& y, auto& z, int n, int times) {
    x(0) += 1;
    y(0) += 1;
    for (int t = 0; t < times; ++t) {
        for (int i = 0; i < n; ++i) {
            c(i) = a(i) + b(i);
        }
        if (t == 0) z(0) = 1;
    }
}
// end

}  // namespace whorl::sim::kernels
