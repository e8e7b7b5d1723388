#include "run/output/claims_table.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "run/output/text_table.hpp"

namespace rondo {
namespace {

std::string verdict(Judgement const& judgement) {
  switch (judgement.status) {
    case Judgement::Status::holds:
      return fmt::format("holds ({})", judgement.judged);
    case Judgement::Status::fails:
      return fmt::format("**fails** ({} of {})", judgement.judged - judgement.passed, judgement.judged);
    case Judgement::Status::idle:
      return "**says nothing**";
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

std::string claims_markdown(Job const& job, std::vector<Judgement> const& judgements) {
  expects(judgements.size() == job.claims.size(), "a judgement for each claim");
  std::string const name = printable(std::filesystem::path(job.file).filename().string());
  std::string const title = word(job, "title");
  std::string const source = word(job, "source");
  std::string text = fmt::format("### {}\n\n", markdown_text(title.empty() ? name : title));
  text += fmt::format("`{}`{}{}\n\n", name, source.empty() ? "" : ": ", markdown_text(source));
  text += "| claim | verdict | corrected |\n|---|---|---|\n";
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    text += fmt::format("| {} | {} | {} |\n", markdown_text(judgements[i].claim), verdict(judgements[i]),
                        markdown_text(job.claims[i].correction.value_or("")));
  }
  return text + "\n";
}

}  // namespace rondo
