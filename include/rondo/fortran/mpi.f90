! The module of sources that say "use mpi": compile it before them, in
! place of SMPI's, which lacks what mpif.h here adds.
module mpi
  include 'mpif.h'
end module mpi
