/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-claim-file-internal.h"

G_BEGIN_DECLS

/* What the header of a sound file promises, whether it is there or not. */
typedef struct
{
  const char *format;                      /* "WAV", "RF64", "W64", "AIFF", "AU", "CAF", "Ogg" */
  gboolean    has_format, has_data, has_rate;
  guint       channels;
  guint64     rate;                        /* Hz; where the header keeps it as a whole number (has_rate) */
  guint       block;                       /* bytes of a frame; 0: packed, or not said */
  guint64     data_offset;
  guint64     data_bytes;                  /* 0 or G_MAXUINT64: left open by a recorder that never closed it */
  gboolean    is_unfinished;               /* Ogg: the last page is not marked as the last one, or is not whole */
} EsSoundClaim;

/* FALSE where the file begins like none of them, or the walk was cancelled. */
gboolean es_claim_sound        (EsClaimFile *file, EsSoundClaim *claim);
/* How many of the promised bytes of samples lie in the file; all of them where the header leaves it open. */
guint64  es_claim_sound_present (const EsClaimFile *file, const EsSoundClaim *claim);

G_END_DECLS
