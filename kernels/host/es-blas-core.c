/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Which kernels OpenBLAS runs. It chooses them by the model of the processor, and takes its slowest where it does not
 * know the model: 0.3.21, Debian 12's, those of a Pentium 4 on processors that came after it. What a processor can do
 * tells more.
 */

#include "es-blas-core.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

#if defined (__x86_64__)

/* Not in its headers; those that choose are called by its own constructor and destructor. Where they are not to be
 * seen, what it has chosen stays. */
extern void gotoblas_dynamic_quit (void) __attribute__ ((weak));
extern void gotoblas_dynamic_init (void) __attribute__ ((weak));

#define CHOICE "OPENBLAS_CORETYPE"

const char *
esk_blas_better_core (const char *core,
                      bool        avx2,
                      bool        avx512)
{
  /* The names of all that were made for AVX-512, and of those for AVX2. */
  static const char *const for_avx512[] = { "SkylakeX", "Cooperlake", "SapphireRapids", "Zen4", "Zen5" };
  static const char *const for_avx2[] = { "Haswell", "Zen", "Excavator" };
  const char *better = avx512 ? "SkylakeX" : "Haswell";

  if (!avx2)
    return NULL;
  for (size_t k = 0; k < sizeof for_avx512 / sizeof *for_avx512; k++)
    if (strcmp (core, for_avx512[k]) == 0)
      return NULL;
  for (size_t k = 0; k < sizeof for_avx2 / sizeof *for_avx2; k++)
    if (strcmp (core, for_avx2[k]) == 0)
      return NULL;

  return better;
}

static const char *
better_core (void)
{
  const bool avx2 = __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma");

  return esk_blas_better_core (openblas_get_corename (), avx2,
                               avx2 && __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512dq")
                               && __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512vl")
                               && __builtin_cpu_supports ("avx512cd"));
}

void
esk_blas_fit_processor (void)
{
  const char *better;

  __builtin_cpu_init ();
  /* Somebody has chosen. */
  if (getenv (CHOICE) != NULL)
    return;
  better = better_core ();
  if (better == NULL || gotoblas_dynamic_quit == NULL || gotoblas_dynamic_init == NULL)
    return;

  if (setenv (CHOICE, better, 1) != 0)
    return;
  gotoblas_dynamic_quit ();
  gotoblas_dynamic_init ();
  /* Programs that this one starts may have another OpenBLAS. */
  unsetenv (CHOICE);
}

const char *
esk_blas_slow_core (const char **better)
{
  if (getenv (CHOICE) != NULL)
    return NULL;
  *better = better_core ();

  return *better != NULL ? openblas_get_corename () : NULL;
}

#else

const char *
esk_blas_better_core (const char *core,
                      bool        avx2,
                      bool        avx512)
{
  (void) core;
  (void) avx2;
  (void) avx512;

  return NULL;
}

void
esk_blas_fit_processor (void)
{
}

const char *
esk_blas_slow_core (const char **better)
{
  *better = NULL;

  return NULL;
}

#endif
