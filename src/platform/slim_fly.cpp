// The Slim Fly [Besta14], on the graphs of McKay, Miller and Siran. Routers are (s, x, y) with s = 0 or 1 and x, y in
// the field of q elements, numbered s q^2 + x q + y; the code calls s the half. (0, x, y) is joined with (0, x, y + a)
// for each a of the first step list, (1, m, c) with (1, m, c + a) for each a of the second, and (0, x, y) with (1, m,
// c) where y = m x + c. The links that leave a router have successive numbers: by the place of a in its list, then by
// the m, or x, that they lead to.
//
// Elements of the field are numbers below q = p^n: digits in base p are the coefficients of a polynomial, modulo the
// first irreducible polynomial of degree n, counted in the same way. The lists are powers of the least primitive
// element.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "platform/regular.hpp"

namespace rondo {

namespace {

constexpr int largest_field = 128;

/// Polynomials over the integers modulo a prime, by their digits from the constant one up.
using Polynomial = std::vector<int>;

/// A polynomial from its number, whose digits in base `prime` are the coefficients; `number` is the inverse.
Polynomial polynomial(int number, int prime, int digits) {
  Polynomial result;
  for (int i = 0; i < digits; ++i, number /= prime) result.push_back(number % prime);
  return result;
}

int number(Polynomial const& polynomial, int prime) {
  int result = 0;
  for (std::size_t i = polynomial.size(); i-- > 0;) result = result * prime + polynomial[i];
  return result;
}

/// The product modulo x^n + modulus, n the length of all three.
Polynomial product(Polynomial const& a, Polynomial const& b, Polynomial const& modulus, int prime) {
  std::size_t const n = modulus.size();
  Polynomial wide(2 * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) wide[i + j] = (wide[i + j] + a[i] * b[j]) % prime;
  }
  for (std::size_t i = 2 * n; i-- > n;) {
    for (std::size_t j = 0; j < n; ++j) wide[i - n + j] = (wide[i - n + j] + wide[i] * (prime - modulus[j])) % prime;
  }
  wide.resize(n);
  return wide;
}

/// The tables of sums and products modulo this polynomial. They are those of a field if only 0 is a divisor of 0.
SlimFly tables(int q, int prime, int digits, Polynomial const& modulus) {
  SlimFly field;
  field.q = q;
  for (int a = 0; a < q; ++a) {
    Polynomial const left = polynomial(a, prime, digits);
    for (int b = 0; b < q; ++b) {
      Polynomial const right = polynomial(b, prime, digits);
      Polynomial sum;
      for (std::size_t i = 0; i < left.size(); ++i) sum.push_back((left[i] + right[i]) % prime);
      field.sum.push_back(number(sum, prime));
      field.product.push_back(number(product(left, right, modulus, prime), prime));
    }
  }
  return field;
}

/// Whether no two elements other than 0 have the product 0: then the polynomial is irreducible.
bool is_field(SlimFly const& field) {
  for (int a = 1; a < field.q; ++a) {
    for (int b = 1; b < field.q; ++b) {
      if (field.product[at(a * field.q + b)] == 0) return false;
    }
  }
  return true;
}

/// The powers of an element other than 0: 1, a, a^2, ... until 1 would come again.
std::vector<int> powers(SlimFly const& field, int element) {
  std::vector<int> result{1};
  for (int next = element; next != 1; next = field.product[at(next * field.q + element)]) result.push_back(next);
  return result;
}

/// The powers of the least primitive element, which are all elements but 0.
std::vector<int> powers_of_primitive(SlimFly const& field) {
  for (int element = 1; element < field.q; ++element) {
    auto found = powers(field, element);
    if (std::ssize(found) == field.q - 1) return found;
  }
  throw ContractViolation("a primitive element of a field");
}

/// The two lists of steps [Besta14]. If q = 4 w + 1: the even powers, and the odd ones. If q = 4 w: the powers 0, 2,
/// .., q - 2, and 1, 3, .., q - 1. If q = 4 w - 1: the powers 0, 2, .., 2 w - 2 and 2 w - 1, 2 w + 1, .., 4 w - 3; the
/// second list has each of them one power further.
std::array<std::vector<int>, 2> step_lists(SlimFly const& field) {
  std::vector<int> const power = powers_of_primitive(field);
  std::array<std::vector<int>, 2> lists;
  auto const take = [&](int exponent) {
    lists[0].push_back(power[at(exponent) % power.size()]);
    lists[1].push_back(power[at(exponent + 1) % power.size()]);
  };
  int const q = field.q, w = (q + 1) / 4;
  if (q % 4 == 3) {
    for (int i = 0; i < w; ++i) take(2 * i);
    for (int i = w; i < 2 * w; ++i) take(2 * i - 1);
  } else {
    for (int i = 0; i + 1 < q; i += 2) take(i);
  }
  return lists;
}

}  // namespace

