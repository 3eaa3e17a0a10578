// Keeps the first answer that was wrong.
struct Answers {
  const char *firstWrong = "";
  void expect(bool holds, const char *what) {
    if (!holds && !*firstWrong)
      firstWrong = what;
  }
};
