// The patterns of refusals, inside of the library: a file of their own, since they are data with very long lines.

#include "CRefusalPatterns.h"

#ifndef __has_embed
#error "This compiler does not know #embed; the one of Swift 6.2 does."
#endif
// It is C23, which clang offers in every C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char patterns[] = {
#embed "Files/patterns.txt"
};

struct refusal_patterns refusal_patterns(void) { return (struct refusal_patterns){patterns, sizeof patterns}; }
