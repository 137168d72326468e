// What a static binary must settle with its host before anything else.
#pragma once

namespace keelson::program {

// A broken pipe is an error of a write, not the end of the process; as many descriptors as the host allows; names are
// resolved by /etc/hosts and DNS alone; the memory, which holds keys, goes into no core dump.
void prepare_process();

}  // namespace keelson::program
