// Prints claims and verdicts as a Markdown table.

#include "run/output/claims_table.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "run/output/text_table.hpp"

namespace rondo {
namespace {

/// "refuted (1 of 5)": at how many combinations it does not hold.
std::string contrary(char const* word, Judgement const& judgement) {
  return fmt::format("{} ({} of {})", word, judgement.judged - judgement.passed, judgement.judged);
}

/// The verdict with the number of combinations; failures are bold.
std::string verdict(Judgement const& judgement, bool corrects) {
  switch (judgement.status) {
    case Judgement::Status::holds:
      return fmt::format("{} ({})", corrects ? "corrected" : "holds", judgement.judged);
    case Judgement::Status::fails:
      return contrary("**fails**", judgement);
    case Judgement::Status::idle:
      return "**says nothing**";
    case Judgement::Status::refuted:
      return contrary("refuted", judgement);
    case Judgement::Status::explained:
      return contrary("explained", judgement);
    case Judgement::Status::unexplained:
      return contrary("unexplained", judgement);
    case Judgement::Status::wrong:
      return "**error**";
    case Judgement::Status::lacking:
      return "not judged";
    case Judgement::Status::unjudged:
      break;
  }
  return "**not judged**";
}

std::string word(Job const& job, char const* key) {
  auto const& scenario = job.sweep[0].expanded;
  return scenario.contains(key) ? scenario[key].get<std::string>() : "";
}

}  // namespace

/// A table of claims and verdicts for the documentation.
std::string claims_markdown(Job const& job, std::vector<Judgement> const& judgements) {
  expects(judgements.size() == job.claims.size(), "a judgement for each claim");
  std::string const name = printable(std::filesystem::path(job.file).filename().string());
  std::string const title = word(job, "title");
  std::string const source = word(job, "source");
  std::string text = fmt::format("### {}\n\n", markdown_text(title.empty() ? name : title));
  text += fmt::format("`{}`{}{}\n\n", name, source.empty() ? "" : ": ", markdown_text(source));
  text += "| claim | verdict | correction |\n|---|---|---|\n";
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    std::string const correction = job.claims[i].correction.value_or("");
    text += fmt::format("| {} | {} | {} |\n", markdown_text(judgements[i].claim),
                        verdict(judgements[i], !correction.empty()), markdown_text(correction));
  }
  return text + "\n";
}

}  // namespace rondo
