// Writes the headers of Fortran from the declarations of C's: from fftw3.h fftw3.f03, with constants, the types of dimensions, and
// an interface for every function in both precisions, and fftw3.f, with the constants alone, in fixed form; from fftw3-mpi.h
// fftw3-mpi.f03, whose functions take a communicator of Fortran.
//   fortran_header <fftw3.h> <fftw3-mpi.h> <folder>
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

std::string contents(std::string const& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
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

/// The functions that a macro declares, whose parameter `mangle` makes their names.
std::vector<Function> functions(std::string const& header, std::string const& macro,
                                std::string const& mangle, std::size_t count) {
  std::size_t const begin = header.find("#define " + macro), end = header.find("\n" + macro + "(");
  std::vector<Function> all;
  std::istringstream stream(squeezed(header.substr(begin, end - begin)));
  std::regex const form("(?:#define .*? )?((?:const )?\\S+) " + mangle + "\\((\\w+)\\)\\((.*)\\)");
  for (std::string text; std::getline(stream, text, ';');) {
    std::string const line = trimmed(text);
    std::smatch m;
    if (line.starts_with("typedef") || line.starts_with("extern")) continue;
    if (!std::regex_match(line, m, form)) continue;
    Function function{trimmed(m[1]), m[2], {}};
    for (std::string const& part : split_parameters(m[3])) function.parameters.push_back(parameter(part));
    all.push_back(function);
  }
  if (all.size() != count)
    throw std::runtime_error("found " + std::to_string(all.size()) + " functions of " + macro + ", not " +
                             std::to_string(count));
  return all;
}

std::string fortran_type(std::string const& c, Precision const& p) {
  std::string const array = ", dimension(*), intent(in)", open = ", dimension(*), intent(inout)";
  if (c == "int" || c == "unsigned") return "integer(C_INT), value";
  if (c == "size_t") return "integer(C_SIZE_T), value";
  if (c == "ptrdiff_t") return "integer(C_INTPTR_T), value";
  if (c == "const ptrdiff_t*") return "integer(C_INTPTR_T)" + array;
  if (c == "ptrdiff_t*") return "integer(C_INTPTR_T), intent(out)";
  if (c == "MPI_Comm") return "integer(C_INT32_T), value";
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
  if (c == "ptrdiff_t") return "integer(C_INTPTR_T)";
  return "type(C_PTR)";
}

/// What a call with a communicator of Fortran is named by.
std::string suffix(Function const& f) {
  for (Parameter const& parameter : f.parameters)
    if (parameter.type == "MPI_Comm") return "_f03";
  return "";
}

void write(std::ostream& out, Function const& f, Precision const& p) {
  bool const subroutine = f.result == "void";
  std::string const kind = subroutine ? "subroutine" : "function", name = p.prefix + "_" + f.name;
  out << "    " << (subroutine ? "" : result_type(f.result) + " ") << kind << " " << name << "(";
  for (std::size_t i = 0; i < f.parameters.size(); ++i)
    out << (i ? ", " : "") << (i % 6 == 5 ? "&\n      " : "") << f.parameters[i].name;
  out << ") &\n      bind(C, name='" << name << suffix(f) << "')\n      import\n";
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
  std::vector<Function> const all = functions(header, "SKIPPER_FFTW_DECLARE", "X", 72);
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

void write_mpi(std::ostream& out, std::string const& header) {
  std::vector<Function> const all = functions(header, "SKIPPER_FFTW_MPI_DECLARE", "M", 37);
  out << "! The interface of FFTW 3.3's MPI part for Fortran 2003: include it after fftw3.f03. Communicators "
         "are those of mpif.h and\n"
         "! `use mpi`; of `use mpi_f08` their MPI_VAL. Written by compat/fortran/fortran_header.cpp from "
         "fftw3-mpi.h.\n"
         "  integer(C_INTPTR_T), parameter :: FFTW_MPI_DEFAULT_BLOCK = 0\n";
  for (Constant const& c : constants(header))
    if (c.name != "FFTW_MPI_DEFAULT_BLOCK")
      out << "  integer(C_INT), parameter :: " << c.name << " = " << c.value << "\n";
  for (Precision const& p : {Precision{"fftw_mpi", "C_DOUBLE", "C_DOUBLE_COMPLEX"},
                             Precision{"fftwf_mpi", "C_FLOAT", "C_FLOAT_COMPLEX"}}) {
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
  if (argc != 4) throw std::runtime_error("usage: fortran_header <fftw3.h> <fftw3-mpi.h> <folder>");
  std::string const header = contents(argv[1]), folder = argv[3];
  std::ofstream modern(folder + "/fftw3.f03"), legacy(folder + "/fftw3.f"), mpi(folder + "/fftw3-mpi.f03");
  write_modern(modern, header);
  write_legacy(legacy, header);
  write_mpi(mpi, contents(argv[2]));
  return modern.flush() && legacy.flush() && mpi.flush() ? 0 : 1;
} catch (std::exception const& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
