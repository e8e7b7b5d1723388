// The functions that gfortran calls for STOP, ERROR STOP and CALL EXIT. Those of the Fortran library would end the
// process, and with it all ranks. These end only the calling rank, with the same message and code, as smpicc does for
// exit().

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" {

[[noreturn]] void smpi_exit(int code);

[[noreturn]] void _gfortran_stop_numeric(int code, bool quiet) {
  if (!quiet) std::fprintf(stderr, "STOP %d\n", code);
  smpi_exit(code);
}

[[noreturn]] void _gfortran_error_stop_numeric(int code, bool quiet) {
  if (!quiet) std::fprintf(stderr, "ERROR STOP %d\n", code);
  smpi_exit(code);
}

[[noreturn]] void _gfortran_stop_string(char const* text, std::size_t length, bool quiet) {
  if (!quiet && text != nullptr) std::fprintf(stderr, "STOP %.*s\n", static_cast<int>(length), text);
  smpi_exit(0);
}

[[noreturn]] void _gfortran_error_stop_string(char const* text, std::size_t length, bool quiet) {
  if (!quiet) std::fprintf(stderr, "ERROR STOP %.*s\n", static_cast<int>(length), text);
  smpi_exit(1);
}

// The status is 0 where it is left out.

[[noreturn]] void _gfortran_exit_i4(std::int32_t const* status) { smpi_exit(status == nullptr ? 0 : *status); }

[[noreturn]] void _gfortran_exit_i8(std::int64_t const* status) {
  smpi_exit(status == nullptr ? 0 : static_cast<int>(*status));
}

}  // extern "C"
