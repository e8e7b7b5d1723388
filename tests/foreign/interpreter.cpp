#include "foreign/interpreter.hpp"

#include <deque>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

namespace rondo::witness {
namespace {

Element attributes(std::string const& line) {
  static std::regex const attribute(R"((\w+)="([^"]*)\")");
  Element result;
  for (std::sregex_iterator i(line.begin(), line.end(), attribute), end; i != end; ++i) result[(*i)[1]] = (*i)[2];
  return result;
}

std::string tag(char const* name, Element const& element, char const* end) {
  std::string result = std::string("<") + name;
  for (auto const& [key, value] : element) result += " " + key + "=\"" + value + "\"";
  return result + end + "\n";
}

int number(Element const& element, char const* name) { return std::stoi(element.at(name)); }

/// How often each contribution has entered, by rank and chunk; unset: nothing was ever written.
using Chunk = std::optional<std::map<std::pair<int, int>, int>>;

struct Wrong {
  std::string what;
};

class Run {
 public:
  Run(File const& file, std::uint64_t seed) : file_(file), random_(seed) {
    gpus_ = static_cast<int>(file.gpus.size());
    chunks_ = number(file.algo, "nchunksperloop");
    coll_ = file.algo.at("coll");
    in_place_ = file.algo.at("inplace") == "1";
    inputs_ = coll_ == "allgather" ? chunks_ / gpus_ : chunks_;
    outputs_ = coll_ == "reduce_scatter" ? chunks_ / gpus_ : chunks_;
    for (int g = 0; g < gpus_; ++g) {
      scratch_.emplace_back(static_cast<std::size_t>(number(file.gpus[idx(g)].gpu, "s_chunks")));
      output_.emplace_back(idx(chunks_));
      input_.emplace_back(idx(chunks_));
      for (int k = 0; k < inputs_; ++k) cell(g, "i", k) = std::map<std::pair<int, int>, int>{{{g, k}, 1}};
      done_.emplace_back(file.gpus[idx(g)].blocks.size(), 0);
      flag_.emplace_back(file.gpus[idx(g)].blocks.size(), -1);
    }
  }

  void run() {
    auto const all = file_.all_blocks();
    std::size_t idle = 0;
    while (idle < all.size()) {
      // A thread block that is drawn goes some steps at a time, so that some run far ahead.
      auto const [g, b] = all[random_() % all.size()];
      std::size_t const most = random_() % 3 == 0 ? 1000 : 1;
      bool moved = false;
      for (std::size_t i = 0; i < most && step(g, b); ++i) moved = true;
      if (moved)
        idle = 0;
      else if (++idle >= all.size())
        idle = try_all(all) ? 0 : all.size();
    }
    for (auto const& [g, b] : all) {
      if (done_[g][b] < file_.gpus[g].blocks[b].steps.size()) throw Wrong{"a thread block waits for ever"};
    }
    for (auto const& [connection, queue] : queues_) {
      if (!queue.empty()) throw Wrong{"a message that nobody takes"};
    }
    for (int g = 0; g < gpus_; ++g) check(g);
  }

 private:
  static std::size_t idx(int i) { return static_cast<std::size_t>(i); }

  bool try_all(std::vector<std::pair<std::size_t, std::size_t>> const& all) {
    bool moved = false;
    for (auto const& [g, b] : all) moved = step(g, b) || moved;
    return moved;
  }

  Chunk& cell(int g, std::string const& buffer, int k) {
    auto& all = buffer == "s" ? scratch_ : buffer == "i" ? input_ : output_;
    auto* where = &all[idx(g)];
    if (in_place_ && buffer != "s") {
      where = &output_[idx(g)];
      if (buffer == "i" && coll_ == "allgather") k += g * inputs_;
      if (buffer == "o" && coll_ == "reduce_scatter") k += g * outputs_;
    }
    if (k < 0 || idx(k) >= where->size()) throw Wrong{"a chunk outside of its buffer"};
    return (*where)[idx(k)];
  }

  std::vector<Chunk> load(std::size_t g, Element const& step, char const* buffer, char const* offset) {
    std::vector<Chunk> result;
    for (int k = 0; k < number(step, "cnt"); ++k) {
      result.push_back(cell(static_cast<int>(g), step.at(buffer), number(step, offset) + k));
      if (!result.back()) throw Wrong{"a chunk is read before it is written"};
    }
    return result;
  }
  void store(std::size_t g, Element const& step, std::vector<Chunk> const& chunks) {
    for (int k = 0; k < number(step, "cnt"); ++k) {
      cell(static_cast<int>(g), step.at("dstbuf"), number(step, "dstoff") + k) = chunks[idx(k)];
    }
  }
  static std::vector<Chunk> joined(std::vector<Chunk> a, std::vector<Chunk> const& b) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      for (auto const& [contribution, times] : *b[k]) (*a[k])[contribution] += times;
    }
    return a;
  }

  /// Takes the next step of a thread block if it can go on.
  bool step(std::size_t g, std::size_t b) {
    auto const& block = file_.gpus[g].blocks[b];
    if (done_[g][b] >= block.steps.size()) return false;
    Element const& each = block.steps[done_[g][b]];
    if (number(each, "depid") >= 0) {
      auto const on = idx(number(each, "depid"));
      if (on >= flag_[g].size()) throw Wrong{"no such thread block"};
      if (flag_[g][on] < number(each, "deps")) return false;
    }
    std::string const& type = each.at("type");
    bool const takes = type[0] == 'r' && type != "re";
    std::vector<Chunk> came;
    if (takes) {
      auto& queue = queues_[{number(block.tb, "recv"), static_cast<int>(g), number(block.tb, "chan")}];
      if (queue.empty()) return false;
      came = queue.front();
      if (came.size() != idx(number(each, "cnt"))) throw Wrong{"a message of another size"};
      queue.pop_front();
    }
    act(g, block.tb, each, came);
    ++done_[g][b];
    if (each.at("hasdep") == "1" && type != "nop") flag_[g][b] = static_cast<int>(done_[g][b]) - 1;
    return true;
  }

  void act(std::size_t g, Element const& tb, Element const& each, std::vector<Chunk> const& came) {
    std::string const& type = each.at("type");
    auto const source = [&] { return load(g, each, "srcbuf", "srcoff"); };
    auto const send = [&](std::vector<Chunk> const& chunks) {
      queues_[{static_cast<int>(g), number(tb, "send"), number(tb, "chan")}].push_back(chunks);
    };
    if (type == "s") send(source());
    if (type == "r") store(g, each, came);
    if (type == "rcs") store(g, each, came), send(came);
    if (type == "rrs") send(joined(source(), came));
    if (type == "rrc") store(g, each, joined(source(), came));
    if (type == "rrcs") {
      auto const result = joined(source(), came);
      store(g, each, result);
      send(result);
    }
    if (type == "cpy") store(g, each, source());
    if (type == "re") store(g, each, joined(load(g, each, "dstbuf", "dstoff"), source()));
  }

  void check(int g) {
    int const each = chunks_ / gpus_;
    for (int k = 0; k < outputs_; ++k) {
      std::map<std::pair<int, int>, int> owed;
      if (coll_ == "allgather") owed[{k / each, k % each}] = 1;
      if (coll_ == "alltoall") owed[{k / each, g * each + k % each}] = 1;
      for (int r = 0; r < gpus_; ++r) {
        if (coll_ == "allreduce") owed[{r, k}] = 1;
        if (coll_ == "reduce_scatter") owed[{r, g * each + k}] = 1;
      }
      if (cell(g, "o", k) != Chunk(owed)) throw Wrong{"what is owed is not there"};
    }
  }

  File const& file_;
  std::mt19937_64 random_;
  int gpus_, chunks_, inputs_ = 0, outputs_ = 0;
  std::string coll_;
  bool in_place_ = false;
  std::vector<std::vector<Chunk>> input_, output_, scratch_;
  std::map<std::tuple<int, int, int>, std::deque<std::vector<Chunk>>> queues_;
  std::vector<std::vector<std::size_t>> done_;
  std::vector<std::vector<int>> flag_;
};

}  // namespace

File File::parse(std::string const& text) {
  File file;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("<algo") != std::string::npos) file.algo = attributes(line);
    if (line.find("<gpu") != std::string::npos) file.gpus.push_back({attributes(line), {}});
    if (line.find("<tb") != std::string::npos) file.gpus.back().blocks.push_back({attributes(line), {}});
    if (line.find("<step") != std::string::npos) file.gpus.back().blocks.back().steps.push_back(attributes(line));
  }
  return file;
}

std::string File::text() const {
  std::string result = tag("algo", algo, ">");
  for (Gpu const& gpu : gpus) {
    result += tag("gpu", gpu.gpu, ">");
    for (Block const& block : gpu.blocks) {
      result += tag("tb", block.tb, ">");
      for (Element const& step : block.steps) result += tag("step", step, "/>");
      result += "</tb>\n";
    }
    result += "</gpu>\n";
  }
  return result + "</algo>\n";
}

std::vector<std::pair<std::size_t, std::size_t>> File::all_blocks() const {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    for (std::size_t b = 0; b < gpus[g].blocks.size(); ++b) result.emplace_back(g, b);
  }
  return result;
}

std::optional<std::string> run(File const& file, std::uint64_t seed) {
  try {
    Run(file, seed).run();
    return std::nullopt;
  } catch (Wrong const& wrong) {
    return wrong.what;
  }
}

}  // namespace rondo::witness
