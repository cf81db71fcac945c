#pragma once
// Half precision (IEEE binary16) as it stands in memory, alone or as a Complex<Half>. Nothing is computed in it: a block
// widens what it loads and rounds what it stores.
namespace skipper::kernel {

struct Half {
  unsigned short bits;
};

}  // namespace skipper::kernel
