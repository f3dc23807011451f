#ifndef SLUICE_CPROJECTTEMPLATE_H
#define SLUICE_CPROJECTTEMPLATE_H

#include <stddef.h>

// A file that `sluice init` writes. The first part of its path is the set that the file belongs to, a folder of `Files`.
struct template_file {
  const char *path;
  const unsigned char *bytes;
  size_t size;
};

extern const size_t template_file_count;

// Returns the file at an index from 0 to `template_file_count` - 1.
const struct template_file *template_file_at(size_t index);

#endif
