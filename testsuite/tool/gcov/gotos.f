C     Computed and assigned gotos.
      program gotos
      integer i, total, dispatch
      total = 0
      do 10 i = 0, 11
        total = total + dispatch(i)
   10 continue
      print *, total
      end

      integer function dispatch(n)
      integer n, turn, next
      dispatch = 0
      turn = 0
      assign 50 to next
      go to (20, 30, 40), mod(n, 4)
      dispatch = 100
   20 dispatch = dispatch + 1
   30 continue
      dispatch = dispatch + 2
      if (turn .lt. 3) then
        turn = turn + 1
        go to (20, 30, 40), turn
      end if
   40 assign 60 to next
      if (mod(n, 3) .eq. 0) assign 50 to next
      go to next
   50 dispatch = dispatch + n
   60 continue
      end
