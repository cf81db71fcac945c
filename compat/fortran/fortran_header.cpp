// Writes the headers of Fortran from the declarations in fftw3.h: fftw3.f03, with constants, the types of dimensions, and an
// interface for every function in both precisions, and fftw3.f, with the constants alone, in fixed form.
//   fortran_header <fftw3.h> <folder>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Precision {
  std::string prefix, real, complex;
};

struct Parameter {
  std::string type, name;
};

struct Function {
  std::string result, name;
  std::vector<Parameter> parameters;
};

std::string trimmed(std::string const& text) {
  std::size_t const first = text.find_first_not_of(" \n\\"), last = text.find_last_not_of(" \n\\");
  return first == text.npos ? "" : text.substr(first, last - first + 1);
}

std::string squeezed(std::string const& text) {
  return trimmed(std::regex_replace(text, std::regex("[ \\\\\n]+"), " "));
}

/// Commas outside brackets.
std::vector<std::string> split_parameters(std::string const& list) {
  std::vector<std::string> parts = {""};
  int depth = 0;
  for (char const c : list) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& part : parts) part = trimmed(part);
  if (parts.size() == 1 && (parts[0] == "void" || parts[0].empty())) parts.clear();
  return parts;
}

Parameter parameter(std::string const& text) {
  std::smatch m;
  if (std::regex_search(text, m, std::regex("^void \\(\\*(\\w+)\\)\\("))) return {"function", m[1]};
  if (!std::regex_match(text, m, std::regex("(.*?[ *])(\\w+)")))
    throw std::runtime_error("cannot read: " + text);
  return {std::regex_replace(trimmed(m[1]), std::regex(" +\\*"), "*"), m[2]};
}

/// The functions that SKIPPER_FFTW_DECLARE declares.
std::vector<Function> functions(std::string const& header) {
  std::size_t const begin = header.find("#define SKIPPER_FFTW_DECLARE"),
                    end = header.find("\nSKIPPER_FFTW_DECLARE(");
  std::vector<Function> all;
  std::istringstream stream(squeezed(header.substr(begin, end - begin)));
  std::regex const form("(.*?) X\\((\\w+)\\)\\((.*)\\)");
  for (std::string text; std::getline(stream, text, ';');) {
    std::string const line = trimmed(text);
    std::smatch m;
    if (line.starts_with("#") || line.starts_with("typedef") || line.starts_with("extern")) continue;
    if (!std::regex_match(line, m, form)) continue;
    Function function{trimmed(m[1]), m[2], {}};
    for (std::string const& part : split_parameters(m[3])) function.parameters.push_back(parameter(part));
    all.push_back(function);
  }
  return all;
}

std::string fortran_type(std::string const& c, Precision const& p) {
  std::string const array = ", dimension(*), intent(in)", open = ", dimension(*), intent(inout)";
  if (c == "int" || c == "unsigned") return "integer(C_INT), value";
  if (c == "size_t") return "integer(C_SIZE_T), value";
  if (c == "double") return "real(C_DOUBLE), value";
  if (c == "double*") return "real(C_DOUBLE), intent(out)";
  if (c == "X(r2r_kind)") return "integer(C_FFTW_R2R_KIND), value";
  if (c == "const int*") return "integer(C_INT)" + array;
  if (c == "const X(r2r_kind)*") return "integer(C_FFTW_R2R_KIND)" + array;
  if (c == "const X(iodim)*") return "type(" + p.prefix + "_iodim)" + array;
  if (c == "const X(iodim64)*") return "type(" + p.prefix + "_iodim64)" + array;
  if (c == "const char*") return "character(C_CHAR)" + array;
  if (c == "R*") return "real(" + p.real + ")" + open;
  if (c == "C*") return "complex(" + p.complex + ")" + open;
  if (c == "function" || c == "X(write_char_func)" || c == "X(read_char_func)")
    return "type(C_FUNPTR), value";
  if (c == "void*" || c == "FILE*" || c == "X(plan)" || c == "const X(plan)") return "type(C_PTR), value";
  throw std::runtime_error("no type in Fortran for: " + c);
}

