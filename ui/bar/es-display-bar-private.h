/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-display-bar.h"

G_BEGIN_DECLS

struct _EsDisplayBar
{
  GtkWidget  parent_instance;

  /* children */
  GtkWidget *row;
  GtkWidget *modes;
  GtkWidget *composite, *single;
  GtkWidget *channels[3];        /* a band for red, green and blue */
  GtkWidget *held;               /* these stay while other results are looked at */
  GtkWidget *slider;
  GtkWidget *plane;              /* which band or component, to be chosen */
  GtkWidget *title;              /* the same of a stack of one plane */
  GtkWidget *spinner;
  GtkWidget *colormap, *cut;
  GtkWidget *symmetric;
  GtkWidget *legend;
  GtkWidget *added, *again;      /* of another, and the same for the menu */
  GtkWidget *rest;               /* a menu, while it is open of those above that find no room */
  GtkWidget *rest_channels[3], *rest_plane;

  EsDisplay *display;
  guint      spinner_timeout;
  gboolean   updating;
};

/* es-display-bar.c: shows what the display says, in the row and in its menu. */
void       _es_display_bar_update       (EsDisplayBar *self);
/* What chooses the plane of a channel, 0 to 2, or the one that is shown alone; for the row and for its menu. */
GtkWidget *_es_display_bar_make_channel (EsDisplayBar *self, guint channel);
GtkWidget *_es_display_bar_make_plane   (EsDisplayBar *self);

/* es-display-bar-rest.c */
void       _es_display_bar_add_menu     (EsDisplayBar *self);
/* The choosers of the menu, which goes. */
void       _es_display_bar_forget_rest  (EsDisplayBar *self);

G_END_DECLS
