/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-metadata.h"

#include <math.h>
#include <string.h>

struct _EsMetadata
{
  gatomicrefcount  references;
  EsMetadataFacts  facts;
  int              source;       /* atomic: EsMetadataSource */
};

G_DEFINE_BOXED_TYPE (EsMetadata, es_metadata, es_metadata_ref, es_metadata_unref)

static double *
copy_numbers (const double *values, gsize n)
{
  return values != NULL ? g_memdup2 (values, n * sizeof *values) : NULL;
}

/* Of self, what other tells; the rest is as it was. */
static void
take_facts (EsMetadataFacts *self, const EsMetadataFacts *other)
{
  const guint n = other->bands;
  double **numbers[] = { &self->wavelengths, &self->fwhm, &self->no_data, &self->scale, &self->offset };
  const double *others[] = { other->wavelengths, other->fwhm, other->no_data, other->scale, other->offset };
  char **texts[] = { &self->wavelength_unit, &self->unit, &self->system };
  const char *their_texts[] = { other->wavelength_unit, other->unit, other->system };

  self->bands = MAX (self->bands, n);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (others[i] != NULL)
      {
        g_free (*numbers[i]);
        *numbers[i] = copy_numbers (others[i], n);
      }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (their_texts[i] != NULL)
      {
        g_free (*texts[i]);
        *texts[i] = g_strdup (their_texts[i]);
      }
  if (other->band_names != NULL)
    {
      g_strfreev (self->band_names);
      self->band_names = g_strdupv (other->band_names);
    }
  if (other->good != NULL)
    {
      g_free (self->good);
      self->good = g_memdup2 (other->good, n * sizeof *other->good);
    }
  if (other->geotransform != NULL)
    {
      g_free (self->geotransform);
      self->geotransform = copy_numbers (other->geotransform, 6);
    }
  if (other->has_default_bands)
    {
      self->has_default_bands = TRUE;
      memcpy (self->default_bands, other->default_bands, sizeof self->default_bands);
    }
}

EsMetadata *
es_metadata_new (const EsMetadataFacts *facts)
{
  return es_metadata_merge (NULL, facts);
}

EsMetadata *
es_metadata_merge (EsMetadata *base, const EsMetadataFacts *more)
{
  EsMetadata *self = g_new0 (EsMetadata, 1);

  g_atomic_ref_count_init (&self->references);
  self->source = ES_METADATA_BY_HAND;
  if (base != NULL)
    take_facts (&self->facts, &base->facts);
  /* Numbers of another unit than those that were told are other numbers. */
  if (more->wavelengths != NULL && more->fwhm == NULL)
    g_clear_pointer (&self->facts.fwhm, g_free);
  take_facts (&self->facts, more);
  return self;
}

EsMetadata *
es_metadata_ref (EsMetadata *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_metadata_unref (EsMetadata *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->facts.wavelengths);
  g_free (self->facts.wavelength_unit);
  g_free (self->facts.fwhm);
  g_strfreev (self->facts.band_names);
  g_free (self->facts.good);
  g_free (self->facts.no_data);
  g_free (self->facts.scale);
  g_free (self->facts.offset);
  g_free (self->facts.unit);
  g_free (self->facts.geotransform);
  g_free (self->facts.system);
  g_free (self);
}

const EsMetadataFacts *
es_metadata_get_facts (EsMetadata *self)
{
  static const EsMetadataFacts nothing = { 0 };

  return self != NULL ? &self->facts : &nothing;
}

EsMetadataSource
es_metadata_get_source (EsMetadata *self)
{
  return (EsMetadataSource) g_atomic_int_get (&self->source);
}

void
es_metadata_set_source (EsMetadata *self, EsMetadataSource source)
{
  g_atomic_int_set (&self->source, (int) source);
}

EsMetadata *
es_metadata_with_source (EsMetadata *self, EsMetadataSource source)
{
  EsMetadata *other = es_metadata_merge (self, es_metadata_get_facts (NULL));

  other->source = source;
  return other;
}

gboolean
es_metadata_is_empty (EsMetadata *self)
{
  return es_metadata_equal (self, NULL);
}

static gboolean
same_numbers (const double *a, const double *b, guint n)
{
  if (a == NULL || b == NULL)
    return a == b;
  for (guint i = 0; i < n; i++)
    if (!(a[i] == b[i] || (isnan (a[i]) && isnan (b[i]))))
      return FALSE;
  return TRUE;
}

static gboolean
same_names (char **a, char **b)
{
  return a == NULL || b == NULL ? a == b : g_strv_equal ((const char * const *) a, (const char * const *) b);
}

gboolean
es_metadata_equal (EsMetadata *self, EsMetadata *other)
{
  const EsMetadataFacts *a = es_metadata_get_facts (self), *b = es_metadata_get_facts (other);
  const guint n = MIN (a->bands, b->bands);

  return same_numbers (a->wavelengths, b->wavelengths, n) && same_numbers (a->fwhm, b->fwhm, n)
         && same_numbers (a->no_data, b->no_data, n) && same_numbers (a->scale, b->scale, n)
         && same_numbers (a->offset, b->offset, n) && same_numbers (a->geotransform, b->geotransform, 6)
         && same_names (a->band_names, b->band_names)
         && (a->good == NULL || b->good == NULL ? a->good == b->good
                                                : memcmp (a->good, b->good, n * sizeof *a->good) == 0)
         && g_strcmp0 (a->wavelength_unit, b->wavelength_unit) == 0 && g_strcmp0 (a->unit, b->unit) == 0
         && g_strcmp0 (a->system, b->system) == 0 && a->has_default_bands == b->has_default_bands
         && (!a->has_default_bands || memcmp (a->default_bands, b->default_bands, sizeof a->default_bands) == 0);
}
