#ifndef SLUICE_COPENSSL_SHIM_H
#define SLUICE_COPENSSL_SHIM_H

/* The digest on a state of the caller's own; its successor allocates one for each digest. */
#define OPENSSL_API_COMPAT 10101
#include <openssl/sha.h>

#endif
