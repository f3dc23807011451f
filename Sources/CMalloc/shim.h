#ifndef SLUICE_CMALLOC_SHIM_H
#define SLUICE_CMALLOC_SHIM_H

#if defined(__linux__)
#include <malloc.h>
#endif

#endif
