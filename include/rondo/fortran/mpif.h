! What SMPI's mpif.h lacks for librondo_mpi, which supplies MPI's
! functions in Fortran too. Compile with -I of this folder, by smpiff
! or smpif90, and link with the library as a program in C.

      include 'smpi/mpif.h'

      integer MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1)
      common /rondo_mpi_unweighted/ MPI_UNWEIGHTED
      common /rondo_mpi_weights_empty/ MPI_WEIGHTS_EMPTY

! Error classes of windows and files.
      integer MPI_ERR_PORT, MPI_ERR_SERVICE, MPI_ERR_SIZE, MPI_ERR_DISP
      integer MPI_ERR_INFO, MPI_ERR_LOCKTYPE, MPI_ERR_ASSERT
      integer MPI_ERR_FILE, MPI_ERR_NOT_SAME, MPI_ERR_AMODE
      integer MPI_ERR_UNSUPPORTED_DATAREP
      integer MPI_ERR_UNSUPPORTED_OPERATION, MPI_ERR_NO_SUCH_FILE
      integer MPI_ERR_FILE_EXISTS, MPI_ERR_BAD_FILE, MPI_ERR_ACCESS
      integer MPI_ERR_NO_SPACE, MPI_ERR_QUOTA, MPI_ERR_READ_ONLY
      integer MPI_ERR_FILE_IN_USE, MPI_ERR_DUP_DATAREP
      integer MPI_ERR_CONVERSION, MPI_ERR_IO, MPI_ERR_RMA_ATTACH
      integer MPI_ERR_RMA_CONFLICT, MPI_ERR_RMA_RANGE
      integer MPI_ERR_RMA_SHARED, MPI_ERR_RMA_SYNC, MPI_ERR_RMA_FLAVOR
      parameter(MPI_ERR_PORT=29)
      parameter(MPI_ERR_SERVICE=30)
      parameter(MPI_ERR_SIZE=31)
      parameter(MPI_ERR_DISP=32)
      parameter(MPI_ERR_INFO=33)
      parameter(MPI_ERR_LOCKTYPE=34)
      parameter(MPI_ERR_ASSERT=35)
      parameter(MPI_ERR_FILE=38)
      parameter(MPI_ERR_NOT_SAME=39)
      parameter(MPI_ERR_AMODE=40)
      parameter(MPI_ERR_UNSUPPORTED_DATAREP=41)
      parameter(MPI_ERR_UNSUPPORTED_OPERATION=42)
      parameter(MPI_ERR_NO_SUCH_FILE=43)
      parameter(MPI_ERR_FILE_EXISTS=44)
      parameter(MPI_ERR_BAD_FILE=45)
      parameter(MPI_ERR_ACCESS=46)
      parameter(MPI_ERR_NO_SPACE=47)
      parameter(MPI_ERR_QUOTA=48)
      parameter(MPI_ERR_READ_ONLY=49)
      parameter(MPI_ERR_FILE_IN_USE=50)
      parameter(MPI_ERR_DUP_DATAREP=51)
      parameter(MPI_ERR_CONVERSION=52)
      parameter(MPI_ERR_IO=53)
      parameter(MPI_ERR_RMA_ATTACH=54)
      parameter(MPI_ERR_RMA_CONFLICT=55)
      parameter(MPI_ERR_RMA_RANGE=56)
      parameter(MPI_ERR_RMA_SHARED=57)
      parameter(MPI_ERR_RMA_SYNC=58)
      parameter(MPI_ERR_RMA_FLAVOR=59)

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
