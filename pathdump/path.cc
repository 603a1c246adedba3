// SPDX-License-Identifier: GPL-3.0-or-later
// pathdump path: one path, block by block.
#include <algorithm>
#include <charconv>

#include <CLI/CLI.hpp>

#include "pathdump/commands.h"
#include "pathdump/common.h"
#include "pathdump/json.h"
#include "pathdump/trail.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::vector<std::string> arguments;
};

std::string with_checksum(const Function &function) {
  return fmt::format("{}@{:08x}", function.notes.name, function.notes.checksum());
}

// True for the file itself and for what is left of it after a '/'.
bool is_file(const std::string &wanted, const std::string &file) {
  if (wanted.empty() || wanted.size() > file.size())
    return false;
  size_t rest = file.size() - wanted.size();
  return file.compare(rest, wanted.size(), wanted) == 0 && (rest == 0 || file[rest - 1] == '/');
}

// FUNC is a name, assembler or demangled, with or without parameters, or NAME@CHECKSUM; FILE:
// before it tells functions of one name apart.
bool is_meant(const std::string &wanted, const Function &function, const Names &names) {
  std::vector<std::string> accepted = spellings(function.notes.name);
  accepted.push_back(with_checksum(function));
  for (const std::string &name : accepted) {
    if (wanted == name)
      return true;
    if (wanted.size() <= name.size() + 1 ||
        wanted.compare(wanted.size() - name.size() - 1, std::string::npos, ":" + name) != 0)
      continue;
    std::string file = wanted.substr(0, wanted.size() - name.size() - 1);
    if (is_file(file, function.file) || is_file(file, names.file(function.file)))
      return true;
  }
  return false;
}

const Function &find_function(const Profile &profile, const std::string &wanted,
                              const Names &names) {
  std::vector<const Function *> found;
  for (const Function &function : profile.functions)
    if (is_meant(wanted, function, names))
      found.push_back(&function);
  if (found.empty())
    throw Failure(kWrongUse, fmt::format("no function '{}' in the profile; 'pathdump functions' "
                                         "lists them",
                                         wanted));
  if (found.size() == 1)
    return *found.front();
  std::vector<std::string> choices;
  for (const Function *function : found) {
    bool file_tells =
        std::count_if(found.begin(), found.end(), [&](const Function *other) {
          return other->file == function->file && other->notes.name == function->notes.name;
        }) == 1;
    choices.push_back(names.file(function->file) + ":" +
                      (file_tells ? function->notes.name : with_checksum(*function)));
  }
  throw Failure(kWrongUse, fmt::format("several functions are called '{}'; say which: {}", wanted,
                                       fmt::join(choices, " ")));
}

uint64_t parse_id(const std::string &text, const Function &function, const Decoded &decoded) {
  uint64_t id = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size() || !decoded.regenerate(id))
    throw Failure(kWrongUse,
                  fmt::format("no path '{}': the paths of {} are 0 to {}{}", text,
                              function.notes.name, function.notes.num_paths - 1,
                              function.notes.counts_prefixes() ? ", and those cut short" : ""));
  return id;
}

// A path of a function with what there is to say about it.
struct Found {
  const Function &function;
  ExecutedPath executed;
  Path path;

  // The flags of the edge that the path takes from its i-th block; the last one's end is the
  // path's.
  Json taken_from(size_t i) const {
    size_t edge = i;
    for (const Passage &passage : path.passages)
      edge += passage.blocks <= i;
    return edge < path.edges.size() ? flags_json(function.notes.graph.edge(path.edges[edge]).flags) : Json::array();
  }
};

ExecutedPath find_executed(const Function &function, uint64_t id) {
  const auto &paths = id < function.notes.num_paths ? function.paths : function.cut_short;
  auto at =
      std::lower_bound(paths.begin(), paths.end(), id,
                       [](const ExecutedPath &path, uint64_t wanted) { return path.id < wanted; });
  return at != paths.end() && at->id == id ? *at : ExecutedPath{id, 0};
}

void print_json(const Found &found, const Names &names, Output &out) {
  const FunctionNotes &notes = found.function.notes;
  Json blocks = Json::array();
  for (size_t i = 0; i < found.path.blocks.size(); i++) {
    Json block = block_json(found.function, found.path.blocks[i], names);
    block["taken"] = found.taken_from(i);
    blocks.push_back(std::move(block));
  }
  Json json = {{"function", notes.name},
               {"demangled", names.function(notes.name)},
               {"file", names.file(found.function.file)},
               {"line", notes.line},
               {"id", std::to_string(found.executed.id)},
               {"count", count_json(found.executed.count)},
               {"statements", count_json(statements_of(found.function, found.path))},
               {"start", to_string(found.path.start)},
               {"end", to_string(found.path.end)},
               {"blocks", std::move(blocks)}};
  if (has_cycles(found.function, found.executed))
    json["cycles"] = count_json(found.executed.cycles);
  add_context(json, found.path);
  out.print("{}\n", dump_indented(json));
}

