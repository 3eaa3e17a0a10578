#include "runtime/Npy.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace {

/// A file that goes away with its test.
class Scratch {
public:
  Scratch() : path(std::filesystem::path(testing::TempDir()) / "stencilc-npy-test.npy") {}
  ~Scratch() { std::filesystem::remove(path); }
  std::string name() const { return path.string(); }
  std::string bytes() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void put(const std::string &bytes) const {
    std::ofstream(path, std::ios::binary).write(bytes.data(), bytes.size());
  }

private:
  std::filesystem::path path;
};

template <class T> void expectRoundTrip(const std::vector<int64_t> &shape) {
  const Scratch file;
  size_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  std::vector<T> values(count), readBack;
  for (size_t i = 0; i < count; ++i)
    values[i] = T(1) / T(i + 3);
  ASSERT_EQ(npy::write(file.name(), shape, values), "");
  std::vector<int64_t> readShape;
  ASSERT_EQ(npy::read(file.name(), readShape, readBack), "");
  EXPECT_EQ(readShape, shape);
  EXPECT_EQ(readBack, values);
}

TEST(Npy, RoundTrip) {
  for (const std::vector<int64_t> &shape :
       std::vector<std::vector<int64_t>>{{}, {5}, {3, 4}, {2, 3, 4}, {0, 4}}) {
    expectRoundTrip<float>(shape);
    expectRoundTrip<double>(shape);
  }
}

TEST(Npy, WritesTheBytesOfNumPy) {
  const Scratch file;
  ASSERT_EQ(npy::write(file.name(), {1, 2}, std::vector<float>{1, 2}), "");
  // numpy.save of array([[1, 2]], float32): a header of 128 bytes in all, then the numbers.
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  expected.resize(127, ' ');
  expected += '\n';
  expected += std::string("\0\0\x80\x3f\0\0\0\x40", 8);
  EXPECT_EQ(file.bytes(), expected);
}

/// A version 2 file with the dictionary as given and so many bytes of numbers.
std::string version2(const std::string &dictionary, size_t bytes) {
  std::string text("\x93NUMPY\x02\x00", 8);
  text += static_cast<char>(dictionary.size());
  text += std::string(3, '\0');
  return text + dictionary + std::string(bytes, '\0');
}

TEST(Npy, ReadsVersionTwo) {
  const Scratch file;
  file.put(version2("{'fortran_order': False, 'descr': '<f8', 'shape': (2, 1)}\n", 16));
  std::vector<int64_t> shape;
  std::vector<double> values;
  EXPECT_EQ(npy::read(file.name(), shape, values), "");
  EXPECT_EQ(shape, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(values, (std::vector<double>{0, 0}));
}

TEST(Npy, RefusesWhatItCannotRead) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "is no .npy file"},
      {"PK\x03\x04 and more", "is no .npy file"},
      {std::string("\x93NUMPY\x03\x00", 8), "has format version 3 where 1 or 2 is needed"},
      {std::string("\x93NUMPY\x01\x00\x76", 9), "ends within its header"},
      {version2("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 8),
       "holds '<f4' where '<f8' is needed"},
      {version2("{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }", 16),
       "holds '>f8' where '<f8' is needed"},
      {version2("{'fortran_order': False, 'shape': (2,), }", 16),
       "holds nothing known where '<f8' is needed"},
      {version2("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 1), }", 16),
       "is not in C order"},
      {version2("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1, 1), }", 8),
       "has no shape of at most three axes"},
      {version2("{'descr': '<f8', 'fortran_order': False, 'shape': (-2,), }", 8),
       "has no shape of at most three axes"},
      {version2("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", 16),
       "holds 2 elements, not those of shape (3,)"},
      {version2("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
                16),
       "holds 2 elements, not those of shape (4294967296, 4294967296)"},
  };
  for (const auto &[bytes, message] : cases) {
    const Scratch file;
    file.put(bytes);
    std::vector<int64_t> shape;
    std::vector<double> values;
    EXPECT_EQ(npy::read(file.name(), shape, values), message);
  }
  std::vector<int64_t> shape;
  std::vector<double> values;
  EXPECT_EQ(npy::read("/nowhere/at/all.npy", shape, values), "cannot be opened");
  EXPECT_EQ(npy::write("/nowhere/at/all.npy", {0}, values), "cannot be opened for writing");
}

} // namespace
