// `keelson-sandbox`: the API server in one process, as a program.
#include <algorithm>

#include "keelson/program/process.hpp"
#include "src/sandbox_program/program.hpp"

int main(int argc, char** argv) {
  const auto inherited = keelson::sandbox_program::Inheritance::take();
  keelson::program::prepare_process();
  return keelson::sandbox_program::run_program({argv + std::min(argc, 1), argv + argc}, inherited);
}
