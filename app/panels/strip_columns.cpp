#include "app/panels/strip_columns.h"

namespace whorl::app {

void drawHitRate(const StripRow& row, float x, const sim::Overview::Share& share, ImU32 colour, bool edge,
                 float thick) {
    if (share.requests == 0) return;
    const float rate = static_cast<float>(share.hits) / static_cast<float>(share.requests);
    const float top = row.top + (1 - rate) * row.height;
    const float end = row.top + row.height;
    const float bottom = edge ? std::min(top + thick, end) : end;
    ImGui::GetWindowDrawList()->AddRectFilled({x, std::min(top, bottom - thick)}, {x + 1, bottom}, colour);
}

}  // namespace whorl::app
