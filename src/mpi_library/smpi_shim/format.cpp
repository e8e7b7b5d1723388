// fmt's functions, which Debian has as a shared library only: librondo_mpi stands alone.

#include <fmt/format-inl.h>

namespace fmt::detail {
template char decimal_point_impl<char>(locale_ref);
template thousands_sep_result<char> thousands_sep_impl<char>(locale_ref);
}  // namespace fmt::detail
