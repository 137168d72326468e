// What the cells of tables show: pieces of objects as the printers of the real server format them.
#pragma once

#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "src/sandbox/tree.hpp"

namespace keelson::sandbox {

using async::WallTime;

// How long ago a metav1.Time was: "5m"; "<unknown>" when there is none.
[[nodiscard]] std::string since(const Tree* time, WallTime now);
// Between two times, or until now when there is no second; empty without a first.
[[nodiscard]] std::string between(const Tree* begin, const Tree* end, WallTime now);

// The text of a string or number at a path, else `otherwise`.
[[nodiscard]] std::string text_or(const Tree* value, const std::string& otherwise);
[[nodiscard]] const std::vector<Tree>& items_at(const Tree& object, std::initializer_list<std::string_view> path);
[[nodiscard]] std::size_t size_at(const Tree& object, std::initializer_list<std::string_view> path);

// The values of one member of every entry of a list, joined by commas: the names or images of containers.
[[nodiscard]] std::string joined_members(const std::vector<Tree>& list, const char* member);

// "a=b,c=d" in order of the names; "<none>" for none.
[[nodiscard]] std::string labels_text(const Tree* labels);
// metav1.LabelSelector in the same way, its expressions included.
[[nodiscard]] std::string selector_text(const Tree* selector);

// The condition of that type is True.
[[nodiscard]] bool has_condition(const Tree& object, std::string_view type);

// "a,b,c", or "a,b + 3 more..." when there are more than `most`.
[[nodiscard]] std::string some_of(const std::vector<std::string>& list, std::size_t most);

}  // namespace keelson::sandbox
