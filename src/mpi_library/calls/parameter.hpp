#pragma once

// The types of the parameters of functions in a header. functions/write.py, which generates code for these
// functions, knows only their names.

#include <cstddef>
#include <tuple>

namespace rondo::mpi {

/// The types of a function's parameters as a tuple. It is defined only for functions that return int and have a fixed
/// number of parameters.
template <typename Function>
struct ParametersOf;
template <typename... Types>
struct ParametersOf<int (*)(Types...)> {
  using All = std::tuple<Types...>;
};

/// The type of a parameter of a function, counted from 0.
template <auto function, std::size_t i>
using Parameter = std::tuple_element_t<i, typename ParametersOf<decltype(function)>::All>;

}  // namespace rondo::mpi
