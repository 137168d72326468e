// The cells of tables: values of objects, formatted as by the printers of kube-apiserver.
#pragma once

#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

using async::WallTime;

// The age of a metav1.Time: "5m"; "<unknown>" if it is absent.
[[nodiscard]] std::string since(const Tree* time, WallTime now);
// The duration between two times, or until now if the second is absent; empty if the first is absent.
[[nodiscard]] std::string between(const Tree* begin, const Tree* end, WallTime now);

// The text of a string or number at a path, or else `otherwise`.
[[nodiscard]] std::string text_or(const Tree* value, const std::string& otherwise);
[[nodiscard]] std::size_t size_at(const Tree& object, std::initializer_list<std::string_view> path);

// The values of one member of each list entry, joined by commas: the names or images of containers.
[[nodiscard]] std::string joined_members(const std::vector<Tree>& list, const char* member);

// "a=b,c=d", sorted by name; "<none>" if empty.
[[nodiscard]] std::string labels_text(const Tree* labels);
// A metav1.LabelSelector in the same form, including its expressions.
[[nodiscard]] std::string selector_text(const Tree* selector);

// "a,b,c", or "a,b + 3 more..." if there are more than `most`.
[[nodiscard]] std::string some_of(const std::vector<std::string>& list, std::size_t most);

}  // namespace keelson::sandbox
