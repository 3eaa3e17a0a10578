// Rows that are looked up by `at`.
#include <cstddef>
#include <vector>
void smoothed(const std::vector<std::vector<float>> &in, std::vector<std::vector<float>> &out) {
  const auto rows = in.size();
  const auto columns = in.at(0).size();
  for (std::size_t i = 1; i < rows - 1; i++)
    for (std::size_t j = 1; j < columns - 1; j++)
      out.at(i).at(j) = (in.at(i).at(j) + in.at(i - 1).at(j) + in.at(i).at(j + 1)) / 3;
}
