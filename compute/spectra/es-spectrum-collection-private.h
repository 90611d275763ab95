/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-spectrum-collection.h"

G_BEGIN_DECLS

struct _EsKeptSpectrum
{
  GObject     parent_instance;

  char       *name, *unit, *source, *identity;
  guint32     colour;
  gboolean    shown, ready;
  EsKeptKind  kind;
  EsSpectrum *spectrum;
  double     *deviation, *lowest, *highest;
  guint64     count;
  EsRegion   *region;          /* nullable */
  GError     *error;
  guint       turn;            /* of the reading that counts: the last one that was begun */

  JsonArray  *told[4];         /* its numbers as sessions tell them; NULL: not told yet */
};

EsKeptSpectrum *es_kept_spectrum_new         (EsKeptKind kind, const char *name, guint32 colour);
/* Ready: with these, or with the error, instead of what was there. */
void            es_kept_spectrum_take        (EsKeptSpectrum *self, EsSpectrum *spectrum, double *deviation,
                                              double *lowest, double *highest, GError *error);
void            es_spectrum_collection_append (EsSpectrumCollection *self, EsKeptSpectrum *kept);

G_END_DECLS
