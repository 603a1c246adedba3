// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a file of YAML documents, each an order, and prints totals.  In some documents, yaml-cpp throws an exception because the
// document is malformed or contains an invalid number; these are counted.
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include <yaml-cpp/yaml.h>

namespace {

struct Total {
  long orders = 0, pieces = 0, cents = 0;
};

void add(const YAML::Node &order, std::map<std::string, Total> &totals) {
  Total found;
  for (const YAML::Node &line : order["lines"]) {
    long pieces = line["pieces"].as<long>();
    found.pieces += pieces;
    found.cents += pieces * line["cents"].as<long>();
  }
  Total &total = totals[order["customer"]["town"].as<std::string>()];
  total.orders++;
  total.pieces += found.pieces;
  total.cents += found.cents;
}

void write(const std::map<std::string, Total> &totals, long malformed, long unusable) {
  YAML::Emitter out;
  out << YAML::BeginMap << YAML::Key << "towns" << YAML::Value << YAML::BeginSeq;
  for (const auto &named : totals)
    out << YAML::Flow << YAML::BeginMap << YAML::Key << "town" << YAML::Value << named.first << YAML::Key << "orders"
        << YAML::Value << named.second.orders << YAML::Key << "pieces" << YAML::Value << named.second.pieces
        << YAML::Key << "cents" << YAML::Value << named.second.cents << YAML::EndMap;
  out << YAML::EndSeq << YAML::Key << "malformed" << YAML::Value << malformed << YAML::Key << "unusable" << YAML::Value
      << unusable << YAML::EndMap;
  std::cout << out.c_str() << "\n";
}

} // namespace

int main(int argc, char **argv) {
  std::ifstream file(argc == 2 ? argv[1] : "");
  if (!file) {
    std::cerr << "usage: orders FILE\n";
    return 1;
  }
  std::map<std::string, Total> totals;
  long malformed = 0, unusable = 0;
  std::string document, line;
  while (std::getline(file, line)) {
    if (line != "...") {
      document += line + "\n";
      continue;
    }
    try {
      add(YAML::Load(document), totals);
    } catch (const YAML::ParserException &) {
      malformed++;
    } catch (const YAML::Exception &) {
      unusable++;
    }
    document.clear();
  }
  write(totals, malformed, unusable);
}
