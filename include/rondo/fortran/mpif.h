! What SMPI's mpif.h lacks for librondo_mpi, which supplies MPI's
! functions in Fortran too. Compile with -I of this folder, by smpiff
! or smpif90, and link with the library as a program in C.

      include 'smpi/mpif.h'

      integer MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1)
      common /rondo_mpi_unweighted/ MPI_UNWEIGHTED
      common /rondo_mpi_weights_empty/ MPI_WEIGHTS_EMPTY

      integer MPI_ERR_NOT_SAME
      parameter(MPI_ERR_NOT_SAME=39)

      integer MPI_KEYVAL_INVALID
      parameter(MPI_KEYVAL_INVALID=-9)

      integer MPI_MESSAGE_NULL, MPI_MESSAGE_NO_PROC
      parameter(MPI_MESSAGE_NULL=0)
      parameter(MPI_MESSAGE_NO_PROC=-1)

      integer MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE
      integer MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG
      parameter(MPI_DISTRIBUTE_BLOCK=0)
      parameter(MPI_DISTRIBUTE_NONE=1)
      parameter(MPI_DISTRIBUTE_CYCLIC=2)
      parameter(MPI_DISTRIBUTE_DFLT_DARG=-1)
