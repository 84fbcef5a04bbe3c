// Which method the options select, and which options contradict each other: all checks that need no
// graph.
#include "plan/options.hpp"

namespace repsc {
namespace {

[[noreturn]] void refuse(std::string option, std::string value, std::string what,
                         std::vector<Remedy> remedies = {}) {
  throw InvalidOptions(Fault{.what = std::move(what),
                             .option = std::move(option),
                             .value = std::move(value),
                             .remedies = std::move(remedies)});
}

const char* name_of(ConstraintKind kind) { return kind == ConstraintKind::hard ? "hard" : "soft"; }

void check_input(Method method, const InputKinds& given) {
  if (given.representation || given.groups) return;
  if (is_representation_aware(method)) {
    refuse("method", name(method), "it needs a representation graph or groups",
           {{Remedy::Action::use, "representation"}, {Remedy::Action::use, "groups"}});
  }
  if (is_fair_to_groups(method)) {
    refuse("method", name(method),
           "it needs groups, or a representation graph in which groups can be found",
           {{Remedy::Action::use, "groups"}, {Remedy::Action::use, "representation"}});
  }
}

/// A strength implies a soft constraint. A soft constraint has no rank, a hard one no strength.
void check_constraint(Method method, const ClusterOptions& options) {
  if (!is_representation_aware(method)) {
    const std::string what = "it is for urepsc and nrepsc, not for " + name(method);
    if (options.strength) refuse("strength", joined(*options.strength), what);
    if (options.constraint) refuse("constraint", name_of(*options.constraint), what);
  }
  if (options.strength && options.constraint == ConstraintKind::hard) {
    refuse("strength", joined(*options.strength), "a hard constraint has no strength",
           {{Remedy::Action::use, "constraint", "soft"}});
  }
  if (asks_for_soft(options) && options.rank) {
    refuse("rank", in_words(*options.rank),
           "a soft constraint uses all of the representation graph and has no rank",
           {{Remedy::Action::leave_out, "rank"}, {Remedy::Action::use, "constraint", "hard"}});
  }
}

void check_refinement(const InputKinds& given, const ClusterOptions& options) {
  const bool refine = options.refine.value_or(false);
  if (refine && !given.representation && !given.groups) {
    refuse("refine", "", "it needs a representation graph or groups, on which balance is measured");
  }
  if (options.refinement && !refine && !searches(given, options)) {
    refuse("refinement", "", "they have no effect without refinement",
           {{Remedy::Action::use, "refine"}});
  }
}

/// Levels of a search have no meaning for a method that was named.
void check_search(const InputKinds& given, const ClusterOptions& options) {
  const auto check = [&](const std::optional<double>& level, const char* option, double most,
                         const char* range) {
    if (!level) return;
    require_option<InvalidOptions>(*level >= 0 && *level <= most, option, *level,
                                   "it must be a number ", range);
    if (searches(given, options)) return;
    refuse(option, joined(*level),
           given.representation || given.groups
               ? "it is for the automatic choice of method and constraint"
               : "it needs a representation graph or groups",
           {{Remedy::Action::leave_out, option}});
  };
  check(options.keep_structure, "keep_structure", 1, "from 0 to 1");
  check(options.fairness, "fairness", 1e6, "of at least 0");
  if (options.keep_structure && options.fairness) {
    refuse(
        "fairness", joined(*options.fairness), "only one of structure and fairness can be given",
        {{Remedy::Action::leave_out, "keep_structure"}, {Remedy::Action::leave_out, "fairness"}});
  }
  const bool level = options.keep_structure || options.fairness;
  const bool mu =
      options.refinement && (options.refinement->mu || options.refinement->maximize_ratio);
  if (level && mu) {
    refuse(options.fairness ? "fairness" : "keep_structure", "",
           "it cannot be given with a weight of the balance; the search chooses that",
           {{Remedy::Action::leave_out, "mu"}});
  }
}

}  // namespace

bool asks_for_soft(const ClusterOptions& options) {
  return options.strength || options.constraint == ConstraintKind::soft;
}

std::string in_words(const Rank& rank) { return rank.value ? joined(*rank.value) : "exact"; }

bool searches(const InputKinds& given, const ClusterOptions& options) {
  return (given.representation || given.groups) && !options.method && !options.rank &&
         !options.constraint && !options.strength && !options.num_groups;
}

MethodChoice method_choice(const InputKinds& given, const ClusterOptions& options) {
  if (options.method) return {*options.method, "requested"};
  if (options.num_groups) return {Method::nfairsc, "groups are to be found in R"};
  if (given.representation) return {Method::nrepsc, "a representation graph was given"};
  if (given.groups) return {Method::nrepsc, "groups were given"};
  return {Method::nsc, "only a similarity graph was given"};
}

Method choose_method(const InputKinds& given, const ClusterOptions& options) {
  if (options.num_groups && !given.representation) {
    refuse("num_groups", joined(*options.num_groups),
           "it needs a representation graph, in which the groups are found");
  }
  const Method method = method_choice(given, options).method;
  check_input(method, given);
  check_constraint(method, options);
  check_refinement(given, options);
  check_search(given, options);
  return method;
}

Method choose_path_method(const ClusterOptions& options) {
  const Method method = options.method.value_or(Method::nrepsc);
  if (!is_representation_aware(method)) {
    refuse("method", name(method), "a path needs urepsc or nrepsc");
  }
  return method;
}

CutKind choose_target_cut(const InputKinds& given, const ClusterOptions& options) {
  const std::string found = "it cannot be given with a target; the search chooses it";
  if (!given.representation && !given.groups) {
    throw InvalidOptions("a target needs a representation graph or groups");
  }
  if (given.representation && given.groups) {
    refuse("groups", "", "they cannot be given with a representation graph and a target");
  }
  const Method method = options.method.value_or(Method::nrepsc);
  if (is_fair_to_groups(method)) {
    refuse("method", name(method), "it cannot be given with a target",
           {{Remedy::Action::use, "method", "usc"}, {Remedy::Action::use, "method", "nsc"}});
  }
  if (options.rank) refuse("rank", in_words(*options.rank), found);
  if (options.strength) refuse("strength", joined(*options.strength), found);
  if (options.constraint) refuse("constraint", name_of(*options.constraint), found);
  if (options.keep_structure) refuse("keep_structure", joined(*options.keep_structure), found);
  if (options.fairness) refuse("fairness", joined(*options.fairness), found);
  if (options.refine) {
    refuse("refine", *options.refine ? "" : "no",
           "it cannot be given with a target; the search includes refinement");
  }
  return cut_of(method);
}

}  // namespace repsc
