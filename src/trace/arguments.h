#pragma once
// What a kernel that is no sweep is launched with, where its text is recorded: a parameter for each field of its arguments, in
// their order, an array of sizes as one each. As bytes they lie where the fields of the host's struct lie.
#include <cstring>
#include <type_traits>

#include "kernel/arguments.h"
#include "trace/numbers.h"

namespace skipper::kernel {

template <>
struct ArgumentsOf<ir::Real> {
  template <class E>
  using Array = trace::Pointer<std::remove_const_t<E>>;
  using Size = ir::Index;
  using Count = ir::Index;
  using Double = trace::Double;
};

template <class E>
ir::Bool is_null(trace::Pointer<E> const& array) {
  return array.address == 0;
}
template <class T>
T rounded_to(ir::Real const& x) {
  return converted(x, ir::builder().real());
}

}  // namespace skipper::kernel

namespace skipper::trace {

/// f(name, field) for each, where arrays of sizes are one field a size.
template <class Args, class F>
void each_field(Args& args, F f) {
  Args::fields(args, [&]<class Field>(char const* name, Field& field) {
    if constexpr (std::is_array_v<Field>)
      for (std::size_t i = 0; i < std::extent_v<Field>; ++i) f(name + std::to_string(i), field[i]);
    else
      f(std::string(name), field);
  });
}

/// The parameter that stands for a field of the host's arguments.
template <class Field>
ir::Parameter parameter(std::string name) {
  if constexpr (std::is_pointer_v<Field>)
    return {std::move(name), ir::Type::i64};
  else if constexpr (std::is_integral_v<Field>)
    return {std::move(name), sizeof(Field) == 8 ? ir::Type::i64 : ir::Type::i32, sizeof(Field) == 8};
  else
    return {std::move(name), sizeof(Field) == 8 ? ir::Type::f64 : ir::Type::f32};
}

/// Of the host's struct, kernel::ColumnArgs<float> for one.
template <class Args>
std::vector<ir::Parameter> parameters() {
  std::vector<ir::Parameter> all;
  Args args{};
  each_field(
      args, [&]<class Field>(std::string name, Field&) { all.push_back(parameter<Field>(std::move(name))); });
  return all;
}

/// Their bit patterns.
template <class Args>
std::vector<std::int64_t> arguments(Args const& args) {
  std::vector<std::int64_t> all;
  auto copy = args;
  each_field(copy, [&]<class Field>(std::string const&, Field& field) {
    all.push_back(0);
    std::memcpy(&all.back(), &field, sizeof field);
  });
  return all;
}

/// Fields of the recorded text's struct, each as the next parameter.
class Arguments {
 public:
  template <class E>
  void operator()(std::string const&, Pointer<E>& array) {
    array = {next_index({0, max_size})};
  }
  void operator()(std::string const&, Index& size) {
    bool const is_count = ir::builder().header().parameters[std::size_t(next_)].type == ir::Type::i32;
    size = next_index({0, is_count ? max_count : max_size});
  }
  void operator()(std::string const&, Real& number) { number = Real::of(ir::builder().parameter(next_++)); }

 private:
  static constexpr std::int64_t max_size = std::int64_t(1) << 48;
  static constexpr std::int64_t max_count =
      INT32_MAX - 8;  // so that a count may be rounded up to a multiple of 8
  Index next_index(ir::Range range) { return Index::of(ir::builder().index_parameter(next_++, range)); }
  int next_ = 0;
};

}  // namespace skipper::trace
