// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of pathdump/ui/cxx_names.h: what is left of names that a demangler gives; and of module_names.h.
#include <cstdlib>
#include <memory>
#include <string>

#include <cxxabi.h>

#include "pathdump/ui/cxx_names.h"
#include "pathdump/ui/module_names.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;

namespace {

const std::string text = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";

void check_name(const std::string &demangled, NameDetail detail, const std::string &expected) {
  std::string shown = cxx_name(demangled, detail);
  ck_assert_str_eq(shown.c_str(), expected.c_str());
}

void check_type(const std::string &type, const std::string &expected) {
  check_name("f(" + type + ")", NameDetail::Types, "f(" + expected + ")");
}

} // namespace

START_TEST(defaults_are_left_out) {
  check_type(text, "std::string");
  check_type("std::basic_string<wchar_t, std::char_traits<wchar_t>, std::allocator<wchar_t> > const&",
             "std::wstring const&");
  check_type("std::__1::basic_string<char32_t, std::__1::char_traits<char32_t>, std::__1::allocator<char32_t> >",
             "std::u32string");
  check_type("std::basic_ostream<char, std::char_traits<char> >&", "std::ostream&");
  check_type("std::vector<int, std::allocator<int> >", "std::vector<int>");
  check_type("std::vector<" + text + ", std::allocator<" + text + " > >", "std::vector<std::string>");
  check_type("std::set<int, std::less<int>, std::allocator<int> >", "std::set<int>");
  check_type("std::map<int, " + text + ", std::less<int>, std::allocator<std::pair<int const, " + text + " > > >",
             "std::map<int, std::string>");
  check_type("std::unordered_map<" + text + ", int, std::hash<" + text + " >, std::equal_to<" + text +
                 " >, std::allocator<std::pair<" + text + " const, int> > >",
             "std::unordered_map<std::string, int>");
  check_type("std::unique_ptr<A, std::default_delete<A> >", "std::unique_ptr<A>");
  check_type("std::priority_queue<int, std::vector<int, std::allocator<int> >, std::less<int> >",
             "std::priority_queue<int>");
  check_type("std::chrono::_V2::steady_clock::time_point", "std::chrono::steady_clock::time_point");
}
END_TEST

START_TEST(what_is_no_default_stays) {
  check_type("std::vector<int, my::allocator<int> >", "std::vector<int, my::allocator<int>>");
  check_type("std::vector<int, std::allocator<long> >", "std::vector<int, std::allocator<long>>");
  check_type("std::set<int, std::greater<int>, std::allocator<int> >", "std::set<int, std::greater<int>>");
  check_type("my::vector<int, std::allocator<int> >", "my::vector<int, std::allocator<int>>");
  check_type("my::std::vector<int, std::allocator<int> >", "my::std::vector<int, std::allocator<int>>");
  check_type("my::__cxx11::text", "my::__cxx11::text");
  check_type("std::basic_string<my_char, std::char_traits<my_char>, std::allocator<my_char> >",
             "std::basic_string<my_char>");
  check_name("int tt<std::vector, int>(std::vector<int>)", NameDetail::Types,
             "int tt<std::vector, int>(std::vector<int>)");
}
END_TEST

START_TEST(brackets_of_operators_are_none) {
  check_name("A::operator()(" + text + ") const", NameDetail::Short, "A::operator()(std::string) const");
  check_name("int A::operator()<float>(float) const", NameDetail::Short, "A::operator()<float>(float) const");
  check_name("bool A::operator< <double>(double) const", NameDetail::Short, "A::operator< <double>(double) const");
  check_name("A::operator->*(int)", NameDetail::Short, "A::operator->*(int)");
  check_name("A::operator,(int)", NameDetail::Short, "A::operator,(int)");
  check_name("A::operator[](std::vector<int, std::allocator<int> >)", NameDetail::Short,
             "A::operator[](std::vector<int>)");
  check_name("std::basic_ostream<char, std::char_traits<char> >& operator<< <" + text + " >(A)", NameDetail::Short,
             "operator<< <std::string>(A)");
  check_name("int mp2<&(A::operator<(A const&) const)>()", NameDetail::Short, "mp2<&(A::operator<(A const&) const)>()");
  check_name("int mp2<&A::operator> >()", NameDetail::Short, "mp2<&A::operator> >()");
  check_name("A::operator std::vector<int, std::allocator<int> >() const", NameDetail::Short,
             "A::operator std::vector<int>() const");
  check_name("A::operator int*<int>()", NameDetail::Short, "A::operator int*<int>()");
  check_name("operator\"\" _km(unsigned long long)", NameDetail::Short, "operator\"\" _km(unsigned long long)");
  check_name("my_operator<int>::operator new(int)", NameDetail::Short, "my_operator<int>::operator new(int)");
}
END_TEST

