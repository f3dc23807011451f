#ifndef SLUICE_CREFUSALPATTERNS_H
#define SLUICE_CREFUSALPATTERNS_H

#include <stddef.h>

// The bytes of the file of patterns.
struct refusal_patterns {
  const unsigned char *bytes;
  size_t size;
};

struct refusal_patterns refusal_patterns(void);

#endif
