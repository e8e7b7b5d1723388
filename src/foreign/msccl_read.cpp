// Reads MSCCL XML with expat, element by element. An exception must not pass through expat's C code, so callbacks store
// it, and it is thrown again outside.

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <exception>
#include <limits>
#include <map>
#include <new>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "foreign/msccl.hpp"

namespace rondo::msccl {

namespace {

constexpr std::int32_t most_gpus = 1 << 20;
constexpr std::int32_t most_chunks = 1 << 26;
constexpr std::int32_t most_number = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t most_steps = std::size_t{1} << 30;

bool sends(StepType type) {
  return type == StepType::send || type == StepType::copy_on || type == StepType::reduce_on ||
         type == StepType::reduce_into_on;
}
bool receives(StepType type) {
  return type != StepType::send && type != StepType::copy && type != StepType::reduce && type != StepType::wait;
}
bool reads(StepType type) { return type != StepType::receive && type != StepType::copy_on && type != StepType::wait; }
bool writes(StepType type) { return type != StepType::send && type != StepType::reduce_on && type != StepType::wait; }

}  // namespace

/// Handles the events of expat. A gpu is checked where its element ends, and the whole algorithm at its end.
class Reader::Parser {
 public:
  explicit Parser(std::string name) : name_(std::move(name)), expat_(XML_ParserCreate(nullptr), XML_ParserFree) {
    if (!expat_) throw std::bad_alloc();
    XML_SetUserData(expat_.get(), this);
    XML_SetElementHandler(expat_.get(), guarded<&Parser::open>, guarded<&Parser::close>);
    XML_SetStartDoctypeDeclHandler(expat_.get(), guarded<&Parser::refuse_declarations>);
  }

  /// Gives a piece of the text to the parser, in parts whose length fits an int.
  void take(std::string_view piece, bool last) {
    constexpr std::size_t most_at_once = std::size_t{1} << 20;
    do {
      std::string_view const part = piece.substr(0, most_at_once);
      piece.remove_prefix(part.size());
      auto const status = XML_Parse(expat_.get(), part.data(), static_cast<int>(part.size()), last && piece.empty());
      if (refusal_) std::rethrow_exception(refusal_);
      if (status != XML_STATUS_OK) {
        fail(fmt::format("expected MSCCL XML, got: {}", XML_ErrorString(XML_GetErrorCode(expat_.get()))));
      }
    } while (!piece.empty());
  }

  /// Ends the text. Throws InputError if a gpu is missing.
  Algorithm end() {
    take("", true);
    for (std::size_t id = 0; id < algorithm_.gpus.size(); ++id) {
      if (algorithm_.gpus[id].line != 0) continue;
      throw InputError(fmt::format("{}: expected a <gpu> for each id from 0 to {}, got none with id {}", name_,
                                   algorithm_.gpus.size() - 1, id));
    }
    return std::move(algorithm_);
  }

 private:
  /// A callback for expat, which is C code: no exception may pass through it, so the function keeps it for later.
  template <auto member, typename... Arguments>
  static void guarded(void* self, Arguments... arguments) {
    auto& parser = *static_cast<Parser*>(self);
    if (parser.refusal_) return;
    try {
      (parser.*member)(arguments...);
    } catch (...) {
      parser.refusal_ = std::current_exception();
      XML_StopParser(parser.expat_.get(), XML_FALSE);
    }
  }

  [[noreturn]] void fail(std::string const& what) const {
    throw InputError(fmt::format("{}:{}:{}: {}", name_, XML_GetCurrentLineNumber(expat_.get()),
                                 XML_GetCurrentColumnNumber(expat_.get()) + 1, what));
  }
  [[noreturn]] void fail_at(std::uint32_t line, std::string const& what) const {
    throw InputError(fmt::format("{}:{}: {}", name_, line, what));
  }
  std::uint32_t line() const { return static_cast<std::uint32_t>(XML_GetCurrentLineNumber(expat_.get())); }

  void refuse_declarations(XML_Char const*, XML_Char const*, XML_Char const*, int) const {
    fail("expected <algo>, got a document type declaration");
  }

