! A select case and a function with a result.  Marked is never the last statement of a block: GNU Fortran
! gives its line to the code at the end of the block too.
module marks
  integer, volatile :: sink
end module marks

! n = 1..6: 1; 2, 3, 4; the others.
! EXPECT-NUM-PATHS choose_: 3
! EXPECT-PATHS choose_: entry a d exit = 1
! EXPECT-PATHS choose_: entry b d exit = 3
! EXPECT-PATHS choose_: entry c d exit = 2
! EXPECT-LINE a: 1
! EXPECT-LINE b: 3
! EXPECT-LINE c: 2
! EXPECT-LINE d: 6
integer function choose (n)
  use marks
  integer, intent (in) :: n
  select case (n)
  case (1)
    sink = 1 ! @a
    sink = 0
  case (2:4)
    sink = 2 ! @b
    sink = 0
  case default
    sink = 3 ! @c
    sink = 0
  end select
  sink = 4 ! @d
  choose = n + 1
end function choose

program main
  integer, external :: choose
  integer :: n, total
  total = 0
  do n = 1, 6
    total = total + choose (n)
  end do
  if (total /= 27) stop 1
end program main
