// Pictures of bytes.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

// EQUAL
void averaged(const uint8_t *from, uint8_t *to, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const int row = std::clamp(y + dy, 0, height - 1);
          const int column = std::min(std::max(x + dx, 0), width - 1);
          sum += from[row * width + column];
        }
      to[y * width + x] = sum / 9;
    }
}

// EQUAL
void weighted(const uint8_t *from, uint8_t *to, int width, int height) {
  static const int weights[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
  for (int y = 1; y < height - 1; y++)
    for (int x = 1; x < width - 1; x++) {
      int sum = 8;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
          sum += weights[j + 1][i + 1] * from[(y + j) * width + x + i];
      to[y * width + x] = (uint8_t)(sum >> 4);
    }
}

// EQUAL
void edges(const uint8_t *from, uint8_t *to, int width, int height) {
  const int across[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  const int along[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};
  for (int y = 1; y < height - 1; y++)
    for (int x = 1; x < width - 1; x++) {
      int dx = 0, dy = 0;
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
          dx += across[j][i] * from[(y + j - 1) * width + x + i - 1];
          dy += along[j][i] * from[(y + j - 1) * width + x + i - 1];
        }
      double slope = std::sqrt(dx * dx + dy * dy);
      if (slope > 255)
        slope = 255;
      to[y * width + x] = (uint8_t)slope;
    }
}

// EQUAL
void sharper(const std::vector<uint8_t> &from, std::vector<uint8_t> &to, int width, int height) {
  for (int y = 1; y < height - 1; y++)
    for (int x = 1; x < width - 1; x++) {
      const int here = y * width + x;
      int value = 5 * from[here] - from[here - 1] - from[here + 1] - from[here - width] -
                  from[here + width];
      if (value < 0)
        value = 0;
      if (value > 255)
        value = 255;
      to[here] = value;
    }
}

// EQUAL: Numbers too large for a byte come in again from below, and the other way round.
void wrapped(const uint8_t *from, uint8_t *to, signed char *also, int n) {
  for (int i = 1; i < n - 1; i++) {
    to[i] = 3 * from[i] - from[i - 1] - 2 * from[i + 1];
    also[i] = from[i] + from[i + 1] - 100;
    to[i] += from[i - 1];
  }
}

// EQUAL
void unsigned_distance(const unsigned *from, int *far, int n) {
  for (int i = 0; i < n - 1; i++) {
    const unsigned apart = from[i] - from[i + 1];
    far[i] = apart > 5 ? 1 : 0;
  }
}

// EQUAL
void darkest(const uint8_t *from, uint8_t *to, int width, int height) {
  for (int y = 1; y < height - 1; y++)
    for (int x = 1; x < width - 1; x++) {
      uint8_t least = 255;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
          least = std::min(least, from[(y + j) * width + x + i]);
      to[y * width + x] = least;
    }
}

static void sorted(uint8_t *all) {
  for (int a = 0; a < 4; a++)
    for (int b = a + 1; b < 5; b++)
      if (all[a] > all[b])
        std::swap(all[a], all[b]);
}

// EQUAL
void median_of_five(const uint8_t *from, uint8_t *to, int width, int height) {
  for (int y = 1; y < height - 1; y++)
    for (int x = 1; x < width - 1; x++) {
      uint8_t all[5];
      int count = 0;
      all[count++] = from[y * width + x];
      for (int side = -1; side <= 1; side += 2) {
        all[count++] = from[y * width + x + side];
        all[count++] = from[(y + side) * width + x];
      }
      sorted(all);
      to[y * width + x] = all[2];
    }
}

// EQUAL: No product of whole numbers is -0, of which another angle would come.
void angles(const short *along, const short *across, double *angle, int n) {
  for (int i = 1; i < n; i++) {
    const int turned = -along[i] * across[i - 1];
    angle[i] = std::atan2((double)turned, -1.0) + std::atan2(double(-across[i]), -2.0);
  }
}

// EQUAL
void mixed(const float *from, const uint8_t *share, uint8_t *to, int n) {
  for (int i = 1; i < n; i++) {
    const float value = 0.5f * from[i] * share[i] + 0.25f * share[i - 1];
    to[i] = std::min(255, (int)(value + 0.5f)) & 0x3f;
  }
}

// EQUAL
void steep(const uint8_t *from, uint8_t *to, int n, int limit) {
  for (int i = 0; i < n - 1; i++)
    to[i] = std::abs(from[i + 1] - from[i]) > limit ? 255 : 0;
}

struct Pixel {
  uint8_t red, green, blue;
};

// EQUAL
void blurred(const Pixel *from, Pixel *to, int width, int height) {
  for (int y = 0; y < height; y++)
    for (int x = 1; x < width - 1; x++) {
      const int here = y * width + x;
      to[here].red = (from[here - 1].red + 2 * from[here].red + from[here + 1].red) / 4;
      to[here].green = (from[here - 1].green + 2 * from[here].green + from[here + 1].green) / 4;
      to[here].blue = (from[here - 1].blue + 2 * from[here].blue + from[here + 1].blue) / 4;
    }
}
