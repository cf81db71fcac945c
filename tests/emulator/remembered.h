#pragma once
// A way to know a spec at run time (src/kernel/known.h): one instantiation of the kernel runs any program. Tables are worked out
// once a launch: threads ask for them again and again, register by register, which would be a quarter of all work.
#include "kernel/known.h"

#include <array>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace skipper::emulator {

struct Remembered {
  kernel::SweepSpec const* spec;
  unsigned long launch;  // no two have the same: another spec may come to stand where one stood
};

template <auto Query, class... Args>
auto get(Remembered r, Args... args) {
  return Query(*r.spec, args...);
}

/// What tells apart two questions of one type.
template <class A>
long long number_of(A a) {
  if constexpr (requires { A::value; })
    return 0;
  else
    return static_cast<long long>(a);
}

/// The answers of one launch, whatever their type: one class serves all queries, and is compiled once.
class Answers {
 public:
  using Question = std::array<long long, 4>;

  /// Null where the question is new. Forgets the answers of another launch.
  void const* find(unsigned long launch, Question const& question) {
    if (launch_ != launch) launch_ = launch, answers_.clear();
    for (Answer const& a : answers_) {
      bool same = true;  // std::array's comparison is a call
      for (std::size_t i = 0; i < question.size(); ++i) same = same && a.question[i] == question[i];
      if (same) return a.table.get();
    }
    return nullptr;
  }
  void const* keep(Question const& question, std::shared_ptr<void const> table) {
    return answers_.emplace_back(Answer{question, std::move(table)}).table.get();
  }

 private:
  struct Answer {
    Question question;
    std::shared_ptr<void const> table;
  };
  unsigned long launch_ = 0;
  std::vector<Answer> answers_;
};

template <auto Query, class... Args>
auto const& aggregate(Remembered r, Args... args) {
  using Table = decltype(Query(*r.spec, args...));
  if constexpr (std::is_reference_v<Table>) {  // a part of the spec
    return Query(*r.spec, args...);
  } else {
    thread_local Answers known[2];  // two specs of one kernel, with numbers side by side, are run by turns
    Answers& answers = known[r.launch % 2];
    Answers::Question const question{number_of(args)...};
    void const* found = answers.find(r.launch, question);
    if (!found) found = answers.keep(question, std::make_shared<Table const>(Query(*r.spec, args...)));
    return *static_cast<Table const*>(found);
  }
}

}  // namespace skipper::emulator