std::string block_name(int block) {
  return block == kEntryBlock ? "ENTRY" : block == kExitBlock ? "EXIT" : std::to_string(block);
}

std::string taken_text(const Found &found, size_t i) {
  if (found.path.blocks[i] == kExitBlock)
    return "";
  if (i + 1 == found.path.blocks.size() && !found.path.ends_in_passage())
    return to_string(found.path.end);
  std::vector<std::string> flags = found.taken_from(i);
  return fmt::format("{}", fmt::join(flags, ","));
}

// "context", and which part of it where there are several; nothing behind it.
std::string context_name(const Path &path, size_t i) {
  if (i >= path.context_blocks)
    return "";
  auto part = std::upper_bound(path.contexts.begin(), path.contexts.end(), i) - path.contexts.begin();
  return path.contexts.size() == 1 ? "context" : fmt::format("context {}", part + 1);
}

void print_text(const Found &found, const Names &names, Sources &sources, Output &out) {
  const FunctionNotes &notes = found.function.notes;
  std::string cycles;
  if (has_cycles(found.function, found.executed))
    cycles = " in " + plural(found.executed.cycles, "cycle");
  out.print("path {} of {} ({}:{}): executed {}{}, {}, from {} to {}\n\n", found.executed.id,
            paint(out, Colour::Name, names.function(notes.name)), names.file(found.function.file),
            notes.line, plural(found.executed.count, "time"), cycles,
            plural(statements_of(found.function, found.path), "statement"),
            to_string(found.path.start), to_string(found.path.end));
  std::vector<Column> columns{{"block", true}, {"stmts", true}, {"then"}, {"lines", false, Colour::Place}};
  bool has_context = found.path.context_blocks > 0;
  if (has_context)
    columns.insert(columns.begin(), {"context"});
  Table table(std::move(columns));
  size_t passed = 0;
  auto add_passages = [&](size_t blocks) {
    for (; passed < found.path.passages.size() && found.path.passages[passed].blocks == blocks; passed++) {
      const Passage &passage = found.path.passages[passed];
      std::vector<std::string> cells = {fmt::format("{{{}}}", passage.head), "", "collapsed loop",
                                        passage_text(found.function, passage)};
      if (has_context)
        cells.insert(cells.begin(), context_name(found.path, blocks - 1));
      table.add(std::move(cells));
    }
  };
  for (size_t i = 0; i < found.path.blocks.size(); i++) {
    add_passages(i);
    int block = found.path.blocks[i];
    Path part = single_block(found.path, i);
    std::vector<Stretch> trail = trail_of(found.function, part);
    std::vector<std::string> cells = {block_name(block), std::to_string(notes.blocks[block].statements),
                                      taken_text(found, i),
                                      trail.empty() ? "" : trail_text(found.function, part, names)};
    if (has_context)
      cells.insert(cells.begin(), context_name(found.path, i));
    table.add(std::move(cells), source_text(out, sources, trail));
  }
  add_passages(found.path.blocks.size());
  table.print(out);
}

int run(const Options &options) {
  const std::vector<std::string> &arguments = options.arguments;
  if (arguments.size() < 2 || arguments.size() > 3)
    throw Failure(kWrongUse,
                  "path: needs a function and a path's number: pathdump path [FILE] FUNC "
                  "ID");
  std::string file = choose_profile(arguments.size() == 3 ? arguments.front() : "");
  const std::string &wanted = arguments[arguments.size() - 2], &number = arguments.back();
  Profile profile = open_profile(file);
  Names names(options);
  const Function &function = find_function(profile, wanted, names);
  if (is_left_out(function))
    throw Failure(kWrongUse, fmt::format("{} has no paths, it was left out: {}",
                                         function.notes.name, why_left_out(function)));
  std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
  uint64_t id = parse_id(number, function, *decoded);
  Found found{function, find_executed(function, id), *decoded->regenerate(id)};
  Sources sources(names, file);
  Output out(options);
  if (options.json)
    print_json(found, names, out);
  else
    print_text(found, names, sources, out);
  out.commit();
  return kGood;
}

} // namespace

Run declare_path(CLI::App &command) {
  auto options = std::make_shared<Options>();
  command.add_option("[FILE] FUNC ID", options->arguments,
                     "the profile (without it, the only *.pathprof here), the function (NAME, "
                     "FILE:NAME or NAME@CHECKSUM) and the path's number");
  add_common_options(command, *options, kJsonOption | kNameOptions);
  return [options] { return run(*options); };
}

} // namespace pathprof
