// SPDX-License-Identifier: GPL-3.0-or-later
// Marks objects that must be instrumented at link time, and checks the marks when linking.
#include "plugin/entry/lto_marks.h"

#include <algorithm>
#include <string>

#include "plugin/emit/unit.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/passes.h"

namespace pathprof {

namespace {

const char *const arguments_of_links[] = {"stage=late", "mode=context", "mode=piecewise"};

std::string mark_of(const char *argument) {
  std::string name = std::string("__pathprof_") + argument;
  std::replace(name.begin(), name.end(), '=', '_');
  return name;
}

// Returns the plugin argument that requires instrumentation at link time, or an empty string.
std::string argument_of_link(const Arguments &arguments) {
  if (arguments.stage == Stage::Late)
    return std::string("stage=") + to_string(arguments.stage);
  Mode mode = arguments.mode_through_calls();
  return is_interprocedural(mode) ? std::string("mode=") + to_string(mode) : "";
}

// Returns true if a variable with this name exists. Suffixes that link-time optimisation adds to names are ignored.
bool has_variable(const std::string &name) {
  varpool_node *node;
  FOR_EACH_VARIABLE(node)
    if (strncmp(node->name(), name.c_str(), name.size()) == 0)
      return true;
  return false;
}

const pass_data mark_pass_data = {
    SIMPLE_IPA_PASS, "pathprof_mark", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

class MarkPass : public simple_ipa_opt_pass {
public:
  MarkPass(gcc::context *context, std::string mark)
      : simple_ipa_opt_pass(mark_pass_data, context), mark_(std::move(mark)) {}
  bool gate(function *) final override { return flag_generate_lto && !in_lto_p && !seen_error(); }
  unsigned int execute(function *) final override {
    define_mark(mark_.c_str());
    return 0;
  }

private:
  std::string mark_;
};

// Reports an error if a marked object file was compiled with an argument that differs from `own`, the argument of the
// link command.
void refuse_marked(void *, void *own) {
  if (!in_lto_p || seen_error())
    return;
  for (const char *argument : arguments_of_links)
    if (*static_cast<const std::string *>(own) != argument && has_variable(mark_of(argument))) {
      error("pathprof: objects compiled with %<-flto%> and the argument %qs must be linked with the same argument; "
            "pass %<-fplugin-arg-pathprof-%s%> to the link command as well",
            argument, argument);
      return;
    }
}

} // namespace

void check_link(const char *plugin_name, const Arguments &arguments) {
  static std::string own;
  own = argument_of_link(arguments);
  register_callback(plugin_name, PLUGIN_FINISH_UNIT, refuse_marked, &own);
  if (own.empty())
    return;
  register_pass(plugin_name, new MarkPass(g, mark_of(own.c_str())), "visibility");
}

bool is_instrumented_already() {
  return has_variable("__pathprof_unit");
}

} // namespace pathprof
