! Calls in the Fortran of the module mpi_f08, with results that are checked.
program calls
  use mpi_f08
  implicit none
  integer :: rank, ranks, root, at
  integer, asynchronous :: one(5), all(5, 16)
  real(kind(1d0)) :: numbers(5)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  do root = 0, ranks - 1
    one = -1
    if (rank == root) one = root
    call MPI_Bcast(one, 5, MPI_INTEGER, root, MPI_COMM_WORLD)
    if (any(one /= root)) error stop 1
    numbers = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, numbers, 5, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    if (any(numbers /= ranks * (ranks + 1) / 2)) error stop 2
    one = rank
    call MPI_Gather(one, 5, MPI_INTEGER, all, 5, MPI_INTEGER, root, MPI_COMM_WORLD)
    if (rank == root .and. any(all(1, :ranks) /= [(at, at = 0, ranks - 1)])) error stop 3
    all(:, rank + 1) = rank
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 5, MPI_INTEGER, MPI_COMM_WORLD)
    if (any(all(5, :ranks) /= [(at, at = 0, ranks - 1)])) error stop 4
    if (rank == root) then
      call MPI_Scatter(all, 5, MPI_INTEGER, MPI_IN_PLACE, 5, MPI_INTEGER, root, MPI_COMM_WORLD)
    else
      call MPI_Scatter(all, 5, MPI_INTEGER, one, 5, MPI_INTEGER, root, MPI_COMM_WORLD)
      if (any(one /= rank)) error stop 5
    end if
    call MPI_Barrier(MPI_COMM_WORLD)
  end do
  if (rank == 0) print '(a)', 'all is well'
  call MPI_Finalize()
end program
