// `keelson`: creates and updates projects for operators.
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/program/process.hpp"
#include "src/scaffold/program.hpp"

int main(int argc, char** argv) {
  keelson::program::prepare_process();
  std::error_code failure;
  const auto root = std::filesystem::current_path(failure);
  if (failure) {
    std::cerr << "keelson: the current folder does not exist\n";
    return EXIT_FAILURE;
  }
  const auto words = keelson::cli::words_of(argc, argv);
  const int code = keelson::scaffold::run_program(words, root, std::cin, std::cout, std::cerr);
  return keelson::cli::check_output(std::cout, std::cerr, code);
}
