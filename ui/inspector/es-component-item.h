/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * One component of a result as the table of components shows it. Signal "changed": something about it has.
 */
#define ES_TYPE_COMPONENT_ITEM (es_component_item_get_type ())
G_DECLARE_FINAL_TYPE (EsComponentItem, es_component_item, ES, COMPONENT_ITEM, GObject)

struct _EsComponentItem
{
  GObject  parent_instance;

  guint    plane;
  char    *title;              /* "PC 1" */
  const char *label;           /* @title, or its end, where there is little room */
  gboolean kept;
  double   value;              /* eigenvalue or kurtosis; NAN: none, as in all that follow */
  double   share;              /* 0..1 */
  double   snr;
  gboolean has_numbers;        /* what follows has been computed */
  double   coherence, entropy;
  guint32  histogram[256];
};

EsComponentItem *es_component_item_new     (guint plane, const char *title);
void             es_component_item_changed (EsComponentItem *self);

G_END_DECLS
