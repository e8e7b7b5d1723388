! What SMPI's mpif.h lacks for librondo_mpi, which supplies MPI's
! functions in Fortran too. Compile with -I of this folder, by smpiff
! or smpif90, and link with the library as a program in C.

      include 'smpi/mpif.h'

      integer MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1)
      common /rondo_mpi_unweighted/ MPI_UNWEIGHTED
      common /rondo_mpi_weights_empty/ MPI_WEIGHTS_EMPTY

      integer MPI_ERR_NOT_SAME
      parameter(MPI_ERR_NOT_SAME=39)
