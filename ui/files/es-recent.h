/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/* Files opened last, newest first, as the desktop remembers them. Only those of this program that are still there. */
typedef struct
{
  char *uri;
  char *name;                  /* for people */
  char *place;                 /* the folder; nullable */
} EsRecent;

/* Of EsRecent, at most `limit`. Transfer full. */
GPtrArray  *es_recent_list           (guint limit);
/* Remembers a data set that has been opened, and makes its thumbnail on a worker. */
void        es_recent_add            (EsDataset *dataset);
/* The file of a session that a person has opened. */
void        es_recent_add_session    (GFile *file);
void        es_recent_clear          (void);
/* A small picture of the file; NULL where none has been made. Transfer full. */
GdkTexture *es_recent_load_thumbnail (const char *uri);
/* "win.open-recent" with each URI as its target: the menu behind [Open]. Transfer full. */
GMenuModel *es_recent_make_menu      (void);

G_END_DECLS
