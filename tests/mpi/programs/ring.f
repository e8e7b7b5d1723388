C     A ring in fixed form and by mpif.h: each process hears from the
C     one before it. It stops with 1 where that is wrong.
      program ring
      implicit none
      include 'mpif.h'
      integer rank, ranks, graph, got, kind, ierr
      integer before(1), after(1)
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierr)
      before(1) = mod(rank + ranks - 1, ranks)
      after(1) = mod(rank + 1, ranks)
      call MPI_DIST_GRAPH_CREATE_ADJACENT(MPI_COMM_WORLD, 1, before,
     &     MPI_UNWEIGHTED, 1, after, MPI_UNWEIGHTED, MPI_INFO_NULL,
     &     .false., graph, ierr)
      call MPI_TOPO_TEST(graph, kind, ierr)
      call MPI_NEIGHBOR_ALLGATHER(rank, 1, MPI_INTEGER, got, 1,
     &     MPI_INTEGER, graph, ierr)
      if (kind .ne. MPI_DIST_GRAPH .or. got .ne. before(1)) stop 1
      call MPI_COMM_FREE(graph, ierr)
      call MPI_FINALIZE(ierr)
      end
