// SPDX-License-Identifier: GPL-3.0-or-later
// Headers that most source files need. The build precompiles this file, because these headers take longer to compile
// than many source files. Each source file still includes the headers that it needs. Large headers that fewer files
// need are not included here, because they would make the precompiled header slower to load.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
