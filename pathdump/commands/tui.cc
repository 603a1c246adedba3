// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump tui`: browses a profile in full-screen mode in the terminal.

#include "pathdump/commands/commands.h"
#include "pathdump/cost/cost_option.h"
#include "pathdump/tui/browser.h"
#include "pathdump/tui/contents.h"
#include "pathdump/tui/screen.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/selection.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::string file;
  std::string cost; // value of --cost
};

int run(const Options &options) {
  if (options.file == "-")
    throw Failure(kWrongUse,
                  fmt::format("tui: standard input is reserved for the keyboard; use '{} tui FILE' to name a profile",
                              program_name));
  std::string file = choose_profile(options.file);
  Profile profile = open_profile(file);
  Names names(options, {&profile});
  // Costs and contents are read before the screen is opened, so that errors appear on the normal screen.
  std::unique_ptr<Costs> costs = open_costs("tui", options.cost, profile, file);
  tui::Contents contents(profile, file, names, options,
                         basis_of("tui", {"", options.cost}, profile, file, costs.get()));
  {
    tui::Screen screen(wants_colours(options.color, true));
    tui::Browser(contents, screen).run();
  }
  return status_of_selection(options, names, profile, file, kGood, Selectable::Code);
}

} // namespace

Run declare_tui(Subcommand &command) {
  auto options = std::make_shared<Options>();
  command.add_operand("FILE", options->file,
                      "profile to browse (default: the only *.pathprof in the working directory)");
  add_cost_option(command, options->cost);
  add_common_options(command, *options,
                     kScreenOptions | kNameOptions | kFullNamesOption | kSelectionOptions | kCodesOption);
  return [options] { return run(*options); };
}

} // namespace pathprof
