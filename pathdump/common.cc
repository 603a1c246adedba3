// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands share.
#include "pathdump/common.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include <cxxabi.h>
#include <fnmatch.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/color.h>

#include "profile/orphans.h"

namespace pathprof {

// -------------------------------------------------------------------------------------------------
// Options.

std::string check_word(const std::string &what, const std::string &word, const std::vector<std::string> &accepted) {
  if (std::find(accepted.begin(), accepted.end(), word) != accepted.end())
    return {};
  return fmt::format("unknown {} '{}'; accepted: {}", what, word, fmt::join(accepted, ", "));
}

static std::string check_prefix(const std::string &text) {
  if (text.find('=') != std::string::npos)
    return {};
  return fmt::format("'{}' is not of the form OLD=NEW", text);
}

void add_common_options(CLI::App &command, CommonOptions &options, unsigned features) {
  command.add_option("-o,--output", options.output, "write to FILE ('-': standard output)")->type_name("FILE");
  command.add_option("--color", options.color, "auto, always or never")
      ->type_name("WHEN")
      ->check([](const std::string &word) {
        return check_word("colour choice", word, {"auto", "always", "never"});
      });
  if (features & kJsonOption)
    command.add_flag("--json", options.json, "print JSON");
  if (features & kSelectionOptions) {
    command.add_option("--function", options.functions, "only functions whose name matches GLOB")
        ->type_name("GLOB")
        ->allow_extra_args(false);
    command
        .add_option("--file", options.source_files,
                    "only functions of source files whose name, or its last part, matches GLOB")
        ->type_name("GLOB")
        ->allow_extra_args(false);
  }
  if (features & kNameOptions) {
    command.add_flag("--no-demangle", options.no_demangle, "show assembler names");
    command
        .add_option("--source-prefix", options.source_prefixes,
                    "source files whose name starts with OLD are those with NEW instead")
        ->type_name("OLD=NEW")
        ->allow_extra_args(false)
        ->check(check_prefix);
  }
}

void add_number_option(CLI::App &command, uint64_t &number, const std::string &description) {
  command.add_option("-n,--number", number, description)->type_name("N")->check([](const std::string &text) {
    bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? std::string() : "'" + text + "' is not a number of paths";
  });
}

void add_threshold_option(CLI::App &command, double &threshold, const std::string &description) {
  command.add_option("--threshold", threshold, description)->type_name("PCT")->check(CLI::Range(0.0, 100.0));
}

void add_profile_argument(CLI::App &command, std::string &file) {
  command.add_option("FILE", file, "the profile ('-': standard input); without it, the only *.pathprof here")
      ->type_name("FILE");
}

// -------------------------------------------------------------------------------------------------
// Profiles.

std::string choose_profile(const std::string &file) {
  if (!file.empty())
    return file;
  std::set<std::string> found; // also those that have nothing but raw files
  std::error_code ignored;
  for (const auto &entry : std::filesystem::directory_iterator(".", ignored)) {
    std::string name = entry.path().filename().string(), profile = profile_of_raw(name);
    if (!profile.empty())
      name = profile;
    if (std::filesystem::path(name).extension() == ".pathprof")
      found.insert(name);
  }
  if (found.size() == 1)
    return *found.begin();
  if (found.empty())
    throw Failure(kWrongUse, "no profile named, and no *.pathprof in the working directory");
  throw Failure(kWrongUse, fmt::format("no profile named, and several are in the working directory: "
                                       "{}",
                                       fmt::join(found, " ")));
}

// Only data has offsets: without one, the file could not be opened or read.
[[noreturn]] static void fail(const LoadError &error) {
  throw Failure(error.offset ? kBadData : kWrongUse, error.message());
}

FileBytes open_image(const std::string &file) {
  LoadError error;
  std::vector<std::string> notes;
  std::optional<FileBytes> bytes = open_with_orphans(file, &error, &notes);
  if (!bytes)
    fail(error);
  for (const std::string &note : notes)
    std::cerr << "pathdump: note: " << note << "\n";
  return std::move(*bytes);
}

Profile open_profile(const std::string &file) {
  LoadError error;
  FileBytes bytes = open_image(file);
  std::optional<Profile> profile = parse_profile(file, bytes.data(), bytes.size(), &error);
  if (!profile)
    fail(error);
  return std::move(*profile);
}

std::unique_ptr<Decoded> decode_or_fail(const std::string &file, const Function &function) {
  const char *reason = nullptr;
  std::unique_ptr<Decoded> decoded = function.decode(&reason);
  if (!decoded)
    throw Failure(kBadData, fmt::format("{}: function {}: {}", file, function.notes.name, reason));
  return decoded;
}

const char *storage_name(const Function &function) {
  static const char *const names[] = {"none", "array", "hash"};
  return names[function.notes.storage];
}

mpz_class num_own_paths(const Function &function) {
  bool is_known = function.notes.num_paths || !function.in_program;
  return is_known ? mpz_class(static_cast<unsigned long>(function.notes.num_paths)) : function.notes.num_paths_uncut;
}

// -------------------------------------------------------------------------------------------------
// Names.

std::string demangle(const std::string &name) {
  // Without the prefix __cxa_demangle reads types: "f" would become "float".
  if (name.compare(0, 2, "_Z") != 0)
    return name;
  int status = 0;
  std::unique_ptr<char, void (*)(void *)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

std::string without_parameters(const std::string &demangled) {
  size_t close = demangled.rfind(')');
  if (close == std::string::npos)
    return demangled;
  int depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    depth += demangled[i] == ')' ? 1 : demangled[i] == '(' ? -1 : 0;
    if (depth == 0)
      return i == 0 ? demangled : demangled.substr(0, i);
  }
  return demangled;
}

// "int max<int>" → "max<int>"; other names have no result in front.
static std::string without_result(const std::string &plain) {
  int depth = 0;
  for (size_t i = plain.size(); i-- > 0 && plain.back() == '>';) {
    depth += plain[i] == '>' || plain[i] == ')' ? 1 : plain[i] == '<' || plain[i] == '(' ? -1 : 0;
    if (depth == 0 && plain[i] == ' ')
      return plain.substr(i + 1);
  }
  return plain;
}

std::vector<std::string> spellings(const std::string &assembler_name) {
  std::string demangled = demangle(assembler_name), plain = without_parameters(demangled);
  return {assembler_name, demangled, plain, without_result(plain)};
}

Names::Names(const CommonOptions &options)
    : demangle_(!options.no_demangle), functions_(options.functions), files_(options.source_files) {
  for (const std::string &text : options.source_prefixes) {
    size_t equals = text.find('=');
    prefixes_.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
}

std::string Names::function(const std::string &assembler_name) const {
  return demangle_ ? demangle(assembler_name) : assembler_name;
}

std::string Names::file(const std::string &name) const {
  for (auto prefix = prefixes_.rbegin(); prefix != prefixes_.rend(); ++prefix)
    if (name.compare(0, prefix->first.size(), prefix->first) == 0)
      return prefix->second + name.substr(prefix->first.size());
  return name;
}

// True if there are no globs or one matches one of the names.
static bool any_matches(const std::vector<std::string> &globs, const std::vector<std::string> &names) {
  return globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const std::string &glob) {
           return std::any_of(names.begin(), names.end(),
                              [&](const std::string &name) { return fnmatch(glob.c_str(), name.c_str(), 0) == 0; });
         });
}

