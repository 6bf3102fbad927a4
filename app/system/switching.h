// SIGUSR1, which stops and begins a recording.
#pragma once

namespace whorl::app {

/// From now on, SIGUSR1 does not end this program, but is counted, from 0. Programs that it starts are not concerned.
void countSwitches();
/// How often it came.
unsigned countedSwitches();

}  // namespace whorl::app
