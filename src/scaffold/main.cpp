// `keelson`: creates and updates projects for operators.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "keelson/program/process.hpp"
#include "src/scaffold/program.hpp"

int main(int argc, char** argv) {
  keelson::program::prepare_process();
  std::error_code failure;
  const auto root = std::filesystem::current_path(failure);
  if (failure) {
    std::cerr << "keelson: the current folder does not exist\n";
    return EXIT_FAILURE;
  }
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const int code = keelson::scaffold::run_program(words, root, std::cin, std::cout, std::cerr);
  std::cout.flush();
  return std::cout ? code : EXIT_FAILURE;
}
