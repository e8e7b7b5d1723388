// Buffers that grow, and the reading of received messages.

#include "mpi/runtime/message_buffers.hpp"

#include <algorithm>
#include <cstring>

namespace rondo::mpi {

namespace {

std::size_t capacity_of(std::vector<PackedMessage> const& messages) {
  std::size_t total = 0;
  for (PackedMessage const& message : messages) total += message.buffer.capacity();
  return total;
}

}  // namespace

GrowingBuffer GrowingBuffer::of_size(std::size_t size) {
  GrowingBuffer buffer;
  buffer.move_to(size);
  buffer.size_ = size;
  return buffer;
}

/// Moves the bytes to a larger block of memory.
void GrowingBuffer::move_to(std::size_t capacity) {
  std::unique_ptr<std::byte[]> moved(new std::byte[capacity]);
  if (size_ > 0) std::memcpy(moved.get(), bytes_.get(), size_);
  bytes_ = std::move(moved);
  capacity_ = capacity;
}

/// The capacity grows by a factor of 3/2, so appending takes constant time on average.
void GrowingBuffer::append(void const* data, std::size_t size) {
  if (size == 0) return;
  std::size_t larger = capacity_;
  while (larger < size_ + size) larger = 3 * (larger + 1) / 2;
  if (larger > capacity_) move_to(larger);
  std::memcpy(bytes_.get() + size_, data, size);
  size_ += size;
}

std::size_t Outbox::place(int target) const {
  // Callers usually pack for the ranks in ascending order.
  if (!messages_.empty() && messages_.back().peer < target) return messages_.size();
  auto const less = [](PackedMessage const& m, int rank) { return m.peer < rank; };
  return static_cast<std::size_t>(std::lower_bound(messages_.begin(), messages_.end(), target, less) -
                                  messages_.begin());
}

GrowingBuffer& Outbox::operator[](int target) {
  std::size_t const i = place(target);
  if (i < messages_.size() && messages_[i].peer == target) return messages_[i].buffer;
  return messages_.insert(messages_.begin() + static_cast<std::ptrdiff_t>(i), {target, {}})->buffer;
}

std::size_t Outbox::bytes_to(int target) const {
  std::size_t const i = place(target);
  return i < messages_.size() && messages_[i].peer == target ? messages_[i].buffer.size() : 0;
}

std::size_t Outbox::capacity() const { return capacity_of(messages_); }

void Inbox::sort_by_source() {
  std::stable_sort(messages_.begin() + static_cast<std::ptrdiff_t>(at_), messages_.end(),
                   [](PackedMessage const& a, PackedMessage const& b) { return a.peer < b.peer; });
}

bool Inbox::advance() {
  while (at_ < messages_.size() && announced_ && bytes_left() == 0) {
    messages_[at_].buffer = {};
    ++at_;
    read_ = 0;
    announced_ = false;
  }
  return at_ < messages_.size();
}

std::size_t Inbox::bytes_left() const { return messages_[at_].buffer.size() - read_; }

void Inbox::read(void* into, std::size_t size) {
  if (size > 0) std::memcpy(into, messages_[at_].buffer.data() + read_, size);
  read_ += size;
}

std::size_t Inbox::capacity() const { return capacity_of(messages_); }

void Inbox::clear() {
  messages_.clear();
  at_ = 0;
  read_ = 0;
  announced_ = false;
}

}  // namespace rondo::mpi
