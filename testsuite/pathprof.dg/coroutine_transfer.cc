// A coroutine that ends goes on with the one that waits for it, by a jump: nothing of it follows that call, and its path
// is counted before.
// EXPECT-OPTIONS: -std=c++20
// EXPECT-OPTIONS: -std=c++20 -fplugin-arg-pathprof-termination=exact
// EXPECT-OPTIONS: -std=c++20 -fplugin-arg-pathprof-mode=intracontext
// EXPECT-OPTIONS: -std=c++20 -fplugin-arg-pathprof-mode=kiter
#include <coroutine>
#include <utility>

static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n) noexcept
{
  sink = n;
}

struct Task
{
  struct promise_type
  {
    std::coroutine_handle<> waiting = std::noop_coroutine ();

    struct Last
    {
      bool await_ready () noexcept { return false; }
      std::coroutine_handle<> await_suspend (std::coroutine_handle<promise_type> self) noexcept { return self.promise ().waiting; }
      void await_resume () noexcept {}
    };

    Task get_return_object () { return Task { std::coroutine_handle<promise_type>::from_promise (*this) }; }
    std::suspend_always initial_suspend () { return {}; }
    Last final_suspend () noexcept { return {}; }
    void return_void () {}
    void unhandled_exception () {}
  };

  explicit Task (std::coroutine_handle<promise_type> handle) : handle (handle) {}
  Task (Task &&other) : handle (std::exchange (other.handle, nullptr)) {}
  ~Task () { if (handle) handle.destroy (); }

  bool await_ready () { return false; }
  std::coroutine_handle<> await_suspend (std::coroutine_handle<> waiting)
  {
    handle.promise ().waiting = waiting;
    return handle;
  }
  void await_resume () {}

  std::coroutine_handle<promise_type> handle;
};

// EXPECT-LINE even: 3
// EXPECT-LINE last: 5
static Task
inner (int n)
{
  if (n % 2 == 0)
    hit (n); // @even
  hit (-1); // @last
  co_return;
}

// EXPECT-LINE before: 5
// EXPECT-LINE end: 1
static Task
outer (int count)
{
  for (int n = 0; n < count; n++)
    {
      hit (n); // @before
      co_await inner (n);
    }
  hit (-2); // @end
}

int
main ()
{
  Task task = outer (5);
  task.handle.resume ();
  return !task.handle.done ();
}
