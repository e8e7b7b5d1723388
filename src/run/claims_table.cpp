#include "run/claims_table.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"

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

/// Text in a cell: nothing in it is markup or ends the cell.
std::string cell(std::string const& text) {
  std::string result;
  for (char const c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '<' || c == '`') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string word(Job const& job, char const* key) {
  auto const& scenario = job.sweep[0].expanded;
  return scenario.contains(key) ? scenario[key].get<std::string>() : "";
}

}  // namespace

std::string claims_markdown(Job const& job, std::vector<Judgement> const& judgements) {
  expects(judgements.size() == job.claims.size(), "a judgement for each claim");
  std::string const name = std::filesystem::path(job.file).filename().string();
  std::string const title = word(job, "title");
  std::string const source = word(job, "source");
  std::string text = fmt::format("### {}\n\n", cell(title.empty() ? name : title));
  text += fmt::format("`{}`{}{}\n\n", name, source.empty() ? "" : ": ", cell(source));
  text += "| claim | verdict | corrected |\n|---|---|---|\n";
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    text += fmt::format("| {} | {} | {} |\n", cell(judgements[i].claim), verdict(judgements[i]),
                        cell(job.claims[i].correction.value_or("")));
  }
  return text + "\n";
}

}  // namespace rondo
