// Makes the error for an unknown name. A name with a dot may have a wrong value or a wrong field; both are looked up.

#include "run/families/unknown_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/listed.hpp"
#include "base/suggest.hpp"

namespace rondo {
namespace {

using Words = std::vector<std::string>;

/// The fields that most claims use. A message lists only these, because there are too many others.
constexpr std::array usual_fields{"time",      "rounds",      "volume",     "bytes",        "messages",
                                  "delivered", "theory_time", "bound_time", "bound_rounds", "gap.volume"};

bool has_name(Words const& words, std::string const& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The names of a claim, taken apart.
struct ClaimNames {
  Words owners;  ///< what stands before a dot, each once
  Words alone;   ///< names without a dot
  Words fields;  ///< what stands behind the dot of the one that is asked about
};

/// Divides names into values of `across`, their fields, and names without a dot.
ClaimNames apart(Names const& all_names, std::string const& owner) {
  ClaimNames names;
  for (auto const& [name, value] : all_names) {
    std::size_t const dot = name.find('.');
    std::string const before = name.substr(0, dot);
    if (dot == std::string::npos) {
      names.alone.push_back(name);
    } else {
      if (!has_name(names.owners, before)) names.owners.push_back(before);
      if (before == owner) names.fields.push_back(name.substr(dot + 1));
    }
  }
  return names;
}

/// The known word, or the words that are most similar to it.
Words nearest(std::string const& word, Words const& words) {
  if (has_name(words, word)) return {word};
  return near_names(word, words);
}

/// OWNER.FIELD for each of the fields.
Words with_owner(std::string const& owner, Words fields) {
  for (std::string& field : fields) field.insert(0, owner + ".");
  return fields;
}

/// "time, rounds, ...": those of the usual fields that there are.
std::string shown_fields(Words const& fields) {
  Words shown;
  for (char const* field : usual_fields) {
    if (has_name(fields, field)) shown.emplace_back(field);
  }
  if (shown.size() == fields.size()) return listed(shown, ", ");
  if (shown.empty()) return "rondo list fields has them";
  return fmt::format("{}, ...; rondo list fields has all", listed(shown, ", "));
}

/// The first of many.
std::string shown_names(Words words) {
  constexpr std::size_t most = 16;
  std::size_t const more = words.size() > most ? words.size() - most : 0;
  words.resize(words.size() - more);
  return fmt::format("{}{}", listed(words, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

/// OWNER.FIELD
std::string of_field(std::string const& owner, std::string const& field, Names const& all_names) {
  ClaimNames const names = apart(all_names, owner);
  if (names.fields.empty()) {
    Words near;
    for (std::string const& each : nearest(owner, names.owners)) {
      for (std::string& name : with_owner(each, nearest(field, apart(all_names, each).fields))) near.push_back(name);
    }
    return fmt::format("{} (names before a dot: {})", did_you_mean(near), shown_names(names.owners));
  }
  if (field == "optimal" && has_name(names.fields, "optimal.rounds")) {
    return fmt::format(
        ", which is text; {}.optimal.rounds, .volume, .critical, .total, .messages and .volume_in_rounds are true or "
        "false",
        owner);
  }
  return fmt::format("{} (fields of {}: {})", did_you_mean(with_owner(owner, nearest(field, names.fields))), owner,
                     shown_fields(names.fields));
}

/// A name without a dot.
std::string of_word(std::string const& name, Names const& all_names) {
  ClaimNames const names = apart(all_names, name);
  if (!names.fields.empty()) {
    return fmt::format(": after \"{}\" a dot and a field are expected ({})", name, shown_fields(names.fields));
  }
  std::string const& owner = names.owners.front();
  Words const fields = apart(all_names, owner).fields;
  Words near = has_name(fields, name) ? with_owner(owner, {name}) : nearest(name, names.alone);
  if (near.empty()) near = nearest(name, names.owners);
  return fmt::format("{} (known: {}; fields of {}: {})", did_you_mean(near), shown_names(names.alone),
                     shown_names(names.owners), shown_fields(fields));
}

/// In an expression of a size: a similar name, or all where they are few.
std::string of_size(std::string const& name, Names const& all_names) {
  Words names;
  for (auto const& [each, value] : all_names) names.push_back(each);
  std::string const similar = did_you_mean(name, names);
  constexpr std::size_t few = 12;
  bool const all = similar.empty() && names.size() <= few;
  return all ? fmt::format("; known are {}", listed(names, ", ")) : similar;
}

}  // namespace

/// What may have been meant: a function without its parenthesis, a name of another algorithm, or a misspelt one.
std::string unknown_name(std::string const& name, bool called, Names const& all_names, Words const& functions) {
  std::string const start = fmt::format("unknown {} \"{}\"", called ? "function" : "name", excerpt(name));
  if (called)
    return fmt::format("{}{} (functions: {})", start, did_you_mean(nearest(name, functions)), listed(functions, ", "));
  if (has_name(functions, name)) return fmt::format("{}, which is a function: {}(...)", start, name);
  bool const in_claim = std::any_of(all_names.begin(), all_names.end(),
                                    [](auto const& each) { return each.first.find('.') != std::string::npos; });
  if (!in_claim) return start + of_size(name, all_names);
  if (name == "alpha" || name == "beta") return start + ", which only \"linear\" timing without \"pieces\" has";
  std::size_t const dot = name.find('.');
  if (dot == std::string::npos) return start + of_word(name, all_names);
  return start + of_field(name.substr(0, dot), name.substr(dot + 1), all_names);
}

}  // namespace rondo
