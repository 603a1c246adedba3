// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the tests of a profile.
#include "profile/model/tests.h"

namespace pathprof {

bool visit_units(const pathprof_image &image, const std::function<bool(UnitEntry)> &visit, pathprof_error *wrong) {
  pathprof_cursor cursor = image.section[PATHPROF_SECTION_UNITS];
  uint64_t num_units = pathprof_get_varint(&cursor);
  for (uint64_t i = 0; i < num_units && pathprof_cursor_ok(&cursor); i++) {
    pathprof_unit_notes entry;
    pathprof_get_unit(&cursor, &entry);
    if (!pathprof_cursor_ok(&cursor))
      break;
    uint64_t base = cursor.base + cursor.pos - entry.notes.size;
    std::optional<UnitNotes> notes = decode_notes(entry.notes.data, entry.notes.size, base, wrong);
    if (!notes || !visit({entry, std::move(*notes), base}))
      return false;
  }
  *wrong = cursor.error;
  return pathprof_cursor_ok(&cursor);
}

std::optional<UnitTable> read_units(const pathprof_image &image, pathprof_error *wrong) {
  UnitTable table;
  auto add = [&](UnitEntry unit) {
    table.notes.push_back(std::move(unit.notes));
    table.units.push_back(unit.entry);
    table.bases.push_back(unit.base);
    return true;
  };
  return visit_units(image, add, wrong) ? std::optional(std::move(table)) : std::nullopt;
}

// Calls `skip` on `cursor`, and returns a cursor over the bytes that were skipped.
static pathprof_cursor passed(pathprof_cursor &cursor, void (*skip)(pathprof_cursor *)) {
  size_t begin = cursor.pos;
  skip(&cursor);
  return pathprof_cursor_over(cursor.data + begin, cursor.pos - begin, cursor.base + begin);
}

bool visit_test(const UnitTable &table, pathprof_test test, const VisitUnit &visit, pathprof_error *wrong) {
  static const unsigned char nothing[] = {0};
  pathprof_test_units counts = pathprof_open_test_units(&test.counts);
  pathprof_test_units forests = pathprof_open_test_units(&test.forests);
  bool has_counts = pathprof_next_test_unit(&counts, table.notes.size());
  bool has_forests = pathprof_next_test_unit(&forests, table.notes.size());
  while (has_counts || has_forests) {
    size_t unit = has_counts && (!has_forests || counts.index < forests.index) ? counts.index : forests.index;
    bool in_counts = has_counts && counts.index == unit, in_forests = has_forests && forests.index == unit;
    pathprof_cursor of_counts = in_counts ? passed(test.counts, pathprof_skip_counts)
                                          : pathprof_cursor_over(nothing, sizeof nothing, test.forests.base);
    pathprof_cursor of_forests = in_forests ? passed(test.forests, pathprof_skip_forests) : pathprof_cursor{};
    if (!pathprof_cursor_ok(&test.counts) || !pathprof_cursor_ok(&test.forests))
      break;
    std::optional<UnitCounts> read =
        CountSections(of_counts, of_forests).next(table.notes[unit], table.bases[unit], wrong);
    if (!read)
      return false;
    visit(unit, *read);
    if (in_counts)
      has_counts = pathprof_next_test_unit(&counts, table.notes.size());
    if (in_forests)
      has_forests = pathprof_next_test_unit(&forests, table.notes.size());
  }
  *wrong = pathprof_cursor_ok(&test.counts) ? test.forests.error : test.counts.error;
  return !wrong->reason;
}

bool visit_all(const UnitTable &table, const pathprof_image &image, const VisitUnit &visit, pathprof_error *wrong) {
  CountSections sections(image);
  for (size_t unit = 0; unit < table.notes.size(); unit++) {
    std::optional<UnitCounts> counts = sections.next(table.notes[unit], table.bases[unit], wrong);
    if (!counts)
      return false;
    visit(unit, *counts);
  }
  return true;
}

} // namespace pathprof
