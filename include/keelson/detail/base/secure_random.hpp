// Texts that cannot be guessed, for passwords and tokens.
//
// In a reconcile use `pass.secure_random_text(24)`, and elsewhere Context::secure_random_text(): they are this
// function, but repeatable in a simulation.
//
// Example (test/examples/base.cpp#secure_random_text):
//   std::string new_token() { return "tok_" + base::secure_random_text(32); }
#pragma once

#include <cstddef>
#include <string>

#include "keelson/detail/base/random.hpp"

namespace keelson::base {

// `length` characters of A-Z, a-z and 0-9, each with the same probability: 5.95 bits per character, so 22 characters
// have the 128 bits of a strong key, and 24 have 142. There are no other characters, so the text needs no quoting in a
// shell, a URL, a connection string or a file of settings.
//
// The bytes are the kernel's (getrandom), which blocks only until the kernel has collected entropy after the machine
// has started. A kernel without it ends the process (KEELSON_ASSERT): no weaker source replaces it.
[[nodiscard]] std::string secure_random_text(std::size_t length);

// The same from another source, for simulations.
[[nodiscard]] std::string random_text(std::size_t length, const Entropy& entropy);

}  // namespace keelson::base