/// Tries the polynomials in the order of their numbers until one gives a field.
SlimFly slim_fly(int q, int hosts_per_router) {
  int prime = 2;
  while (q >= 2 && q % prime != 0) ++prime;
  int digits = 0, power = 1;
  for (; power < q; power *= prime) ++digits;
  if (q < 3 || q > largest_field || power != q) {
    throw InputError(fmt::format("expected q to be a power of a prime, from 3 to {}, got {}", largest_field, q));
  }
  expect_at_least_1({hosts_per_router}, "host on each router");
  expect_hosts({2, q, q, hosts_per_router}, "a Slim Fly");
  for (int modulus = 0;; ++modulus) {
    SlimFly field = tables(q, prime, digits, polynomial(modulus, prime, digits));
    if (!is_field(field)) continue;
    field.hosts_per_router = hosts_per_router;
    field.steps = step_lists(field);
    return field;
  }
}

}  // namespace rondo

namespace rondo::regular {

namespace {

/// How many links lead from a router to routers with its own s and x. Both lists of steps have this length.
int steps(SlimFly const& machine) { return static_cast<int>(machine.steps[0].size()); }
/// How many links leave each router. A slot is the place of a link among those of its router.
int slots(SlimFly const& machine) { return steps(machine) + machine.q; }
/// The product and the sum of two elements of the field.
int times(SlimFly const& machine, int a, int b) { return machine.product[rondo::at(a * machine.q + b)]; }
int plus(SlimFly const& machine, int a, int b) { return machine.sum[rondo::at(a * machine.q + b)]; }

/// The element b for which a + b = `sum`.
int difference(SlimFly const& machine, int sum, int a) {
  auto const row = machine.sum.begin() + std::ptrdiff_t{a} * machine.q;
  return static_cast<int>(std::find(row, row + machine.q, sum) - row);
}

/// The coordinates (s, x, y) of a router.
struct SlimFlyPlace {
  int half, x, y;
  SlimFlyPlace(SlimFly const& machine, int router)
      : half(router / (machine.q * machine.q)), x(router / machine.q % machine.q), y(router % machine.q) {}
};

/// The router to which the link in this slot leads.
int neighbor(SlimFly const& machine, int router, int slot) {
  int const q = machine.q;
  SlimFlyPlace const here(machine, router);
  if (slot < steps(machine)) {
    return router - here.y + plus(machine, here.y, machine.steps[rondo::at(here.half)][rondo::at(slot)]);
  }
  int const other = slot - steps(machine);
  if (here.half == 0) return q * q + other * q + difference(machine, here.y, times(machine, other, here.x));
  return other * q + plus(machine, times(machine, here.x, other), here.y);
}

/// The number of the link from one router to another; unset if no link leads there.
std::optional<LinkId> joining(SlimFly const& machine, int from, int to) {
  SlimFlyPlace const start(machine, from), end(machine, to);
  if (start.half != end.half) {
    int const slot = steps(machine) + end.x;
    if (neighbor(machine, from, slot) == to) return LinkId{from} * slots(machine) + slot;
    return std::nullopt;
  }
  if (start.x != end.x) return std::nullopt;
  for (int slot = 0; slot < steps(machine); ++slot) {
    if (neighbor(machine, from, slot) == to) return LinkId{from} * slots(machine) + slot;
  }
  return std::nullopt;
}

}  // namespace

int hosts(SlimFly const& machine) { return routers(machine) * machine.hosts_per_router; }

int routers(SlimFly const& machine) { return 2 * machine.q * machine.q; }

int router_of(SlimFly const& machine, int host) { return host / machine.hosts_per_router; }

LinkId link_ids(SlimFly const& machine) { return LinkId{routers(machine)} * slots(machine); }

/// Every number below link_ids() stands for a link.
std::optional<RouterLink> link(SlimFly const& machine, LinkId id) {
  auto const from = static_cast<int>(id / slots(machine));
  return RouterLink{from, neighbor(machine, from, static_cast<int>(id % slots(machine))), 1};
}

/// A route has at most two links, because the graph has diameter 2.
void append_route(SlimFly const& machine, int from, int to, std::vector<LinkId>& links) {
  int const router = router_of(machine, from), target = router_of(machine, to);
  if (router == target) return;
  if (auto const direct = joining(machine, router, target)) return links.push_back(*direct);
  for (int slot = 0; slot < slots(machine); ++slot) {
    auto const second = joining(machine, neighbor(machine, router, slot), target);
    if (!second) continue;
    links.push_back(LinkId{router} * slots(machine) + slot);
    return links.push_back(*second);
  }
  throw ContractViolation("two links at most between routers of a Slim Fly");
}

int hops(SlimFly const& machine, int from, int to) {
  int const router = router_of(machine, from), target = router_of(machine, to);
  if (router == target) return 0;
  return joining(machine, router, target) ? 1 : 2;
}

std::string title(SlimFly const& machine) {
  return fmt::format("A Slim Fly of q = {} with {} hosts on each router", machine.q, machine.hosts_per_router);
}

}  // namespace rondo::regular
