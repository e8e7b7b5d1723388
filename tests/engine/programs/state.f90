! What Fortran's library has in a process: units, arguments, random numbers, and what is printed without an end of line.
! The word says how it ends: "exit" and "stop" by a rank that leaves early, else by its last line.
program state
  use mpi
  implicit none
  integer :: rank, ierror, i, n, seed(64)
  real :: first, second
  character(len=32) :: word, path
  character(len=8) :: line
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call get_command_argument(1, word)
  write (path, '(a,i0)') 'unit-of-rank-', rank
  open (unit=10, file=trim(path), status='replace')
  write (10, '(i4)') rank
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  write (10, '(i4)') 100 + rank
  write (*, '(a,i0)', advance='no') 'rank ', rank
  call random_seed(size=n)
  seed = 17 + rank
  call random_seed(put=seed(1:n))
  call random_number(first)
  call random_number(first)
  call random_seed(put=seed(1:n))
  call random_number(second)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call random_number(second)
  if (first /= second) call MPI_Abort(MPI_COMM_WORLD, 5, ierror)
  write (*, '(a)') ' goes on'
  rewind (10)
  do i = 0, 1
    read (10, '(a)') line
    read (line, *) n
    if (n /= 100 * i + rank) call MPI_Abort(MPI_COMM_WORLD, 6, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end do
  close (10, status='delete')
  open (unit=11, file='left-open-' // trim(path))
  write (11, '(a)') 'written'
  call MPI_Finalize(ierror)
  if (word == 'exit') call exit(0)
  if (word == 'exit7' .and. rank == 2) call exit(7)
  if (word == 'stop') stop
end program