  /// An element begins. Elements are nested in one order: algo, gpu, tb, step.
  void open(XML_Char const* element, XML_Char const** attributes) {
    static constexpr std::array<char const*, 4> nesting{"algo", "gpu", "tb", "step"};
    if (passed_over_ > 0 || (depth_ == 2 && std::strcmp(element, "copy") == 0)) {
      if (passed_over_++ == 0) ++algorithm_.copies;
      return;
    }
    if (depth_ >= nesting.size()) fail(fmt::format("expected no element in <step>, got <{}>", excerpt(element)));
    if (std::strcmp(element, nesting[depth_]) != 0) {
      std::string const where = depth_ == 0 ? "" : fmt::format(" in <{}>", nesting[depth_ - 1]);
      fail(fmt::format("expected <{}>{}, got <{}>", nesting[depth_], where, excerpt(element)));
    }
    element_ = element;
    attributes_ = attributes;
    hint_ = 0;
    switch (depth_++) {
      case 0:
        return open_algorithm();
      case 1:
        return open_gpu();
      case 2:
        return open_block();
      default:
        return open_step();
    }
  }

  void close(XML_Char const*) {
    if (passed_over_ > 0) {
      --passed_over_;
      return;
    }
    --depth_;
    if (depth_ == 2) close_block();
    if (depth_ == 1) close_gpu();
  }

  void open_algorithm() {
    algorithm_.name = text("name");
    algorithm_.protocol = word<Protocol>("proto");
    algorithm_.kind = word<Kind>("coll");
    algorithm_.channels = number("nchannels", 0, most_number);
    auto const gpus = number("ngpus", 1, most_gpus);
    algorithm_.chunks = number("nchunksperloop", 1, most_chunks);
    algorithm_.in_place = number("inplace", 0, 1) == 1;
    algorithm_.gpus.resize(static_cast<std::size_t>(gpus));
    bool const by_rank = algorithm_.kind == Kind::allgather || algorithm_.kind == Kind::reduce_scatter ||
                         algorithm_.kind == Kind::alltoall;
    if (by_rank && algorithm_.chunks % gpus != 0) {
      fail(
          fmt::format("<algo nchunksperloop>: expected a multiple of ngpus, {}, as {} has as many chunks for each "
                      "gpu, got {}",
                      gpus, enum_name(algorithm_.kind), algorithm_.chunks));
    }
    if (2 * std::int64_t{gpus} * algorithm_.chunks > most_cells) {
      fail(
          fmt::format("<algo nchunksperloop>: expected at most {} chunks in the buffers of all gpus, got {} in each "
                      "of {}",
                      most_cells, 2 * std::int64_t{algorithm_.chunks}, gpus));
    }
  }

  void open_gpu() {
    std::int32_t const id = number("id", 0, static_cast<std::int32_t>(algorithm_.gpus.size()) - 1);
    gpu_ = &algorithm_.gpus[static_cast<std::size_t>(id)];
    id_ = id;
    if (gpu_->line != 0) fail(fmt::format("<gpu id>: gpu {} stands twice, first in line {}", id, gpu_->line));
    gpu_->line = line();
    gpu_->inputs = chunks("i_chunks", algorithm_.input_chunks());
    gpu_->outputs = chunks("o_chunks", algorithm_.output_chunks());
    gpu_->scratch = number("s_chunks", 0, most_chunks);
    scratch_ += gpu_->scratch;
    if (scratch_ > std::int64_t{most_cells} / 2) {
      fail(fmt::format("<gpu s_chunks>: expected at most {} scratch chunks at all gpus, got {}", most_cells / 2,
                       scratch_));
    }
    blocks_.clear();
  }

  /// The number of chunks of a buffer; 0 if the buffer is not used.
  std::int32_t chunks(char const* name, std::int32_t of_collective) {
    std::int32_t const value = number(name, 0, most_number);
    if (value == 0 || value == of_collective) return value;
    fail(fmt::format("<gpu {}>: expected {}, as nchunksperloop says for {}, or 0, got {}", name, of_collective,
                     enum_name(algorithm_.kind), value));
  }

  void open_block() {
    std::int32_t const id = number("id", 0, most_number);
    ThreadBlock block;
    auto const last = static_cast<std::int32_t>(algorithm_.gpus.size()) - 1;
    block.send = peer("send", last);
    block.receive = peer("recv", last);
    block.channel = number("chan", -1, most_number);
    block.first = block.last = algorithm_.steps.size();
    block.line = line();
    auto const [found, is_new] = blocks_.try_emplace(id, block);
    if (!is_new) {
      fail(fmt::format("<tb id>: thread block {} stands twice in gpu {}, first in line {}", id, id_,
                       found->second.line));
    }
    block_ = &found->second;
  }