std::string result_type(std::string const& c) {
  if (c == "int") return "integer(C_INT)";
  if (c == "double") return "real(C_DOUBLE)";
  return "type(C_PTR)";
}

void write(std::ostream& out, Function const& f, Precision const& p) {
  bool const subroutine = f.result == "void";
  std::string const kind = subroutine ? "subroutine" : "function", name = p.prefix + "_" + f.name;
  out << "    " << (subroutine ? "" : result_type(f.result) + " ") << kind << " " << name << "(";
  for (std::size_t i = 0; i < f.parameters.size(); ++i)
    out << (i ? ", " : "") << (i % 6 == 5 ? "&\n      " : "") << f.parameters[i].name;
  out << ") &\n      bind(C, name='" << name << "')\n      import\n";
  for (Parameter const& parameter : f.parameters)
    out << "      " << fortran_type(parameter.type, p) << " :: " << parameter.name << "\n";
  out << "    end " << kind << " " << name << "\n";
}

struct Constant {
  std::string name;
  long value;
};

/// #define NAME (value) and enumerators.
std::vector<Constant> constants(std::string const& header) {
  std::vector<Constant> all;
  std::regex const define("#define (FFTW_[A-Z_0-9]+) \\((?:(\\d+)U|1U << (\\d+)|([+-]\\d+))\\)");
  std::regex const enumerator("(FFTW_[A-Z0-9]+) = (\\d+)");
  for (std::sregex_iterator it(header.begin(), header.end(), define), end; it != end; ++it) {
    std::smatch const& m = *it;
    all.push_back({m[1], m[2].matched   ? std::stol(m[2])
                         : m[3].matched ? 1L << std::stol(m[3])
                                        : std::stol(m[4])});
  }
  for (std::sregex_iterator it(header.begin(), header.end(), enumerator), end; it != end; ++it)
    all.push_back({(*it)[1], std::stol((*it)[2])});
  return all;
}

void write_types(std::ostream& out, Precision const& p) {
  for (auto const& [name, kind] : {std::pair("_iodim", "C_INT"), std::pair("_iodim64", "C_INTPTR_T")})
    out << "  type, bind(C) :: " << p.prefix << name << "\n    integer(" << kind << ") n, is, os\n  end type "
        << p.prefix << name << "\n";
}

void write_modern(std::ostream& out, std::string const& header) {
  std::vector<Function> const all = functions(header);
  if (all.size() != 72)
    throw std::runtime_error("found " + std::to_string(all.size()) + " functions in fftw3.h, not 72");
  out << "! The interface of FFTW 3.3 for Fortran 2003: include it after `use, intrinsic :: iso_c_binding`.\n"
         "! Written by compat/fortran/fortran_header.cpp from fftw3.h.\n"
         "  integer, parameter :: C_FFTW_R2R_KIND = C_INT\n";
  for (Constant const& c : constants(header))
    out << "  integer(C_INT), parameter :: " << c.name << " = " << c.value << "\n";
  out << "  real(C_DOUBLE), parameter :: FFTW_NO_TIMELIMIT = -1.0d0\n";
  for (Precision const& p : {Precision{"fftw", "C_DOUBLE", "C_DOUBLE_COMPLEX"},
                             Precision{"fftwf", "C_FLOAT", "C_FLOAT_COMPLEX"}}) {
    write_types(out, p);
    out << "  interface\n";
    for (Function const& function : all) write(out, function, p);
    out << "  end interface\n";
  }
}

void write_legacy(std::ostream& out, std::string const& header) {
  for (Constant const& c : constants(header))
    out << "      INTEGER " << c.name << "\n      PARAMETER (" << c.name << "=" << c.value << ")\n";
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::runtime_error("usage: fortran_header <fftw3.h> <folder>");
  std::ifstream in(argv[1]);
  std::stringstream text;
  text << in.rdbuf();
  std::ofstream modern(argv[2] + std::string("/fftw3.f03")), legacy(argv[2] + std::string("/fftw3.f"));
  write_modern(modern, text.str());
  write_legacy(legacy, text.str());
  return modern.flush() && legacy.flush() ? 0 : 1;
} catch (std::exception const& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
