/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-claim-file-internal.h"

G_BEGIN_DECLS

/* Bytes of a file. */
typedef struct
{
  guint64 at, n;
} EsClaimRange;

/*
 * A MATLAB file of version 5 whose arrays all lie inside the file, whose headers can be walked through and are nested
 * no deeper than matio can follow. *understood: where the chain of arrays ends; the file's end, but where something
 * else (zeros, as a rule) stands behind it. misread (nullable): an EsClaimRange is appended for each array that is
 * sound and that matio takes for another: it looks for the names of a structure's fields behind their tag where they
 * are so short that they stand in it, as scipy writes them. FALSE with a sentence.
 */
gboolean es_claim_mat5        (EsClaimFile *file, guint64 *understood, GArray *misread, GError **error);
/*
 * TRUE where every array of this name holds as many numbers as its axes promise and, where it is packed, can be
 * unpacked to its end with the right checksum. matio takes what is missing from memory that nobody has filled.
 */
gboolean es_claim_mat5_is_whole (EsClaimFile *file, const char *name);

G_END_DECLS
