/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * A library that gets no memory says that a file cannot be read, or goes on without, and the program, which has no such
 * bounds, would give it. So the helper ends where memory is refused. glibc lets a program bring these functions, and
 * keeps its own under these names; other C libraries and the sanitizers do without.
 */

#include "es-rehearse-memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "rehearsal/es-rehearsal.h"

#ifdef __has_feature
#if __has_feature (address_sanitizer) || __has_feature (thread_sanitizer) || __has_feature (memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__)
#define SANITIZED
#endif

#if defined (__GLIBC__) && !defined (SANITIZED)
#define WATCHED TRUE

void *__libc_malloc (size_t size);
void *__libc_calloc (size_t n, size_t size);
void *__libc_realloc (void *old, size_t size);

static void *
given (void *memory, gboolean wanted)
{
  if (memory == NULL && wanted)
    _exit (ES_REHEARSAL_EXIT_MEMORY);
  return memory;
}

void *
malloc (size_t size)
{
  return given (__libc_malloc (size), TRUE);
}

void *
calloc (size_t n, size_t size)
{
  return given (__libc_calloc (n, size), TRUE);
}

void *
realloc (void *old, size_t size)
{
  return given (__libc_realloc (old, size), size > 0);
}
#else
#define WATCHED FALSE
#endif

gboolean
es_rehearse_memory_is_watched (void)
{
  return WATCHED;
}
