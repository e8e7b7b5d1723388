! An MPI program in Fortran with the module mpi_f08. It says "all is well" if every rank finds what it expects. On 4
! processes.
module functions
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  type(MPI_Comm) :: failed
  type(MPI_Win) :: failed_window
  type(MPI_File) :: failed_file
  integer :: failure = MPI_SUCCESS, removed = 0, last = 0, asked = 0, released = 0, key_of_comms, key_of_types, keys(2)
contains

  subroutine note(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    failed = comm
    call MPI_Error_class(error_code, failure)
  end subroutine

  subroutine note_window(win, error_code)
    type(MPI_Win) :: win
    integer :: error_code
    failed_window = win
    call MPI_Error_class(error_code, failure)
  end subroutine

  subroutine note_file(file, error_code)
    type(MPI_File) :: file
    integer :: error_code
    failed_file = file
    call MPI_Error_class(error_code, failure)
  end subroutine

  ! The copy of an attribute is one more, if the key has an even state.
  subroutine count_copies(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    attribute_val_out = attribute_val_in + 1
    flag = mod(extra_state, 2_MPI_ADDRESS_KIND) == 0 .and. oldcomm /= MPI_COMM_NULL .and. comm_keyval == key_of_comms
    ierror = MPI_SUCCESS
  end subroutine

  subroutine note_removed(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    if (comm /= MPI_COMM_NULL .and. comm_keyval == key_of_comms) removed = removed + int(attribute_val / extra_state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine note_last(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    if (comm == MPI_COMM_SELF .and. any(comm_keyval == keys)) last = 10 * last + int(attribute_val + extra_state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine note_removed_type(datatype, type_keyval, attribute_val, extra_state, ierror)
    type(MPI_Datatype) :: datatype
    integer :: type_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    if (datatype /= MPI_INTEGER .and. type_keyval == key_of_types) removed = removed + int(attribute_val + extra_state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine ask(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    status%MPI_SOURCE = MPI_UNDEFINED
    status%MPI_TAG = int(extra_state)
    call MPI_Status_set_elements(status, MPI_INTEGER, 3)
    call MPI_Status_set_cancelled(status, .false.)
    asked = status%MPI_TAG
    ierror = MPI_SUCCESS
  end subroutine

  subroutine let_go(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    released = int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine take_back(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    if (.not. complete) released = -int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine larger(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    if (datatype /= MPI_INTEGER) return
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    where (abs(a) > abs(b)) b = a
  end subroutine
end module

program f08
  use mpi_f08
  use functions
  implicit none
  type :: particle
    double precision :: mass
    integer :: charge
  end type
  integer :: rank, ranks, wrong, all, before, after

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(comm=MPI_COMM_WORLD, size=ranks)
  wrong = 0
  before = mod(rank + ranks - 1, ranks)
  after = mod(rank + 1, ranks)
  call MPI_Pcontrol(1)
  call collectives()
  call messages()
  call types()
  call operators()
  call communicators()
  call handlers()
  call attributes()
  call matched()
  call distributed()
  call generalized()
  call strings()
  call neighborhoods()
  call window()
  call MPI_Pcontrol(0)
  call MPI_Allreduce(wrong, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note_last, keys(1), 0_MPI_ADDRESS_KIND)
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note_last, keys(2), 0_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_SELF, keys(1), 1_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_SELF, keys(2), 2_MPI_ADDRESS_KIND)
  call MPI_Finalize()
  if (last /= 21) all = all + 1
  if (rank == 0 .and. all == 0) print '(a)', 'all is well'
  if (all /= 0) stop 1

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    wrong = wrong + 1
    print *, 'rank', rank, what
  end subroutine

  subroutine collectives()
    integer :: sums(2), table(2, 0:3), code, i
    real, allocatable :: everyone(:)
    character(5) :: word
    type(MPI_Request) :: request
    sums = [rank, 1]
    call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
    call expect(code == MPI_SUCCESS .and. all_of(sums == [6, 4]), 'a sum in place')
    word = merge('hello', '     ', rank == 2)
    call MPI_Bcast(word, len(word), MPI_CHARACTER, 2, MPI_COMM_WORLD)
    call expect(word == 'hello', 'a word from rank 2')
    allocate(everyone(ranks))
    call MPI_Allgather(real(rank), 1, MPI_REAL, everyone, 1, MPI_REAL, MPI_COMM_WORLD)
    call expect(all_of(everyone == [(real(i), i = 0, 3)]), 'everyone')
    table(:, rank) = [rank, -rank]
    call MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, table, 2, MPI_INTEGER, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(request == MPI_REQUEST_NULL .and. all_of(table(2, :) == [0, -1, -2, -3]), 'a table')
    call MPI_Ibarrier(MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Allreduce_init(rank, sums, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call MPI_Start(request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(sums(1) == 3, 'a persistent maximum')
    call MPI_Request_free(request)
  end subroutine

  ! all() is a variable of the program.
  logical function all_of(values)
    logical, intent(in) :: values(:)
    all_of = count(values) == size(values)
  end function

  subroutine messages()
    double precision :: field(4, 4), halo(4)
    integer :: n, got(3)
    logical :: flag
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status, statuses(2)
    field = rank
    ! A row of a matrix is not contiguous.
    call MPI_Sendrecv(field(2, :), 4, MPI_DOUBLE_PRECISION, after, 7, halo, 4, MPI_DOUBLE_PRECISION, before, 7, &
                      MPI_COMM_WORLD, status)
    call expect(all_of(halo == before), 'a row')
    call MPI_Get_count(status, MPI_DOUBLE_PRECISION, n)
    call expect(status%MPI_SOURCE == before .and. status%MPI_TAG == 7 .and. n == 4, 'its status')
    call MPI_Irecv(got, 3, MPI_INTEGER, after, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1))
    call MPI_Isend([rank, 2, 3], 3, MPI_INTEGER, before, rank, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, statuses)
    call expect(all_of(got == [after, 2, 3]) .and. statuses(1)%MPI_TAG == after, 'two requests')
    call MPI_Irecv(got, 3, MPI_INTEGER, before, 0, MPI_COMM_WORLD, requests(1))
    call MPI_Send([4, 5, 6], 3, MPI_INTEGER, after, 0, MPI_COMM_WORLD)
    flag = .false.
    do while (.not. flag)
      call MPI_Testall(1, requests, flag, MPI_STATUSES_IGNORE)
    end do
    call expect(all_of(got == [4, 5, 6]), 'a tested request')
  end subroutine

  subroutine types()
    type(particle) :: sent(2), got(2)
    type(MPI_Datatype) :: packed, struct, absolute
    integer(MPI_ADDRESS_KIND) :: places(2), start, lb, extent
    integer :: position, bytes, number, got_number
    character(64) :: buffer
    call MPI_Get_address(sent(1), start)
    call MPI_Get_address(sent(1)%mass, places(1))
    call MPI_Get_address(sent(1)%charge, places(2))
    call MPI_Type_create_struct(2, [1, 1], places - start, [MPI_DOUBLE_PRECISION, MPI_INTEGER], packed)
    call MPI_Type_create_resized(packed, 0_MPI_ADDRESS_KIND, 16_MPI_ADDRESS_KIND, struct)
    call MPI_Type_commit(struct)
    call MPI_Type_get_extent(struct, lb, extent)
    call MPI_Type_size(struct, bytes)
    call expect(lb == 0 .and. extent == 16 .and. bytes == 12, 'a structure')
    sent = [particle(rank, 1), particle(2 * rank, 2)]
    call MPI_Sendrecv(sent, 2, struct, after, 0, got, 2, struct, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call expect(all_of(got%mass == [1d0, 2d0] * before) .and. all_of(got%charge == [1, 2]), 'particles')
    ! Absolute addresses.
    number = 10 + rank
    call MPI_Get_address(number, start)
    call MPI_Type_create_hindexed(1, [1], [start], MPI_INTEGER, absolute)
    call MPI_Type_commit(absolute)
    call MPI_Sendrecv(MPI_BOTTOM, 1, absolute, after, 0, got_number, 1, MPI_INTEGER, before, 0, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE)
    call expect(got_number == 10 + before, 'MPI_BOTTOM in a message')
    position = 0
    call MPI_Pack(number, 1, MPI_INTEGER, buffer, 64, position, MPI_COMM_WORLD)
    number = 0
    call expect(position == 4, 'the size of packed data')
    position = 0
    call MPI_Unpack(buffer, 64, position, number, 1, MPI_INTEGER, MPI_COMM_WORLD)
    call expect(number == 10 + rank, 'packed data')
    call MPI_Type_free(absolute)
    call MPI_Type_free(struct)
    call MPI_Type_free(packed)
    call expect(packed == MPI_DATATYPE_NULL, 'a freed type')
  end subroutine

  subroutine operators()
    type(MPI_Op) :: op
    integer :: got(2)
    logical :: commutes
    call MPI_Op_create(larger, .true., op)
    call MPI_Op_commutative(op, commutes)
    call MPI_Allreduce([-rank, rank - 5], got, 2, MPI_INTEGER, op, MPI_COMM_WORLD)
    call expect(commutes .and. all_of(got == [-3, -5]), 'an operator')
    call MPI_Op_free(op)
    call expect(op == MPI_OP_NULL, 'a freed operator')
  end subroutine

  subroutine communicators()
    type(MPI_Comm) :: half, grid
    type(MPI_Group) :: group, odd
    integer :: sum, coords(2), neighbors(2), result
    integer(MPI_ADDRESS_KIND) :: largest
    logical :: flag, periods(2)
    integer :: dims(2)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
    call MPI_Allreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, half)
    call expect(sum == merge(2, 4, mod(rank, 2) == 0), 'half of the ranks')
    call MPI_Comm_group(MPI_COMM_WORLD, group)
    call MPI_Group_incl(group, 2, [1, 3], odd)
    call MPI_Group_rank(odd, result)
    call expect(result == merge(rank / 2, MPI_UNDEFINED, mod(rank, 2) == 1), 'a group')
    call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, 2], [.true., .false.], .false., grid)
    call MPI_Cart_get(grid, 2, dims, periods, coords)
    call expect(all_of(coords == [rank / 2, mod(rank, 2)]) .and. periods(1) .and. .not. periods(2), 'a grid')
    call MPI_Cart_shift(grid, 1, 1, neighbors(1), neighbors(2))
    call expect(neighbors(merge(1, 2, mod(rank, 2) == 0)) == MPI_PROC_NULL, 'the edge of a grid')
    call MPI_Comm_compare(MPI_COMM_WORLD, half, result)
    call expect(result == MPI_UNEQUAL, 'compared communicators')
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, largest, flag)
    call expect(flag .and. largest >= 32767, 'the largest tag')
    call MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN)
    call MPI_Send(rank, 1, MPI_INTEGER, 99, 0, half, result)
    call MPI_Error_class(result, sum)
    call expect(sum == MPI_ERR_RANK, 'an error that is returned')
    call MPI_Comm_free(grid)
    call MPI_Comm_free(half)
    call expect(half == MPI_COMM_NULL .and. .not. half /= MPI_COMM_NULL, 'a freed communicator')
  end subroutine

  subroutine handlers()
    type(MPI_Errhandler) :: handler, other
    type(MPI_Comm) :: own
    type(MPI_Win) :: win
    integer :: code
    call MPI_Comm_dup(MPI_COMM_WORLD, own)
    call MPI_Comm_create_errhandler(note, handler)
    call MPI_Comm_set_errhandler(own, handler)
    call MPI_Errhandler_free(handler)
    call MPI_Send(rank, 1, MPI_INTEGER, 99, 0, own, code)
    call expect(failed == own .and. failure == MPI_ERR_RANK .and. code /= MPI_SUCCESS, 'an error handler')
    failure = MPI_SUCCESS
    call MPI_Comm_call_errhandler(own, MPI_ERR_TAG)
    call expect(failure == MPI_ERR_TAG, 'an error handler that is called')
    call MPI_Comm_free(own)
    call MPI_Win_create(rank, 4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_create_errhandler(note_window, handler)
    call MPI_Win_set_errhandler(win, handler)
    call MPI_Win_get_errhandler(win, other)
    call expect(other == handler, 'the error handler of a window')
    call MPI_Win_call_errhandler(win, MPI_ERR_DISP)
    call expect(failed_window == win .and. failure == MPI_ERR_DISP, 'an error of a window')
    call MPI_Errhandler_free(other)
    call MPI_Errhandler_free(handler)
    call expect(handler == MPI_ERRHANDLER_NULL, 'a freed error handler')
    call MPI_Win_free(win)
    call MPI_File_create_errhandler(note_file, handler)
    call MPI_File_set_errhandler(MPI_FILE_NULL, handler)
    call MPI_File_get_errhandler(MPI_FILE_NULL, other)
    call expect(other == handler, 'the error handler of files')
    call MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO)
    call expect(failed_file == MPI_FILE_NULL .and. failure == MPI_ERR_IO, 'an error of a file')
    call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN)
    call MPI_Errhandler_free(other)
    call MPI_Errhandler_free(handler)
  end subroutine

  subroutine attributes()
    integer(MPI_ADDRESS_KIND), parameter :: large = 10_MPI_ADDRESS_KIND**12
    integer :: key, other
    integer(MPI_ADDRESS_KIND) :: value, address
    integer, target :: memory(2)
    logical :: flag
    type(MPI_Comm) :: one, two
    type(MPI_Datatype) :: pair, copy
    type(MPI_Win) :: win
    call MPI_Comm_dup(MPI_COMM_SELF, one)
    call MPI_Comm_create_keyval(count_copies, note_removed, key, large)
    key_of_comms = key
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, other, 0_MPI_ADDRESS_KIND)
    call MPI_Comm_get_attr(one, key, value, flag)
    call expect(.not. flag, 'an attribute that is not set')
    call MPI_Comm_set_attr(one, key, 5 * large)
    call MPI_Comm_set_attr(one, other, -large)
    call MPI_Comm_dup(one, two)
    call MPI_Comm_get_attr(two, key, value, flag)
    call expect(flag .and. value == 5 * large + 1, 'the copy of an attribute')
    call MPI_Comm_get_attr(two, other, value, flag)
    call expect(flag .and. value == -large, 'the duplicate of an attribute')
    call MPI_Comm_delete_attr(one, key)
    call expect(removed == 5, 'an attribute that is deleted')
    call MPI_Comm_free(two)
    call expect(removed == 10, 'the attribute of a freed communicator')
    call MPI_Comm_free_keyval(other)
    call MPI_Comm_free_keyval(key)
    call expect(key == MPI_KEYVAL_INVALID, 'a freed key')
    call MPI_Comm_free(one)
    call MPI_Type_contiguous(2, MPI_INTEGER, pair)
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, note_removed_type, key, 1_MPI_ADDRESS_KIND)
    key_of_types = key
    call MPI_Type_set_attr(pair, key, 6_MPI_ADDRESS_KIND)
    call MPI_Type_dup(pair, copy)
    call MPI_Type_get_attr(copy, key, value, flag)
    call expect(flag .and. value == 6, 'the attribute of a datatype')
    call MPI_Type_free(copy)
    call MPI_Type_delete_attr(pair, key)
    call expect(removed == 24, 'deleted attributes of datatypes')
    call MPI_Type_free_keyval(key)
    call MPI_Type_free(pair)
    memory = [7, 8]
    call MPI_Win_create(memory, 8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND)
    call MPI_Win_set_attr(win, key, large)
    call MPI_Win_get_attr(win, key, value, flag)
    call expect(flag .and. value == large, 'the attribute of a window')
    call MPI_Get_address(memory, address)
    call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag)
    call expect(flag .and. value == address, 'the address of a window')
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag)
    call expect(flag .and. value == 8, 'the size of a window')
    call MPI_Win_free_keyval(key)
    call MPI_Win_free(win)
  end subroutine

  subroutine matched()
    integer :: got(2), n
    logical :: flag
    type(MPI_Message) :: first, second
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status
    call MPI_Isend(rank, 1, MPI_INTEGER, after, 3, MPI_COMM_WORLD, requests(1))
    call MPI_Isend([rank, 2], 2, MPI_INTEGER, after, 3, MPI_COMM_WORLD, requests(2))
    call MPI_Mprobe(before, MPI_ANY_TAG, MPI_COMM_WORLD, first, status)
    call expect(status%MPI_TAG == 3 .and. first /= MPI_MESSAGE_NULL, 'a probed message')
    flag = .false.
    do while (.not. flag)
      call MPI_Improbe(before, 3, MPI_COMM_WORLD, flag, second, status)
    end do
    call MPI_Mrecv(got, 2, MPI_INTEGER, second, status)
    call MPI_Get_count(status, MPI_INTEGER, n)
    call expect(all_of(got == [before, 2]) .and. n == 2 .and. second == MPI_MESSAGE_NULL, 'a matched message')
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    got = -1
    call MPI_Imrecv(got, 2, MPI_INTEGER, first, requests(1))
    call MPI_Wait(requests(1), status)
    call expect(got(1) == before .and. got(2) == -1 .and. first == MPI_MESSAGE_NULL, 'a message that is matched first')
    status%MPI_ERROR = 77
    call MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, first, status)
    call expect(first == MPI_MESSAGE_NO_PROC .and. first /= MPI_MESSAGE_NULL, 'a message of nobody')
    call MPI_Mrecv(got, 1, MPI_INTEGER, first, status)
    call MPI_Get_count(status, MPI_INTEGER, n)
    call expect(status%MPI_SOURCE == MPI_PROC_NULL .and. status%MPI_TAG == MPI_ANY_TAG .and. n == 0, 'no message')
    call expect(status%MPI_ERROR == 77 .and. first == MPI_MESSAGE_NULL .and. got(1) == before, 'what no message leaves')
    call MPI_Improbe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, flag, first, status)
    call MPI_Imrecv(got, 1, MPI_INTEGER, first, requests(1))
    call MPI_Wait(requests(1), status)
    call expect(flag .and. status%MPI_SOURCE == MPI_PROC_NULL .and. first == MPI_MESSAGE_NULL, 'no message later')
  end subroutine

  ! Two blocks of a row, by turns: ranks 0 and 1 are before 2 and 3 in the first dimension.
  subroutine distributed()
    type(MPI_Datatype) :: part
    integer :: cells(4, 6), mine(6), i, j, position
    integer(MPI_COUNT_KIND) :: bytes
    integer(MPI_ADDRESS_KIND) :: address, next
    integer :: words(MPI_STATUS_SIZE), bytes_of_words
    type(MPI_Status) :: status, same
    cells = reshape([((10 * i + j, i = 0, 3), j = 0, 5)], [4, 6])
    call MPI_Type_create_darray(4, rank, 2, [4, 6], [MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC], &
                                [MPI_DISTRIBUTE_DFLT_DARG, 3], [2, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, part)
    call MPI_Type_commit(part)
    call MPI_Type_size_x(part, bytes)
    position = 0
    call MPI_Pack(cells, 1, part, mine, 24, position, MPI_COMM_SELF)
    call expect(bytes == 24 .and. position == 24, 'the size of a part of an array')
    call expect(all_of(mine == [((10 * i + j, i = rank / 2 * 2, rank / 2 * 2 + 1), &
                                 j = mod(rank, 2) * 3, mod(rank, 2) * 3 + 2)]), 'a part of an array')
    call MPI_Type_free(part)
    call MPI_Get_address(cells(1, 1), address)
    call MPI_Get_address(cells(2, 1), next)
    call expect(MPI_Aint_diff(next, address) == 4 .and. MPI_Aint_add(address, 4_MPI_ADDRESS_KIND) == next, 'addresses')
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, after, 5, i, 1, MPI_INTEGER, before, 5, MPI_COMM_WORLD, status)
    call MPI_Status_f082f(status, words)
    call MPI_Status_f2f08(words, same)
    call MPI_Get_count(same, MPI_BYTE, bytes_of_words)
    call expect(same%MPI_SOURCE == before .and. same%MPI_TAG == 5 .and. bytes_of_words == 4, 'a status as integers')
  end subroutine

  subroutine generalized()
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    logical :: flag
    integer :: n
    call MPI_Grequest_start(ask, let_go, take_back, 12_MPI_ADDRESS_KIND, request)
    call MPI_Test(request, flag, status)
    call expect(.not. flag, 'a generalized request that is not complete')
    call MPI_Grequest_complete(request)
    call MPI_Wait(request, status)
    call expect(asked == 12 .and. released == 12, 'a generalized request')
    call MPI_Get_count(status, MPI_INTEGER, n)
    call expect(status%MPI_TAG == 12 .and. n == 3, 'the status of a generalized request')
    call MPI_Grequest_start(ask, let_go, take_back, 12_MPI_ADDRESS_KIND, request)
    call MPI_Cancel(request)
    call expect(released == -12, 'a generalized request that is cancelled')
    call MPI_Grequest_complete(request)
    call MPI_Request_free(request)
    call expect(released == 12 .and. request == MPI_REQUEST_NULL, 'a generalized request that is freed')
  end subroutine

  subroutine strings()
    character(MPI_MAX_PROCESSOR_NAME) :: name
    character(MPI_MAX_OBJECT_NAME) :: object
    character(7) :: short
    character(MPI_MAX_ERROR_STRING) :: text
    integer :: length, code
    logical :: flag
    type(MPI_Info) :: info
    call MPI_Get_processor_name(name, length)
    call expect(length > 0 .and. len_trim(name) == length, 'the name of the host')
    call MPI_Comm_set_name(MPI_COMM_WORLD, 'the ring')
    call MPI_Comm_get_name(MPI_COMM_WORLD, object, length)
    call expect(object == 'the ring' .and. length == 8, 'the name of a communicator')
    call MPI_Info_create(info)
    call MPI_Info_set(info, 'key', 'a value')
    call MPI_Info_get(info, 'key', 7, short, flag)
    call expect(flag .and. short == 'a value', 'the value of a key')
    call MPI_Info_free(info)
    call MPI_Error_string(MPI_ERR_RANK, text, length)
    call expect(len_trim(text) == length, 'the text of an error')
    call MPI_Add_error_class(code)
    call MPI_Add_error_string(code, 'the pump is dry')
    call MPI_Error_string(code, text, length)
    call expect(text == 'the pump is dry' .and. length == 15, 'the text of an error of the program')
  end subroutine

  subroutine neighborhoods()
    type(MPI_Comm) :: ring
    integer :: got(2)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, [before, after], MPI_UNWEIGHTED, 2, [before, after], &
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring)
    call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring)
    call expect(all_of(got == [before, after]), 'neighbors')
    call MPI_Comm_free(ring)
  end subroutine

  subroutine window()
    type(MPI_Win) :: win
    integer, target :: mine(2)
    mine = -1
    call MPI_Win_create(mine, 8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_fence(0, win)
    call MPI_Put(rank, 1, MPI_INTEGER, after, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call expect(mine(1) == -1 .and. mine(2) == before, 'a window')
    call MPI_Win_free(win)
  end subroutine

end program
