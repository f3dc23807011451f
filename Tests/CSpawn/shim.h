#ifndef SLUICE_CSPAWN_SHIM_H
#define SLUICE_CSPAWN_SHIM_H

#include <spawn.h>

#ifdef __linux__
// The C library has them, but declares them to those alone who ask for its extensions, and what Swift
// sees of it does not. Musl lacks the second one.
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

// Of the C library of Linux, too; elsewhere declared where they belong.
#include <stddef.h>
int posix_openpt(int);
int grantpt(int);
int unlockpt(int);
int ptsname_r(int, char *, size_t);
#endif

#endif
