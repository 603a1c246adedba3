! A do loop with an if, cycle and exit.  Marked is never the last statement of a block: GNU Fortran gives
! its line to the code at the end of the block too.
module marks
  integer, volatile :: sink
end module marks

! limit = 7: 1 and 2 cycle; 3, 4, 5 go on; 6 exits.
! EXPECT-LINE a: 6
! EXPECT-LINE b: 2
! EXPECT-LINE c: 3
! EXPECT-LINE d: 2
subroutine walk (limit)
  use marks
  integer, intent (in) :: limit
  integer :: i
  do i = 1, limit
    sink = 1 ! @a
    if (i < 3) then
      sink = 2 ! @b
      cycle
    end if
    if (i == 6) exit
    sink = 3 ! @c
    sink = 5
  end do
  sink = 4 ! @d
end subroutine walk

program main
  integer :: n
  do n = 0, 7, 7
    call walk (n)
  end do
end program main
