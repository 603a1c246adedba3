extern "C" int sides(int shape) {
  switch (shape) {
  case 0:
    return 3;
  case 1:
    return 4;
  default:
    return 0;
  }
}
