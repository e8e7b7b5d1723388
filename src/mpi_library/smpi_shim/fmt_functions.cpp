// Functions of fmt. Debian has them only in a shared library, but librondo_mpi must not depend on one.

#include <fmt/format-inl.h>

namespace fmt::detail {
template char decimal_point_impl<char>(locale_ref);
template thousands_sep_result<char> thousands_sep_impl<char>(locale_ref);
}  // namespace fmt::detail
