// All pages of docs/reference/, generated from the program's tables, in the order of the index.
#pragma once

#include <string>
#include <vector>

namespace keelson::reference {

struct Page {
  std::string file;   // below docs/reference: "cronjob.md"
  std::string title;  // in the index
  std::string content;
};

// The index (README.md) comes last.
[[nodiscard]] std::vector<Page> pages();

}  // namespace keelson::reference