bool Names::selects_name(const std::string &assembler_name) const {
  return functions_.empty() || any_matches(functions_, spellings(assembler_name));
}

bool Names::selects_file(const std::string &name) const {
  if (files_.empty())
    return true;
  std::string shown = file(name);
  return any_matches(files_, {shown, shown.substr(shown.rfind('/') + 1)});
}

Sources::Sources(const Names &names, const std::string &profile_file)
    : names_(names), folder_(std::filesystem::path(profile_file).parent_path().string()) {}

std::optional<std::vector<std::string>> Sources::read(const std::string &name) const {
  std::ifstream stream(name);
  if (!stream && name.front() != '/' && !folder_.empty())
    stream.open(folder_ + "/" + name);
  if (!stream)
    return std::nullopt;
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(std::move(line));
  return lines;
}

const std::string *Sources::line(const std::string &file, uint32_t line) {
  std::string name = names_.file(file);
  if (name.empty())
    return nullptr;
  auto [at, is_new] = files_.try_emplace(name);
  if (is_new)
    at->second = read(name);
  if (!at->second || line == 0 || line > at->second->size())
    return nullptr;
  return &(*at->second)[line - 1];
}

std::vector<std::string> Sources::missing() const {
  std::vector<std::string> names;
  for (const auto &[name, lines] : files_)
    if (!lines)
      names.push_back(name);
  return names;
}

