// A flow in two dimensions: two shear layers in a periodic box roll up into vortices. Each stage of a time step asks
// Poisson's equation for the stream function of the vorticity, laplace(psi) = -omega, and carries the vorticity along
// by Arakawa's formula, which keeps energy and enstrophy. With the names of files, writes the vorticity and the stream function
// there as PNGs:
//
//   flow vorticity.png stream-function.png
#include <skipper/poisson.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Field = std::vector<double>;
using Index = std::int64_t;

struct Flow {
  Index n;
  double viscosity;
  skipper::Poisson poisson;

  Flow(Index size, double nu)
      : n(size), viscosity(nu), poisson([&] {
          skipper::PoissonProblem problem;
          problem.precision = skipper::Precision::f64;
          problem.axes = {{size}, {size}};
          return problem;
        }()) {}

  double& at(Field& f, Index y, Index x) const { return f[std::size_t((y + n) % n * n + (x + n) % n)]; }
  double at(Field const& f, Index y, Index x) const { return f[std::size_t((y + n) % n * n + (x + n) % n)]; }

  Field stream_function(Field const& omega) const {
    Field psi(omega.size());
    for (std::size_t i = 0; i < psi.size(); ++i) psi[i] = -omega[i];
    poisson.solve(psi.data(), psi.data());
    return psi;
  }

  // d omega / dt = J(omega, psi) + nu laplace(omega); the flow is u = d psi/dy, v = -d psi/dx.
  Field rate(Field const& w) const {
    Field const p = stream_function(w);
    Field result(w.size());
    double const h2 = 1 / double(n * n);
    for (Index y = 0; y < n; ++y)
      for (Index x = 0; x < n; ++x) {
        auto const W = [&](Index dy, Index dx) { return at(w, y + dy, x + dx); };
        auto const P = [&](Index dy, Index dx) { return at(p, y + dy, x + dx); };
        double const plain =
            (W(0, 1) - W(0, -1)) * (P(1, 0) - P(-1, 0)) - (W(1, 0) - W(-1, 0)) * (P(0, 1) - P(0, -1));
        double const mixed_w = W(0, 1) * (P(1, 1) - P(-1, 1)) - W(0, -1) * (P(1, -1) - P(-1, -1)) -
                               W(1, 0) * (P(1, 1) - P(1, -1)) + W(-1, 0) * (P(-1, 1) - P(-1, -1));
        double const mixed_p = P(1, 0) * (W(1, 1) - W(1, -1)) - P(-1, 0) * (W(-1, 1) - W(-1, -1)) -
                               P(0, 1) * (W(1, 1) - W(-1, 1)) + P(0, -1) * (W(1, -1) - W(-1, -1));
        double const carried = -(plain + mixed_w + mixed_p) / (12 * h2);
        double const spread = (W(0, 1) + W(0, -1) + W(1, 0) + W(-1, 0) - 4 * W(0, 0)) / h2;
        at(result, y, x) = carried + viscosity * spread;
      }
    return result;
  }

  // Heun's third-order method.
  void step(Field& w, double dt) const {
    auto const moved = [&](Field const& from, double by, Field const& along) {
      Field to = from;
      for (std::size_t i = 0; i < to.size(); ++i) to[i] += by * along[i];
      return to;
    };
    Field const first = rate(w), second = rate(moved(w, dt / 3, first)),
                third = rate(moved(w, 2 * dt / 3, second));
    for (std::size_t i = 0; i < w.size(); ++i) w[i] += dt / 4 * (first[i] + 3 * third[i]);
  }

  double energy(Field const& w) const {
    Field const psi = stream_function(w);
    double sum = 0;
    for (std::size_t i = 0; i < w.size(); ++i) sum += w[i] * psi[i];
    return sum / (2 * double(n * n));
  }
};

Field shear_layers(Index n) {
  double const pi = std::acos(-1.0), thickness = 30;
  Field w;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      double const x = (double(i) + 0.5) / double(n), y = (double(j) + 0.5) / double(n);
      double const s = y < 0.5 ? (y - 0.25) * thickness : (0.75 - y) * thickness;
      double const slope = (y < 0.5 ? thickness : -thickness) / std::pow(std::cosh(s), 2);
      w.push_back(0.05 * 2 * pi * std::cos(2 * pi * x) - slope);
    }
  return w;
}

// ---- A PNG of grey levels through a palette, its pixels stored and not compressed.

void put(std::string& to, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to += char(value >> shift & 255);
}

std::string chunk(std::string const& body) {
  std::uint32_t check = ~0u;
  for (unsigned char const c : body) {
    check ^= c;
    for (int bit = 0; bit < 8; ++bit) check = check >> 1 ^ (check & 1 ? 0xedb88320u : 0);
  }
  std::string result;
  put(result, std::uint32_t(body.size() - 4));
  result += body;
  put(result, ~check);
  return result;
}

void write_png(std::string const& path, Field const& f, Index n) {
  double largest = 0;
  for (double const v : f) largest = std::max(largest, std::fabs(v));
  std::string header = "IHDR", palette = "PLTE", pixels;
  put(header, std::uint32_t(n));
  put(header, std::uint32_t(n));
  header += {8, 3, 0, 0, 0};       // eight bits, palette
  for (int i = 0; i < 256; ++i) {  // blue, white, red
    double const s = (i - 127.5) / 127.5, away = std::fabs(s);
    auto const level = [](double v) { return char(std::lround(255 * std::min(1.0, std::max(0.0, v)))); };
    palette += {level(s > 0 ? 1 - 0.3 * away : 1 - 1.2 * away), level(1 - 1.1 * away),
                level(s < 0 ? 1 - 0.3 * away : 1 - 1.2 * away)};
  }
  for (Index y = n; y-- > 0;) {
    pixels += '\0';
    for (Index x = 0; x < n; ++x)
      pixels += char(std::lround(127.5 + 127.5 * f[std::size_t(y * n + x)] / largest));
  }
  std::string data = "IDAT\x78\x01";
  std::uint32_t a = 1, b = 0;
  for (unsigned char const c : pixels) a = (a + c) % 65521, b = (b + a) % 65521;
  for (std::size_t at = 0; at < pixels.size(); at += 65535) {
    std::size_t const size = std::min<std::size_t>(65535, pixels.size() - at);
    data += char(at + size == pixels.size());
    for (std::size_t const word : {size, ~size}) data += {char(word & 255), char(word >> 8 & 255)};
    data += pixels.substr(at, size);
  }
  put(data, b << 16 | a);
  std::ofstream(path, std::ios::binary) << "\x89PNG\r\n\x1a\n"
                                        << chunk(header) << chunk(palette) << chunk(data) << chunk("IEND");
}

}  // namespace

int main(int count, char** words) {
  bool const picture = count > 1;
  Flow const flow(picture ? 192 : 64, 1e-4);
  Field omega = shear_layers(flow.n);
  double const before = flow.energy(omega), dt = 0.4 / double(flow.n);
  int const steps = int((picture ? 1.2 : 0.4) / dt);
  for (int i = 0; i < steps; ++i) flow.step(omega, dt);
  double const after = flow.energy(omega);
  std::printf("%d steps of %d x %d: energy %.5f, then %.5f\n", steps, int(flow.n), int(flow.n), before,
              after);
  if (picture) write_png(words[1], omega, flow.n);
  if (count > 2) write_png(words[2], flow.stream_function(omega), flow.n);
  return after > before || after < 0.9 * before;  // viscosity takes a little, and nothing adds any
}
