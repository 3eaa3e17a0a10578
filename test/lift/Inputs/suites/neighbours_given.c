/* Arrays of neighbours that the caller hands over, and the function fills */

/* both axes, columns one after the other */
// EQUAL
void diffuse(long rows, long columns, float rate, float *image, float *c, int *north, int *south,
             int *west, int *east) {
  long i, j, k;
  for (i = 0; i < rows; i++) {
    north[i] = i - 1;
    south[i] = i + 1;
  }
  for (j = 0; j < columns; j++) {
    west[j] = j - 1;
    east[j] = j + 1;
  }
  north[0] = 0;
  south[rows - 1] = rows - 1;
  west[0] = 0;
  east[columns - 1] = columns - 1;
  for (j = 0; j < columns; j++)
    for (i = 0; i < rows; i++) {
      k = i + rows * j;
      float change = image[north[i] + rows * j] + image[i + rows * west[j]] - 2 * image[k];
      c[k] = 1 / (1 + change * change);
    }
  for (j = 0; j < columns; j++)
    for (i = 0; i < rows; i++) {
      k = i + rows * j;
      image[k] += rate * (c[south[i] + rows * j] + c[i + rows * east[j]] - 2 * c[k]);
    }
}

/* numbers of the caller that no array is looked up by stay arrays of numbers */
// EQUAL
void odd_numbers(int n, int *restrict odd, const float *restrict s, float *restrict t) {
  for (int i = 0; i < n; i++)
    odd[i] = 2 * i + 1;
  for (int i = 0; i < n; i++)
    t[i] = s[i] * odd[i];
}