void Sources::warn_of_missing() const {
  for (const std::string &name : missing())
    std::cerr << "pathdump: " << name << ": source not found (--source-prefix OLD=NEW says where it is now)\n";
}

// -------------------------------------------------------------------------------------------------
// Output.

static bool environment_has(const char *name) {
  const char *value = std::getenv(name);
  return value && *value;
}

static bool wants_colours(const std::string &choice, bool is_terminal) {
  if (choice != "auto")
    return choice == "always";
  auto is = [](const char *name, const char *value) {
    return environment_has(name) && std::strcmp(std::getenv(name), value) == 0;
  };
  if (environment_has("NO_COLOR"))
    return false;
  if (environment_has("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0"))
    return true;
  return is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb");
}

static size_t terminal_width() {
  winsize size = {};
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

Output::Output(const CommonOptions &options) {
  if (options.output != "-") {
    name_ = options.output;
    open_temporary();
  } else {
    stream_ = stdout;
  }
  bool is_terminal = name_.empty() && isatty(STDOUT_FILENO);
  colours_ = wants_colours(options.color, is_terminal);
  width_ = is_terminal ? terminal_width() : 0;
}

// Devices and pipes are written to directly; a link's target is replaced, not the link.  A new file
// gets the permissions that open() would give it, an existing one keeps its own.
void Output::open_temporary() {
  std::string target = name_;
  if (char *real = realpath(name_.c_str(), nullptr)) {
    target = real;
    std::free(real);
  }
  struct stat status;
  bool exists = stat(target.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    stream_ = S_ISDIR(status.st_mode) ? nullptr : std::fopen(target.c_str(), "w");
    if (!stream_)
      fail(S_ISDIR(status.st_mode) ? EISDIR : errno);
    return;
  }
  std::string pattern = target + ".XXXXXX";
  int fd = mkstemp(pattern.data());
  if (fd < 0)
    fail(errno);
  temporary_ = pattern;
  mode_t mask = umask(0);
  umask(mask);
  if (fchmod(fd, exists ? status.st_mode & 0777 : 0666 & ~mask) != 0 || !(stream_ = fdopen(fd, "w"))) {
    int error = errno;
    close(fd);
    fail(error);
  }
  name_ = target;
}

void Output::fail(int error) {
  if (stream_ && stream_ != stdout)
    std::fclose(stream_);
  stream_ = nullptr;
  if (!temporary_.empty())
    unlink(temporary_.c_str());
  temporary_.clear();
  throw Failure(kWrongUse,
                fmt::format("{}: cannot write: {}", name_.empty() ? "standard output" : name_, std::strerror(error)));
}

Output::~Output() {
  if (stream_ && stream_ != stdout)
    std::fclose(stream_);
  if (!temporary_.empty())
    unlink(temporary_.c_str());
}

void Output::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size())
    fail(errno);
}

void Output::commit() {
  if (std::fflush(stream_) != 0)
    fail(errno);
  if (stream_ == stdout)
    return;
  int result = std::fclose(stream_);
  stream_ = nullptr;
  if (result != 0 || (!temporary_.empty() && std::rename(temporary_.c_str(), name_.c_str()) != 0))
    fail(errno);
  temporary_.clear();
}

