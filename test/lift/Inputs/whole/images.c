/* Images whose points are structs of bytes, copied as elements. */
#include <math.h>

typedef struct {
  unsigned char red, green, blue;
} pixel;
typedef struct {
  short level[2];
  short weight;
} packed;

/* EQUAL: a mean of those neighbours that there are */
void mean(int height, int width, pixel image[height][width]) {
  pixel copy[height][width];
  for (int i = 0; i < height; i++)
    for (int j = 0; j < width; j++)
      copy[i][j] = image[i][j];
  for (int i = 0; i < height; i++)
    for (int j = 0; j < width; j++) {
      int red = 0;
      float count = 0;
      for (int k = -1; k < 2; k++) {
        if (i + k < 0 || i + k > height - 1)
          continue;
        red += copy[i + k][j].red;
        count++;
      }
      image[i][j].red = round(red / count);
      image[i][j].blue = copy[i][j].green;
    }
}

/* EQUAL: elements by name, changed before they are stored */
void edges(int w, int h, const pixel *restrict from, pixel *restrict to) {
  for (int y = 0; y < h; y++)
    for (int x = 1; x < w; x++) {
      pixel here = from[y * w + x];
      const pixel left = from[y * w + x - 1];
      here.red = here.red > left.red ? here.red - left.red : left.red - here.red;
      here.green = 255;
      to[y * w + x] = here;
    }
}

/* EQUAL: all numbers of an element, arrays in it too */
void with_arrays(int n, const packed *restrict from, packed *restrict to) {
  for (int i = 1; i < n; i++)
    to[i] = from[i - 1];
}

/* EQUAL: numbers of a point in a list, which it puts in order */
void middle(int n, const unsigned char *restrict from, unsigned char *restrict to) {
  for (int i = 1; i < n - 1; i++) {
    unsigned char near[3] = {from[i - 1], from[i] + 200, 7};
    for (int a = 0; a < 3; a++)
      for (int b = a + 1; b < 3; b++)
        if (near[a] > near[b]) {
          unsigned char other = near[a];
          near[a] = near[b];
          near[b] = other;
        }
    to[i] = near[1];
  }
}
