// The main function of a program that writes the reference pages of an operator.
//
// Purpose: `reference --output DIR` writes a page in Markdown for each kind of the controllers (fields, limits,
// defaults, rules, columns, sample), one of the flags, and an index. They follow from the declarations, so they are
// always complete.
//
// Link it into a program of its own, so that the operator stays small. It needs no cluster, and writes only into DIR:
// files with other names are left alone.
//
// Example (test/examples/reference.cpp#reference):
//   // `int main(int argc, char** argv)` returns this.
//   int write_reference(int argc, char** argv) {
//     return run_reference(argc, argv, {controller_for<core::v1::Namespace>(observe)});
//   }
#pragma once

#include <vector>

#include "keelson/controller/definition.hpp"

namespace keelson {

// Returns the exit code: 0, 1 if a page could not be written, 2 for an invalid command line. The reason is on stderr.
[[nodiscard]] int run_reference(int argc, char** argv, std::vector<controller::Definition> controllers);

}  // namespace keelson
