// FFTW's wisdom calls, over wisdom.h: every way in and out is a stream of characters.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "wisdom.h"

namespace skipper::fftw3 {
namespace {

/// Reads one bracketed expression, and nothing after it.
template <class ReadChar>
bool import_from(ReadChar const& read_char) {
  std::string text;
  int depth = 0;
  for (int c = read_char(); c != EOF; c = read_char()) {
    text += static_cast<char>(c);
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) break;
    if (depth == 0 && !std::strchr(" \t\r\n", c)) return false;
  }
  return Wisdom::instance().import(text);
}

bool import_from_file(std::FILE* file) {
  return file && import_from([file] { return std::fgetc(file); });
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OwnFile = std::unique_ptr<std::FILE, CloseFile>;

bool import_from_name(char const* name) {
  OwnFile const file(name ? std::fopen(name, "r") : nullptr);
  return import_from_file(file.get());
}

/// Runs what may run out of memory; then it has failed.
template <class Work>
bool attempt(Work const& work) noexcept {
  try {
    return work();
  } catch (...) {
    return false;
  }
}

bool write_to(std::FILE* file) {
  std::string const text = Wisdom::instance().exported();
  return file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
}

}  // namespace
}  // namespace skipper::fftw3

using namespace skipper::fftw3;

extern "C" {

void FFTW_NAME(forget_wisdom)(void) { Wisdom::instance().forget(); }

int FFTW_NAME(export_wisdom_to_filename)(const char* filename) {
  return attempt([&] {
    OwnFile file(filename ? std::fopen(filename, "w") : nullptr);
    return write_to(file.get()) && std::fclose(file.release()) == 0;
  });
}

void FFTW_NAME(export_wisdom_to_file)(FILE* output_file) {
  attempt([&] { return write_to(output_file); });
}

char* FFTW_NAME(export_wisdom_to_string)(void) {
  char* result = nullptr;
  attempt([&] { return (result = strdup(Wisdom::instance().exported().c_str())) != nullptr; });
  return result;
}

void FFTW_NAME(export_wisdom)(FFTW_NAME(write_char_func) write_char, void* data) {
  attempt([&] {
    for (char const c : Wisdom::instance().exported()) write_char(c, data);
    return true;
  });
}

int FFTW_NAME(import_system_wisdom)(void) {
  return attempt(
      [] { return import_from_name(sizeof(Real) == 4 ? "/etc/fftw/wisdomf" : "/etc/fftw/wisdom"); });
}

int FFTW_NAME(import_wisdom_from_filename)(const char* filename) {
  return attempt([&] { return import_from_name(filename); });
}

int FFTW_NAME(import_wisdom_from_file)(FILE* input_file) {
  return attempt([&] { return import_from_file(input_file); });
}

int FFTW_NAME(import_wisdom_from_string)(const char* input_string) {
  return attempt([&] {
    char const* next = input_string;
    return next && import_from([&next] { return *next ? static_cast<unsigned char>(*next++) : EOF; });
  });
}

int FFTW_NAME(import_wisdom)(FFTW_NAME(read_char_func) read_char, void* data) {
  return attempt([&] { return import_from([&] { return read_char(data); }); });
}

}  // extern "C"
