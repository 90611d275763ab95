/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How sure the first bytes of a file tell its format. */
typedef enum
{
  ES_SIGNATURE_NONE,
  ES_SIGNATURE_WEAK,           /* four bytes or fewer: samples may begin with them by chance */
  ES_SIGNATURE_STRONG,         /* so many bytes that no samples do */
} EsSignature;

/*
 * The format whose signature a file begins with, and its name ("WAV", "TIFF"); *name may be NULL. A header that lies
 * beside a file (ENVI's) is believed against it by this rule: never against a strong signature; against a weak one
 * where the size that the header promises is that of the file to the byte, or nobody can read the file as what its
 * signature says; against none always.
 */
EsSignature es_signature_find (const guint8 *head, gsize length, const char **name);

G_END_DECLS
