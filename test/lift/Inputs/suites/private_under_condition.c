/* Arrays of a point that is no wall: where it is one, they are not there */
struct layout {
  int width, height;
  float rate;
};

void collide(const struct layout shape, const float *from, float *to, const int *wall) {
  for (int y = 0; y < shape.height; y++)
    for (int x = 0; x < shape.width; x++)
      if (!wall[y * shape.width + x]) {
        const float *here = from + 3 * (y * shape.width + x);
        float speed[3], rest[3];
        speed[1] = here[1] - here[2];
        speed[2] = -speed[1];
        rest[0] = 0.5f * (here[0] + here[1] + here[2]);
        for (int k = 1; k < 3; k++)
          rest[k] = 0.25f * rest[0] * (1 + speed[k]);
        for (int k = 0; k < 3; k++)
          to[3 * (y * shape.width + x) + k] = here[k] + shape.rate * (rest[k] - here[k]);
      }
}