std::string paint(const Output &out, Colour colour, const std::string &text) {
  if (!out.colours() || colour == Colour::None || text.empty())
    return text;
  fmt::text_style style;
  switch (colour) {
  case Colour::None:
    break;
  case Colour::Heading:
    style = fmt::emphasis::bold;
    break;
  case Colour::Hot:
    style = fmt::fg(fmt::terminal_color::red);
    break;
  case Colour::Name:
    style = fmt::fg(fmt::terminal_color::cyan);
    break;
  case Colour::Place:
    style = fmt::fg(fmt::terminal_color::green);
    break;
  case Colour::Faint:
    style = fmt::emphasis::faint;
    break;
  }
  return fmt::format(style, "{}", text);
}

std::string paint_series(const Output &out, size_t index, const std::string &text) {
  static constexpr fmt::terminal_color colours[] = {fmt::terminal_color::red,     fmt::terminal_color::green,
                                                    fmt::terminal_color::yellow,  fmt::terminal_color::blue,
                                                    fmt::terminal_color::magenta, fmt::terminal_color::cyan};
  return out.colours() ? fmt::format(fmt::fg(colours[index % std::size(colours)]), "{}", text) : text;
}

// -------------------------------------------------------------------------------------------------
// Tables.

void Table::add(std::vector<std::string> cells, std::string below) {
  rows_.push_back(std::move(cells));
  below_.push_back(std::move(below));
}

static bool starts_character(char c) {
  return (c & 0xc0) != 0x80;
}

static size_t num_characters(const std::string &text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string cut_text(const std::string &text, size_t width) {
  static const std::string ellipsis = "...";
  if (num_characters(text) <= width)
    return text;
  size_t keep = width > ellipsis.size() ? width - ellipsis.size() : 0, end = 0;
  for (size_t seen = 0; end < text.size(); end++)
    if (starts_character(text[end]) && seen++ == keep)
      break;
  return text.substr(0, end) + ellipsis.substr(0, width);
}

// Where a terminal leaves too little room for the last column, it goes to a line of its own.
std::string Table::row_text(const Output &out, const std::vector<std::string> &cells, const std::vector<size_t> &widths,
                            bool heading) const {
  static constexpr size_t kEnoughRoom = 30, kIndent = 6;
  std::string text;
  size_t used = 0;
  for (size_t i = 0; i < cells.size(); i++) {
    bool last = i + 1 == cells.size();
    size_t width = widths[i];
    if (last && out.width() && used + std::min(width, kEnoughRoom) > out.width()) {
      text.erase(text.find_last_not_of(' ') + 1);
      text += "\n" + std::string(kIndent, ' ');
      used = kIndent;
    }
    if (last && out.width())
      width = std::min(width, std::max(out.width(), used + 1) - used);
    std::string cell = out.width() ? cut_text(cells[i], width) : cells[i];
    std::string padding(width - std::min(width, num_characters(cell)), ' ');
    if (columns_[i].right)
      text += padding;
    Colour colour = columns_[i].colour_of ? columns_[i].colour_of(cells[i]) : columns_[i].colour;
    text += paint(out, heading ? Colour::Heading : colour, cell);
    if (!last)
      text += (columns_[i].right ? "" : padding) + "  ";
    used += width + 2;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

void Table::print(Output &out) const {
  std::vector<std::string> titles;
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); i++) {
    titles.push_back(columns_[i].title);
    size_t width = titles.back().size();
    for (const auto &row : rows_)
      width = std::max(width, num_characters(row[i]));
    widths.push_back(columns_[i].limit ? std::min(width, columns_[i].limit) : width);
  }
  out.write(row_text(out, titles, widths, true));
  for (size_t r = 0; r < rows_.size(); r++) {
    out.write(row_text(out, rows_[r], widths, false));
    out.write(below_[r]);
  }
}

// -------------------------------------------------------------------------------------------------

std::string short_number(const mpz_class &number) {
  static constexpr size_t kShown = 19;
  std::string digits = number.get_str();
  if (digits.size() <= kShown)
    return digits;
  char text[32];
  gmp_snprintf(text, sizeof text, "%.1Fe", mpf_class(number, 64).get_mpf_t());
  return text;
}

std::string plural(uint64_t number, const std::string &noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

} // namespace pathprof