START_TEST(comparisons_are_no_brackets) {
  check_name("std::enable_if<(sizeof (int))<(200), int>::type lt<int>(int)", NameDetail::Types,
             "std::enable_if<(sizeof (int))<(200), int>::type lt<int>(int)");
  check_name("std::enable_if<((sizeof (int))>(2)), std::vector<int, std::allocator<int> > >::type gt<int>(int)",
             NameDetail::Types, "std::enable_if<((sizeof (int))>(2)), std::vector<int>>::type gt<int>(int)");
  check_name("int s<((1)<<(3))>()", NameDetail::Short, "s<((1)<<(3))>()");
  check_name("decltype (((int)())+(1)) dt<int>(int)", NameDetail::Short, "dt<int>(int)");
  check_name("int lit<(char)97, true, &(anonymous namespace)::anon>()", NameDetail::Short,
             "lit<(char)97, true, &(anonymous namespace)::anon>()");
}
END_TEST

START_TEST(functions_within_functions) {
  check_name("B::g(" + text + ") const::{lambda(int)#1}::operator()(int) const", NameDetail::Short,
             "B::g(std::string) const::{lambda(int)#1}::operator()(int) const");
  check_name("auto main::{lambda(int)#1}::operator()(int) const::{lambda(auto:1)#1}::operator()<int>(int) const",
             NameDetail::Short,
             "main::{lambda(int)#1}::operator()(int) const::{lambda(auto:1)#1}::operator()<int>(int) const");
  check_name("void (anonymous namespace)::f<int>(" + text + ")", NameDetail::Parameters,
             "(anonymous namespace)::f<int>(std::string)");
  check_name("non-virtual thunk to A::f(int)", NameDetail::Short, "non-virtual thunk to A::f(int)");
  check_name("void f<int>(int) [clone .part.0]", NameDetail::Short, "f<int>(int) [clone .part.0]");
  check_name("f[abi:cxx11](int)", NameDetail::Short, "f(int)");
  check_name("vtable for A", NameDetail::Short, "vtable for A");
  // The name stands within its result, which is a pointer to a function.
  check_name("void (*tfp<int>(int))(" + text + ")", NameDetail::Short, "void (*tfp<int>(int))(std::string)");
}
END_TEST

START_TEST(detail) {
  const std::string name = "std::vector<int, std::allocator<int> > f<int>(std::map<int, int>, int, unsigned long)";
  check_name(name, NameDetail::Short, "f<int>(...)");
  check_name(name, NameDetail::Parameters, "f<int>(std::map<int, int>, int, unsigned long)");
  check_name(name, NameDetail::Types, "std::vector<int> f<int>(std::map<int, int>, int, unsigned long)");
  check_name(name, NameDetail::Full, name);
}
END_TEST

START_TEST(other_text_stays) {
  for (const char *name : {"", "main", "f.part.0", "f(", "f)", "a<b", "f<int>>(int)", "operator", "f{(}",
                           "x[abi:", "a<b(c>d)", "std::vector<$1, std::allocator<$1>>"})
    check_name(name, NameDetail::Parameters, name);
  std::string deep(100000, '<');
  check_name(deep, NameDetail::Short, deep);
}
END_TEST

static void check_module(const char *mangled, const char *expected) {
  std::unique_ptr<char, void (*)(void *)> scoped(
      abi::__cxa_demangle(with_modules_as_scopes(mangled).c_str(), nullptr, nullptr, nullptr), std::free);
  ck_assert(scoped);
  std::string name = with_modules_behind_names(scoped.get()); // the macro reads it after the full expression
  ck_assert_str_eq(name.c_str(), expected);
}

// Regression 18: names as GCC 12 mangles them, and as c++filt of binutils 2.40 demangles them.
START_TEST(names_of_modules) {
  check_module("_ZW6shapesW5round5inneri", "inner@shapes.round(int)");
  check_module("_ZN6shapesW6shapesW5round4areaEi", "shapes::area@shapes.round(int)");
  check_module("_ZN6shapesW6shapesW5round1S1fEi", "shapes::S@shapes.round::f(int)");
  check_module("_ZW6shapesW5round5twiceIiET_S2_", "int twice@shapes.round<int>(int)");
  std::string initializer = module_initializer("_ZGIW6shapesW5round"); // the macro reads it after the full expression
  ck_assert_str_eq(initializer.c_str(), "initializer for module shapes.round");
  ck_assert(with_modules_as_scopes("_Z4areai").empty() && with_modules_as_scopes("_Z1Wi").empty());
  for (const char *damaged :
       {"_ZW", "_ZW9", "_ZW99999999999999999999a", "_ZWP", "_ZW1aI", "_ZW1a1bIW", "_ZGIW", "_ZGI"})
    with_modules_behind_names(with_modules_as_scopes(damaged) + module_initializer(damaged));
}
END_TEST

int main() {
  return run_suite("names", {{"names",
                              {defaults_are_left_out, what_is_no_default_stays, brackets_of_operators_are_none,
                               comparisons_are_no_brackets, functions_within_functions, detail, other_text_stays,
                               names_of_modules}}});
}
