#ifndef SLUICE_CPROJECTTEMPLATE_H
#define SLUICE_CPROJECTTEMPLATE_H

#include <stddef.h>

// A file that `sluice init` writes. Its path starts with the set that it belongs to: the folder of `Files`.
struct template_file {
  const char *path;
  const unsigned char *bytes;
  size_t size;
};

extern const size_t template_file_count;

// The file at an index below the count.
const struct template_file *template_file_at(size_t index);

#endif
