// SPDX-License-Identifier: GPL-3.0-or-later
// Collects lines and paths by the function in which the code was written.
#include "pathdump/model/listing.h"

#include <tuple>

#include <algorithm>
#include <tuple>

#include "pathdump/model/families.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

class Gatherer {
public:
  Gatherer(const Profile &profile, Decoder &decoder, const Names &names, Ranking ranking, uint64_t limit,
           double threshold)
      : profile_(profile), decoder_(decoder), names_(names), ranking_(ranking), limit_(limit), threshold_(threshold),
        families_(profile, decoder.file()) {}

  Listings run() {
    for (size_t i = 0; i < profile_.functions.size(); i++)
      if (!is_left_out(profile_.functions[i]))
        add_body(i);
      else if (names_.selects_name(profile_.functions[i].notes.name))
        result_.left_out.push_back(&profile_.functions[i]);
    own_paths_.resize(profile_.functions.size());
    for (size_t i = 0; i < profile_.functions.size(); i++)
      if (!is_left_out(profile_.functions[i]))
        add_function(i);
    for (size_t i = 0; i < profile_.functions.size(); i++)
      share_out(i);
    for (Listing &listing : result_.functions)
      finish(listing);
    sort();
    return std::move(result_);
  }

private:
  static constexpr size_t kNone = SIZE_MAX;

  void add_body(size_t index) {
    const Function &function = profile_.functions[index];
    Listing listing;
    listing.name = function.notes.name;
    listing.file = function.file;
    listing.line = function.notes.line;
    listing.body = index;
    of_body_[index] = result_.functions.size();
    of_copy_.try_emplace({listing.name, listing.file}, result_.functions.size());
    result_.functions.push_back(std::move(listing));
  }

  // Returns the listing to which code of a function belongs: the listing of the function itself or, for inlined code,
  // the listing of the function that was inlined.
  size_t owner(size_t index, const std::string &inlined, const std::string &file) {
    const Function &function = profile_.functions[index];
    if (inlined.empty() || (inlined == function.notes.name && file == function.file))
      return of_body_.at(index);
    auto [at, is_new] = of_copy_.try_emplace({inlined, file}, result_.functions.size());
    if (is_new) {
      Listing listing;
      listing.name = inlined;
      listing.file = file;
      result_.functions.push_back(std::move(listing));
    }
    return at->second;
  }

  bool is_wanted(const Listing &listing) {
    auto [at, is_new] = wanted_.try_emplace(listing.name, false);
    if (is_new)
      at->second = names_.selects_name(listing.name);
    return at->second;
  }

  // Adds the lines and totals of a function. The function's paths are stored until the total weight of the profile is
  // known.
  void add_function(size_t index) {
    const Decoded &decoded = decoder_.decoded(index);
    bool is_listed = add_lines(index, decoded);
    bool has_copies = copies_.count(index) != 0;
    static constexpr size_t kBatch = 65536;
    Weight weight = 0;
    std::vector<HotPath> &paths = own_paths_[index];
    Listing &own = result_.functions[of_body_.at(index)];
    Totals totals = for_each_path(profile_.functions[index], index, decoded, ranking_, [&](const HotPath &path) {
      weight += path.weight;
      own.num_paths++;
      if (!is_listed)
        return;
      paths.push_back(path);
      if (!has_copies && paths.size() / 2 > std::max<uint64_t>(limit_, kBatch))
        keep_best(paths, limit_);
    });
    if (profile_.functions[index].in_program)
      weight = totals.statements;
    result_.weight += weight;
    own.totals = totals;
    own.totals.calls = families_.calls(profile_.functions[index], totals.calls);
    own.weight = weight;
  }

  // Adds the lines of a function. Returns true if any code of the function is in a selected listing.
  bool add_lines(size_t index, const Decoded &decoded) {
    const Function &function = profile_.functions[index];
    std::map<size_t, std::set<Line>> owned; // lines by listing
    for (const BlockNotes &block : function.notes.blocks)
      for (const LineRef &line : block.lines)
        if (line.line)
          owned[owner(index, line.site ? function.notes.sites[line.site - 1].function : std::string(),
                      (*function.files)[line.file])]
              .insert({line.file, line.line});
    size_t own = of_body_.at(index);
    bool is_listed = is_wanted(result_.functions[own]);
    for (const auto &[at, lines] : owned)
      is_listed |= is_wanted(result_.functions[at]);
    if (!is_listed)
      return false;
    std::map<Line, LineCount> counts = count_lines(function, decoded);
    for (const auto &[at, lines] : owned) {
      Listing &listing = result_.functions[at];
      if (!is_wanted(listing))
        continue;
      for (const Line &line : lines)
        listing.lines[{(*function.files)[line.first], line.second}].count.add(counts[line]);
      if (at == own)
        continue;
      listing.inlined_into.insert(index);
      copies_[index].insert(at);
    }
    return true;
  }

  // Adds the hottest paths of a function to its own listing and to the listings of the functions that were inlined into
  // it.
  void share_out(size_t index) {
    std::vector<HotPath> paths = std::move(own_paths_[index]);
    if (paths.empty())
      return;
    auto copies = copies_.find(index);
    bool has_copies = copies != copies_.end();
    if (!has_copies)
      keep_best(paths, limit_);
    std::sort(paths.begin(), paths.end());
    std::map<size_t, uint64_t> taken; // number of this function's paths by listing
    auto add = [&](size_t at, const HotPath &path) {
      if ((limit_ == 0 || taken[at] < limit_) && reaches_threshold(path.weight)) {
        result_.functions[at].paths.push_back(path);
        taken[at]++;
      }
    };
    size_t own = of_body_.at(index);
    for (const HotPath &path : paths) {
      if (is_wanted(result_.functions[own]))
        add(own, path);
      if (!has_copies)
        continue;
      std::set<size_t> passed;
      for (const Stretch &stretch : line_sequence_of(profile_.functions[index], decoder_.path(path)))
        passed.insert(owner(index, stretch.inlined, stretch.file));
      for (size_t at : passed)
        if (copies->second.count(at)) {
          result_.functions[at].num_paths++;
          add(at, path);
        }
    }
  }