  std::int32_t peer(char const* name, std::int32_t last) {
    std::int32_t const value = number(name, -1, last);
    if (value == id_) fail(fmt::format("<tb {}>: expected another gpu than {} itself, or -1", name, value));
    return value;
  }

  void close_block() { block_->last = algorithm_.steps.size(); }

  void open_step() {
    Step step;
    auto const expected = static_cast<std::int32_t>(algorithm_.steps.size() - block_->first);
    std::int32_t const position = number("s", 0, most_number);
    if (position != expected) {
      fail(fmt::format("<step s>: expected {}, as steps stand in their order and none twice, got {}", expected,
                       position));
    }
    if (algorithm_.steps.size() >= most_steps) fail(fmt::format("expected at most {} steps", most_steps));
    step.type = word<StepType>("type");
    step.source_buffer = word<ChunkBuffer>("srcbuf");
    step.source = number("srcoff", -1, most_number);
    step.target_buffer = word<ChunkBuffer>("dstbuf");
    step.target = number("dstoff", -1, most_number);
    step.count = number("cnt", step.type == StepType::wait ? 0 : 1, most_chunks);
    step.block = number("depid", -1, most_number);
    step.step = number("deps", step.block < 0 ? -1 : 0, most_number);
    step.signals = number("hasdep", 0, 1) == 1;
    step.line = line();
    check_chunks(step);
    if (sends(step.type) && block_->send < 0) fail_of_peer(step, "send");
    if (receives(step.type) && block_->receive < 0) fail_of_peer(step, "recv");
    algorithm_.steps.push_back(step);
  }

  [[noreturn]] void fail_of_peer(Step const& step, char const* attribute) const {
    fail(fmt::format("<step type>: \"{}\" needs a thread block with a gpu as its {}, and the one of line {} has -1",
                     enum_name(step.type), attribute, block_->line));
  }

  void check_chunks(Step const& step) const {
    if (reads(step.type)) check_range("srcoff", step.source_buffer, step.source, step.count);
    if (writes(step.type)) check_range("dstoff", step.target_buffer, step.target, step.count);
  }

  /// Throws unless the chunks lie within the buffer.
  void check_range(char const* name, ChunkBuffer buffer, std::int32_t first, std::int32_t count) const {
    std::int32_t const size = buffer == ChunkBuffer::input    ? gpu_->inputs
                              : buffer == ChunkBuffer::output ? gpu_->outputs
                                                              : gpu_->scratch;
    if (first >= 0 && std::int64_t{first} + count <= size) return;
    std::string const accepted = count > size ? "a smaller cnt" : fmt::format("from 0 to {}", size - count);
    fail(fmt::format("<step {}>: expected {} for {} of the {} chunks of buffer {}, got {}", name, accepted, count, size,
                     enum_name(buffer), first));
  }

  /// Checks a gpu: its thread blocks are numbered from 0 on, each end of a connection has one thread block, and every
  /// wait leads to a step that signals.
  void close_gpu() {
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> sending, receiving;
    for (auto const& [id, block] : blocks_) {
      if (id != static_cast<std::int32_t>(gpu_->blocks.size())) {
        fail_at(block.line, fmt::format("<tb id>: expected thread blocks from 0 on without a gap, got {} and no {}", id,
                                        gpu_->blocks.size()));
      }
      if (block.send >= 0) claim(sending, block, block.send, "send to");
      if (block.receive >= 0) claim(receiving, block, block.receive, "receive from");
      gpu_->blocks.push_back(block);
    }
    last_signal_.clear();
    for (ThreadBlock const& block : gpu_->blocks) last_signal_.push_back(last_signal(block));
    for (ThreadBlock const& block : gpu_->blocks) check_waits(block);
  }

  /// A connection of two gpus over a channel belongs to one thread block at each end.
  void claim(std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t>& ends, ThreadBlock const& block,
             std::int32_t peer, char const* what) const {
    auto const [found, is_new] = ends.try_emplace({peer, block.channel}, block.line);
    if (is_new) return;
    fail_at(std::max(block.line, found->second),
            fmt::format("<tb>: two thread blocks of gpu {} {} gpu {} on channel {}, the other in line {}: expected one",
                        id_, what, peer, block.channel, std::min(block.line, found->second)));
  }

