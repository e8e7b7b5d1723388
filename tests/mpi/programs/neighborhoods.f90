! An MPI program in Fortran of what SMPI lacks: graphs, neighborhood collectives in all forms, lists of requests and of
! types, MPI_Comm_idup. It says "all is well" if every rank finds what it expects. On at least 3 processes.
program neighborhoods
  use mpi
  implicit none
  integer :: rank, ranks, before, after, wrong, all, ierr
  integer :: ring

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  wrong = 0
  before = mod(rank + ranks - 1, ranks)
  after = mod(rank + 1, ranks)
  call make_ring()
  call questions()
  call blocking()
  call lists_of_types()
  call requests()
  call started_again()
  call duplicates()
  call derived_types()
  call grids()
  call MPI_Comm_free(ring, ierr)
  call expect(ring == MPI_COMM_NULL, 'a freed communicator')
  call MPI_Allreduce(wrong, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (rank == 0 .and. all == 0) print *, 'all is well'
  call MPI_Finalize(ierr)
  if (all /= 0) stop 1

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    wrong = wrong + 1
    print *, 'rank', rank, what
  end subroutine

  ! A structure is padded, and its elements are one extent apart.
  subroutine derived_types()
    integer :: particle, pair, i
    integer(kind=MPI_ADDRESS_KIND) :: places(2), lower, extent
    double precision :: sent(6), got(6)
    places = [0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND]
    call MPI_Type_create_struct(2, [1, 1], places, [MPI_DOUBLE_PRECISION, MPI_INTEGER], particle, ierr)
    call MPI_Type_get_extent(particle, lower, extent, ierr)
    call expect(lower == 0 .and. extent == 16, 'the extent of a structure')
    call MPI_Type_free(particle, ierr)
    ! Every other number, twice.
    call MPI_Type_create_resized(MPI_DOUBLE_PRECISION, 0_MPI_ADDRESS_KIND, 16_MPI_ADDRESS_KIND, particle, ierr)
    call MPI_Type_contiguous(2, particle, pair, ierr)
    call MPI_Type_commit(pair, ierr)
    sent = [(dble(i), i = 1, 6)]
    got = 0
    call MPI_Sendrecv(sent, 1, pair, rank, 0, got, 1, pair, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call expect(.not. any(got /= [1d0, 0d0, 3d0, 0d0, 0d0, 0d0]), 'a type of resized types')
    call MPI_Type_free(pair, ierr)
    call MPI_Type_free(particle, ierr)
  end subroutine

  ! Every rank receives from both of its neighbors in rank order, and sends to both.
  subroutine make_ring()
    integer :: neighbors(2)
    neighbors = [before, after]
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, neighbors, MPI_UNWEIGHTED, 2, neighbors, MPI_UNWEIGHTED, &
                                        MPI_INFO_NULL, .false., ring, ierr)
    call expect(ierr == MPI_SUCCESS, 'a graph is made')
  end subroutine

  subroutine questions()
    integer :: kind, indegree, outdegree, sources(2), targets(2), graph, weights(2), other_weights(2)
    logical :: weighted
    call MPI_Topo_test(ring, kind, ierr)
    call expect(kind == MPI_DIST_GRAPH, 'MPI_DIST_GRAPH')
    call MPI_Topo_test(MPI_COMM_WORLD, kind, ierr)
    call expect(kind == MPI_UNDEFINED, 'no topology')
    call MPI_Dist_graph_neighbors_count(ring, indegree, outdegree, weighted, ierr)
    call expect(indegree == 2 .and. outdegree == 2 .and. .not. weighted, 'degrees')
    call MPI_Dist_graph_neighbors(ring, 2, sources, MPI_UNWEIGHTED, 2, targets, MPI_UNWEIGHTED, ierr)
    call expect(all_are(sources, [before, after]) .and. all_are(targets, [before, after]), 'neighbors')
    ! One edge a rank, named by its source.
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [after], [7 + rank], MPI_INFO_NULL, .false., graph, ierr)
    call MPI_Dist_graph_neighbors_count(graph, indegree, outdegree, weighted, ierr)
    call expect(indegree == 1 .and. outdegree == 1 .and. weighted, 'one edge')
    call MPI_Dist_graph_neighbors(graph, 1, sources, weights, 1, targets, other_weights, ierr)
    call expect(sources(1) == before .and. weights(1) == 7 + before, 'its weight at the target')
    call expect(targets(1) == after .and. other_weights(1) == 7 + rank, 'its weight at the source')
    call MPI_Comm_free(graph, ierr)
  end subroutine

  logical function all_are(a, b)
    integer, intent(in) :: a(:), b(:)
    all_are = .not. any(a /= b)
  end function

  subroutine blocking()
    integer :: got(2), sent(2)
    got = -1
    call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, ierr)
    call expect(all_are(got, [before, after]), 'MPI_Neighbor_allgather')
    sent = [10 * rank, 10 * rank + 1]
    call MPI_Neighbor_alltoall(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, ierr)
    call expect(all_are(got, [10 * before + 1, 10 * after]), 'MPI_Neighbor_alltoall')
    got = -1
    call MPI_Neighbor_alltoallv(sent, [1, 1], [1, 0], MPI_INTEGER, got, [1, 1], [1, 0], MPI_INTEGER, ring, ierr)
    call expect(all_are(got, [10 * after + 1, 10 * before]), 'MPI_Neighbor_alltoallv')
    call MPI_Neighbor_allgatherv(rank, 1, MPI_INTEGER, got, [1, 1], [1, 0], MPI_INTEGER, ring, ierr)
    call expect(all_are(got, [after, before]), 'MPI_Neighbor_allgatherv')
  end subroutine

  subroutine lists_of_types()
    integer, target, volatile, save :: sent(2), got(2)
    integer :: words(ranks), came(ranks), types(ranks), ones(ranks), places(ranks), i, request
    integer(MPI_ADDRESS_KIND) :: displacements(2)
    displacements = [0, 4]
    sent = [10 * rank, 10 * rank + 1]
    call MPI_Neighbor_alltoallw(sent, [1, 1], displacements, [MPI_INTEGER, MPI_INTEGER], got, [1, 1], displacements, &
                                [MPI_INTEGER, MPI_INTEGER], ring, ierr)
    call expect(all_are(got, [10 * before + 1, 10 * after]), 'MPI_Neighbor_alltoallw')
    got = -1
    call MPI_Ineighbor_alltoallw(sent, [1, 1], displacements, [MPI_INTEGER, MPI_INTEGER], got, [1, 1], displacements, &
                                 [MPI_INTEGER, MPI_INTEGER], ring, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(all_are(got, [10 * before + 1, 10 * after]), 'MPI_Ineighbor_alltoallw')
    types = MPI_INTEGER
    ones = 1
    words = [(100 * rank + i, i = 0, ranks - 1)]
    places = [(4 * i, i = 0, ranks - 1)]
    call MPI_Alltoallw(words, ones, places, types, came, ones, places, types, MPI_COMM_WORLD, ierr)
    call expect(all_are(came, [(100 * i + rank, i = 0, ranks - 1)]), 'MPI_Alltoallw')
  end subroutine

  subroutine requests()
    integer, target, volatile, save :: got(2), more(2), word
    integer :: handles(3), statuses(MPI_STATUS_SIZE, 3), which, i, number, places(3)
    logical :: done
    got = -1
    more = -1
    call MPI_Ineighbor_allgather(rank, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, handles(1), ierr)
    call MPI_Ineighbor_allgather(rank + 1000, 1, MPI_INTEGER, more, 1, MPI_INTEGER, ring, handles(2), ierr)
    handles(3) = MPI_REQUEST_NULL
    number = 0
    do i = 1, 2
      call MPI_Waitany(3, handles, which, MPI_STATUS_IGNORE, ierr)
      call expect(which == 1 .or. which == 2, 'MPI_Waitany counts from 1')
      if (which == 1 .or. which == 2) call expect(handles(which) == MPI_REQUEST_NULL, 'a request that is complete')
      number = number + which
    end do
    call expect(number == 3, 'MPI_Waitany names each once')
    call MPI_Waitany(3, handles, which, MPI_STATUS_IGNORE, ierr)
    call expect(which == MPI_UNDEFINED, 'MPI_Waitany without requests')
    call expect(all_are(got, [before, after]) .and. all_are(more, [before, after] + 1000), 'MPI_Ineighbor_allgather')

    call MPI_Irecv(word, 1, MPI_INTEGER, before, 3, MPI_COMM_WORLD, handles(1), ierr)
    call MPI_Isend(rank, 1, MPI_INTEGER, after, 3, MPI_COMM_WORLD, handles(2), ierr)
    call MPI_Ineighbor_alltoall([rank, rank], 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, handles(3), ierr)
    call MPI_Waitall(3, handles, statuses, ierr)
    call expect(word == before .and. statuses(MPI_SOURCE, 1) == before, 'MPI_Waitall on requests of both kinds')
    call expect(all_are(handles, [MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL]), 'no request is left')

    call MPI_Ineighbor_allgather(rank, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, handles(2), ierr)
    call MPI_Waitsome(3, handles, number, places, MPI_STATUSES_IGNORE, ierr)
    call expect(number == 1 .and. places(1) == 2, 'MPI_Waitsome counts from 1')
    call MPI_Testall(3, handles, done, MPI_STATUSES_IGNORE, ierr)
    call expect(done, 'MPI_Testall without requests')
  end subroutine

  subroutine started_again()
    integer, target, volatile, save :: got(2), sum, mine
    integer :: handles(2), i
    call MPI_Neighbor_allgather_init(mine, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, MPI_INFO_NULL, handles(1), ierr)
    call MPI_Allreduce_init(mine, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, handles(2), ierr)
    do i = 1, 3
      mine = rank + 100 * i
      call MPI_Startall(2, handles, ierr)
      call MPI_Waitall(2, handles, MPI_STATUSES_IGNORE, ierr)
      call expect(all_are(got, [before, after] + 100 * i), 'MPI_Neighbor_allgather_init')
      call expect(sum == ranks * (ranks - 1) / 2 + 100 * i * ranks, 'MPI_Allreduce_init')
    end do
    call MPI_Request_free(handles(1), ierr)
    call MPI_Request_free(handles(2), ierr)
    call expect(all_are(handles, [MPI_REQUEST_NULL, MPI_REQUEST_NULL]), 'freed requests')
  end subroutine

  subroutine duplicates()
    integer :: copy, request, got(2), kind
    call MPI_Comm_idup(ring, copy, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(copy /= MPI_COMM_NULL, 'MPI_Comm_idup')
    call MPI_Topo_test(copy, kind, ierr)
    call expect(kind == MPI_DIST_GRAPH, 'a duplicate carries the graph')
    call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, got, 1, MPI_INTEGER, copy, ierr)
    call expect(all_are(got, [before, after]), 'a neighborhood collective on a duplicate')
    call MPI_Comm_free(copy, ierr)
  end subroutine

  subroutine grids()
    integer :: extents(2), grid, kind, got(4), i
    extents = 0
    call MPI_Dims_create(36, 2, extents, ierr)
    call expect(all_are(extents, [6, 6]), 'MPI_Dims_create is balanced')
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., grid, ierr)
    call MPI_Topo_test(grid, kind, ierr)
    call expect(kind == MPI_CART, 'MPI_CART')
    call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, got, 1, MPI_INTEGER, grid, ierr)
    call expect(got(1) == before .and. got(2) == after, 'a neighborhood collective on a grid')
    call MPI_Comm_free(grid, ierr)
    call MPI_Graph_create(MPI_COMM_WORLD, ranks, [(2 * i, i = 1, ranks)], &
                          [(mod(i / 2 + ranks + merge(1, -1, mod(i, 2) == 1), ranks), i = 0, 2 * ranks - 1)], .false., &
                          grid, ierr)
    call MPI_Topo_test(grid, kind, ierr)
    call expect(kind == MPI_GRAPH, 'MPI_GRAPH')
    call MPI_Graph_neighbors_count(grid, rank, i, ierr)
    call expect(i == 2, 'MPI_Graph_neighbors_count')
    call MPI_Comm_free(grid, ierr)
  end subroutine
end program