  bool reaches_threshold(Weight weight) const {
    return per_cent(static_cast<double>(weight), static_cast<double>(result_.weight)) >= threshold_;
  }

  void finish(Listing &listing) {
    keep_best(listing.paths, limit_);
    std::sort(listing.paths.begin(), listing.paths.end());
    auto self = static_cast<size_t>(&listing - result_.functions.data());
    for (uint32_t rank = 0; rank < listing.paths.size(); rank++) {
      const HotPath &hot = listing.paths[rank];
      for (const Stretch &stretch : line_sequence_of(profile_.functions[hot.function], decoder_.path(hot))) {
        if (owner(hot.function, stretch.inlined, stretch.file) != self)
          continue;
        auto line = listing.lines.lower_bound({stretch.file, stretch.first});
        for (; line != listing.lines.end() && line->first <= std::make_pair(stretch.file, stretch.last); ++line)
          if (line->second.paths.empty() || line->second.paths.back() != rank)
            line->second.paths.push_back(rank);
      }
    }
    if (listing.line == 0 && !listing.lines.empty())
      listing.line = listing.lines.begin()->first.second;
  }

  // Returns true if the listing's weight reaches the threshold. A function with interprocedural paths has a weight but
  // no paths of its own.
  bool is_hot(const Listing &listing) const { return listing.weight > 0 && reaches_threshold(listing.weight); }

  // Removes the listings that are not selected, have neither a body nor lines, or are below the threshold, and sorts
  // the rest.
  void sort() {
    auto &all = result_.functions;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const Listing &listing) {
                               return !is_wanted(listing) || (!listing.body && listing.lines.empty()) ||
                                      (threshold_ > 0 && !listing.has_run() && !is_hot(listing));
                             }),
              all.end());
    std::stable_sort(all.begin(), all.end(), [](const Listing &a, const Listing &b) {
      return std::tie(a.file, a.line, a.name) < std::tie(b.file, b.line, b.name);
    });
  }

  const Profile &profile_;
  Decoder &decoder_;
  const Names &names_;
  Ranking ranking_;
  uint64_t limit_;
  double threshold_;
  Listings result_;
  std::map<size_t, size_t> of_body_;                              // index of the listing by function
  std::map<std::pair<std::string, std::string>, size_t> of_copy_; // index of the listing by name and file
  std::map<size_t, std::set<size_t>> copies_;                     // selected listings of inlined code, by function
  std::map<std::string, bool> wanted_;
  std::vector<std::vector<HotPath>> own_paths_;
  Families families_;
};

} // namespace

Listings make_listings(const Profile &profile, Decoder &decoder, const Names &names, Ranking ranking, uint64_t limit,
                       double threshold) {
  return Gatherer(profile, decoder, names, ranking, limit, threshold).run();
}

bool lines_ran(const Listing &listing) {
  return listing.has_run() || std::any_of(listing.lines.begin(), listing.lines.end(),
                                          [](const auto &line) { return line.second.count.count() > 0; });
}

bool hotter(const Listing &a, const Listing &b) {
  auto hottest = [](const Listing &listing) { return listing.has_run() ? listing.paths.front().weight : Weight{0}; };
  return std::make_tuple(a.weight, lines_ran(a), hottest(a)) > std::make_tuple(b.weight, lines_ran(b), hottest(b));
}

std::vector<std::pair<std::string, LinesOfFile>> lines_by_file(const Listing &listing, const Names &names) {
  std::map<std::string, LinesOfFile> files;
  for (const auto &[place, line] : listing.lines)
    if (names.selects_file(place.first))
      files[place.first].emplace_back(place.second, &line);
  std::vector<std::pair<std::string, LinesOfFile>> sorted(files.begin(), files.end());
  std::stable_partition(sorted.begin(), sorted.end(), [&](const auto &file) { return file.first == listing.file; });
  return sorted;
}

LinesOfFile with_lines_between(const LinesOfFile &lines, Sources &sources, size_t file) {
  static constexpr uint32_t kGap = 20;
  bool has_text =
      std::any_of(lines.begin(), lines.end(), [&](const auto &line) { return sources.line(file, line.first); });
  LinesOfFile all;
  uint32_t previous = lines.empty() ? 0 : lines.front().first;
  for (const auto &[number, line] : lines) {
    if (number - previous > kGap)
      all.emplace_back(0, nullptr);
    else if (has_text)
      for (uint32_t between = previous + 1; between < number; between++)
        all.emplace_back(between, nullptr);
    all.emplace_back(number, line);
    previous = number;
  }
  return all;
}

const UnitSources &unit_of(const Profile &profile, const Listing &listing, const std::string &file) {
  const UnitSources *unit = nullptr;
  auto look_in = [&](size_t function) {
    const UnitSources *other = profile.functions[function].sources;
    bool has_file = std::find(other->files.begin(), other->files.end(), file) != other->files.end();
    if (!unit && has_file)
      unit = other;
  };
  if (listing.body)
    look_in(*listing.body);
  std::for_each(listing.inlined_into.begin(), listing.inlined_into.end(), look_in);
  return *unit;
}

} // namespace pathprof
