/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-kept-levels.h"

G_BEGIN_DECLS

/* What such a file begins with; zeros follow up to ES_LEVELS_START, then the levels, rows of floats. */
#define ES_LEVELS_MAGIC "Eigenscope levels 1\n"
#define ES_LEVELS_START 4096

typedef struct
{
  char    magic[24];
  char    key[72];             /* of the band's content */
  guint64 width, height;       /* pixels of the cube */
  guint32 first, last;         /* levels */
  guint32 order;               /* 0x01020304 as this machine writes it */
} EsLevelsHeader;

#define ES_LEVELS_ORDER 0x01020304u

/* The key of a band, NULL where nothing can be kept of the cube. Transfer full. */
char    *_es_kept_levels_key    (EsCube *cube, guint band);
/* $XDG_CACHE_HOME/eigenscope/levels, and the file in it. Transfer full. */
char    *_es_kept_levels_folder (void);
char    *_es_kept_levels_path   (const char *key);
void     _es_levels_header_init (EsLevelsHeader *header, const char *key, EsCube *cube, guint last);
/* Where a level begins; of last + 1, where the file ends. FALSE: such a file cannot be. */
gboolean _es_levels_find_start  (const EsLevelsHeader *header, guint level, guint64 *start);

G_END_DECLS