  /// The last step of a thread block that signals its end; -1 if none does.
  std::int64_t last_signal(ThreadBlock const& block) const {
    for (std::size_t i = block.last; i-- > block.first;) {
      Step const& each = algorithm_.steps[i];
      if (each.signals && each.type != StepType::wait) return static_cast<std::int64_t>(i - block.first);
    }
    return -1;
  }

  /// A step may wait only for a step that exists and has hasdep 1.
  void check_waits(ThreadBlock const& block) {
    for (std::size_t i = block.first; i < block.last; ++i) {
      Step const& step = algorithm_.steps[i];
      if (step.block < 0) continue;
      if (step.block >= static_cast<std::int32_t>(gpu_->blocks.size())) {
        fail_at(step.line, fmt::format("<step depid>: expected a thread block of gpu {}, from 0 to {}, or -1, got {}",
                                       id_, gpu_->blocks.size() - 1, step.block));
      }
      ThreadBlock const& other = gpu_->blocks[static_cast<std::size_t>(step.block)];
      auto const steps = static_cast<std::int64_t>(other.last - other.first);
      if (step.step >= steps) {
        fail_at(step.line, fmt::format("<step deps>: expected one of the {} steps of thread block {}, got {}", steps,
                                       step.block, step.step));
      }
      if (step.step > last_signal_[static_cast<std::size_t>(step.block)]) {
        fail_at(step.line, fmt::format("<step deps>: nothing signals the end of step {} of thread block {}: expected "
                                       "hasdep=\"1\" there or in a step behind it that is no nop",
                                       step.step, step.block));
      }
    }
  }

  /// The value of an attribute. The search begins behind the attribute that was found last, because files keep one
  /// order.
  std::string_view text(char const* name) {
    std::size_t i = hint_;
    for (; attributes_[i] != nullptr; i += 2) {
      if (std::strcmp(attributes_[i], name) == 0) return found(i);
    }
    for (i = 0; i < hint_; i += 2) {
      if (std::strcmp(attributes_[i], name) == 0) return found(i);
    }
    std::vector<std::string> others;
    for (i = 0; attributes_[i] != nullptr; i += 2) others.emplace_back(attributes_[i]);
    fail(fmt::format("<{}>: expected the attribute {}, got none{}", element_, name, did_you_mean(name, others)));
  }
  std::string_view found(std::size_t i) {
    hint_ = i + 2;
    return attributes_[i + 1];
  }

  template <typename Enum>
  Enum word(char const* name) {
    std::string_view const value = text(name);
    if (auto const parsed = value_of<Enum>(value)) return *parsed;
    std::string accepted;
    for (std::string const& each : all_enum_names<Enum>()) accepted += (accepted.empty() ? "\"" : ", \"") + each + "\"";
    fail(fmt::format("<{} {}>: expected one of {}, got \"{}\"", element_, name, accepted, excerpt(value)));
  }

  std::int32_t number(char const* name, std::int32_t minimum, std::int32_t maximum) {
    std::string_view const value = text(name);
    std::int32_t result = 0;
    auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    bool const whole = error == std::errc() && end == value.data() + value.size();
    if (whole && result >= minimum && result <= maximum) return result;
    fail(fmt::format("<{} {}>: expected an integer from {} to {}, got \"{}\"", element_, name, minimum, maximum,
                     excerpt(value)));
  }

  std::string name_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> expat_;
  std::exception_ptr refusal_;
  Algorithm algorithm_;
  std::size_t depth_ = 0;
  std::size_t passed_over_ = 0;  // open elements within a <copy>, itself among them
  char const* element_ = "";
  XML_Char const** attributes_ = nullptr;
  std::size_t hint_ = 0;  ///< where the next attribute is looked for first
  Gpu* gpu_ = nullptr;
  std::int32_t id_ = 0;
  std::map<std::int32_t, ThreadBlock> blocks_;  ///< of the gpu at hand, by id
  ThreadBlock* block_ = nullptr;
  std::vector<std::int64_t> last_signal_;  ///< by thread block of the gpu that ends
  std::int64_t scratch_ = 0;
};

Reader::Reader(std::string name) : parser_(std::make_unique<Parser>(std::move(name))) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
void Reader::take(std::string_view piece) { parser_->take(piece, false); }
Algorithm Reader::end() { return parser_->end(); }

Algorithm read(std::string_view text, std::string const& name) {
  Reader reader(name);
  reader.take(text);
  return reader.end();
}

}  // namespace rondo::msccl
