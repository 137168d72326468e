// `keelson-sandbox diff-against KUBECONFIG -f FILE`: where an API server in this process and a real cluster answer the
// same dry-run creates differently.
//
// The cluster is not changed. Its definitions of the files' custom kinds are copied into the process.
#pragma once

#include <string>
#include <vector>

#include "keelson/detail/cli/command_line.hpp"

namespace keelson::sandbox_program {

inline constexpr cli::Flag kDiffFlags[] = {
    {"f", "FILE", "Compare the objects of this YAML or JSON file. Can be repeated.", true},
};

inline constexpr cli::Command kDiffCommand = {
    "diff-against", "KUBECONFIG", "Print where this server and a cluster answer the same dry-run creates differently.",
    kDiffFlags,
    "Sends each object as a dry-run create to the cluster of the kubeconfig, and to this server without controllers,\n"
    "which gets the cluster's definitions of the objects' custom kinds. Prints the differences of status, message and\n"
    "stored fields. Uids, versions, times, and the addresses, ports and names that a server selects are not compared.\n"
    "\n"
    "Exit status: 0 the answers are equal, 1 some differ, 2 an object cannot be compared: it exists in the cluster, "
    "the\n"
    "cluster does not have its kind or does not answer, or the command line is invalid."};

// Returns the exit status.
int diff_command(const cli::Console& console, const std::vector<std::string>& words);

}  // namespace keelson::sandbox_program
