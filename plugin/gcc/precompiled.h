// SPDX-License-Identifier: GPL-3.0-or-later
// Headers of libraries and of GCC. The build precompiles this file, because GCC's headers take longer to compile than
// most files of the plugin. Each source file still includes the headers that it needs.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gmpxx.h>

#include "plugin/gcc/gcc.h"
