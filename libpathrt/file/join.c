/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Adds two profile images.  */
#include "libpathrt/file/join.h"

#include "profile/format/image.h"
#include "profile/format/merge.h"

bool pathrt_join(const struct pathprof_buffer *one, const struct pathprof_buffer *other, struct pathprof_buffer *sum,
                 struct pathprof_error *error) {
  struct pathprof_image first, second;
  bool in_second;
  error->reason = "not enough memory";
  error->offset = 0;
  bool ok = pathprof_image_open(&first, one->data, one->size, error) &&
            pathprof_image_open(&second, other->data, other->size, error) &&
            pathprof_merge(&first, 1, &second, 1, sum, error, &in_second);
  if (!ok)
    pathprof_buffer_free(sum);
  return ok;
}
