/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-band-chooser.h"

G_BEGIN_DECLS

struct _EsBandChooser
{
  GtkWidget      parent_instance;

  /* children */
  GtkWidget     *button;
  GtkWidget     *prefix;
  GtkWidget     *label;
  GtkWidget     *popover;
  GtkWidget     *entry;
  GtkWidget     *list;
  GtkWidget     *hint;

  /* Of GtkStringObject, each with its "es-plane"; those of others with their "es-group". Over each group, where there
   * are several, one that is its heading ("es-heading"). */
  GListStore    *titles;
  GtkCustomFilter *filter;
  GtkSingleSelection *selection;

  EsPlaneSource *source;
  GListModel    *groups;         /* whose planes can be chosen as well; nullable */
  gboolean       stale;          /* the list does not have all of them */
  char          *name;
  guint          plane;
  gboolean       updating;
};

/* es-band-chooser.c: a plane of a group, or (NULL) one of the source's own; -1: nothing. */
void           _es_band_chooser_choose        (EsBandChooser *self, EsPlaneGroup *group, int plane);

/* es-band-chooser-find.c: in nm; NULL: it has none. source: nullable. */
const double  *_es_band_chooser_wavelengths   (EsPlaneSource *source);
/* What a text means: one of the source's own (*group NULL), else of the first of the others that has such a one; -1:
 * nothing. */
int            _es_band_chooser_find_anywhere (EsBandChooser *self, const char *text, EsPlaneGroup **group);
/* Of an item of the list; nullable. */
EsPlaneSource *_es_band_chooser_source_of     (EsBandChooser *self, gpointer item);
/* A GtkCustomFilterFunc of the chooser: an item is near a typed number, or contains a typed text. */
gboolean       _es_band_chooser_matches       (gpointer item, gpointer chooser);

/* es-band-chooser-list.c: what scrolls, with the list in it. */
GtkWidget     *_es_band_chooser_make_list     (EsBandChooser *self);
/* With the planes that there are now. */
void           _es_band_chooser_fill          (EsBandChooser *self);

G_END_DECLS
