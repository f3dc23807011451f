#ifndef SLUICE_CPCRE2_SHIM_H
#define SLUICE_CPCRE2_SHIM_H

// The width has to be known before the header is read.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#endif
