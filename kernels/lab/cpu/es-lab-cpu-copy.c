/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Copies by elements of a size, one after the other. */

#include "es-lab-cpu-private.h"

#include "es-lab-cpu-hide-private.h"

/* lab: copy */
#define COPY_ELEMENTS(T, HIDE) \
static void \
copy_ ## T (void       *to, \
            const void *from, \
            size_t      bytes) \
{ \
  const T *p = from; \
  T *q = to; \
\
  _Pragma ("GCC unroll 8") \
  for (size_t i = 0; i < bytes / sizeof (T); i++) \
    { \
      T element = p[i]; \
\
      HIDE (element); \
      q[i] = element; \
    } \
}
typedef uint64_t sixteen __attribute__ ((vector_size (16)));
#if defined (__x86_64__)
/* A register of any size. */
#define HIDE_BYTE(r) __asm__ volatile ("" : "+q" (r))
#else
#define HIDE_BYTE(r) ESK_HIDE_WHOLE (r)
#endif
COPY_ELEMENTS (uint8_t, HIDE_BYTE)
COPY_ELEMENTS (uint16_t, ESK_HIDE_WHOLE)
COPY_ELEMENTS (uint32_t, ESK_HIDE_WHOLE)
COPY_ELEMENTS (uint64_t, ESK_HIDE_WHOLE)
COPY_ELEMENTS (sixteen, ESK_HIDE_VECTOR)
/* lab end */

void
esk_lab_copy_elements (uint32_t    element,
                       void       *to,
                       const void *from,
                       size_t      bytes)
{
  switch (element)
    {
    case 1:
      copy_uint8_t (to, from, bytes);
      break;
    case 2:
      copy_uint16_t (to, from, bytes);
      break;
    case 4:
      copy_uint32_t (to, from, bytes);
      break;
    case 8:
      copy_uint64_t (to, from, bytes);
      break;
    default:
      copy_sixteen (to, from, bytes);
      break;
    }
}
