/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladders.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-ladder-words-internal.h"

/* Sizes of processors are such that the slowest rung takes a second or so on one core, those of cards such that a
 * published table has a row of them. */

#define D1(...) { .width = 614, .height = 512, __VA_ARGS__ }
#define D2(...) { .width = 614, .height = 1087, __VA_ARGS__ }
#define D3(...) { .width = 753, .height = 1924, __VA_ARGS__ }
#define D4(...) { .width = 781, .height = 6955, __VA_ARGS__ }
#define SCENES(...) \
  { "d1", "D1", D1 (__VA_ARGS__) }, { "d2", "D2", D2 (__VA_ARGS__) }, { "d3", "D3", D3 (__VA_ARGS__) }, \
  { "d4", "D4", D4 (__VA_ARGS__) }, { NULL, NULL, { 0 } }

static const EsLadderNamedSize covariance_sizes[] = { SCENES (.bands = 224) };
static const EsLadderNamedSize transform_sizes[] = { SCENES (.bands = 224, .rows = 27) };
static const EsLadderNamedSize ica_sizes[] = { SCENES (.rows = 27) };
static const EsLadderNamedSize noise_sizes[] = { SCENES (.bands = 224) };

#define FOURIER(n) { #n, #n, { .elements = n, .samples = 8192, .bins = 493 } }
static const EsLadderNamedSize fourier_sizes[] = {
  FOURIER (128), FOURIER (256), FOURIER (512), FOURIER (1024), FOURIER (2048), { NULL, NULL, { 0 } },
};

#define BEAMS(n) { #n, #n, { .elements = n, .angles = 160, .ranges = 8, .bins = 166 } }
static const EsLadderNamedSize beams_sizes[] = { BEAMS (512), BEAMS (1024), BEAMS (2048), { NULL, NULL, { 0 } } };

#define JACOBI(n) { #n, #n, { .elements = n } }
static const EsLadderNamedSize jacobi_sizes[] = { JACOBI (512), JACOBI (1024), JACOBI (2048), { NULL, NULL, { 0 } } };

#define AZIMUTH(n) { #n, #n, { .elements = n, .angles = 180 } }
static const EsLadderNamedSize azimuth_sizes[] = { AZIMUTH (1024), AZIMUTH (2048), { NULL, NULL, { 0 } } };

#define WORDS(name, id, operation) \
  ES_LADDER_##name, id, operation, ES_LADDER_##name##_TITLE, ES_LADDER_##name##_QUESTION, ES_LADDER_##name##_HOW, \
  ES_LADDER_##name##_PREDICT

static const EsLadder ladders[] = {
  [ES_LADDER_COVARIANCE] = {
    WORDS (COVARIANCE, "covariance", "ladder-covariance"),
    N_("Published times are of kernels alone, V0 to V4 by the PhD thesis on a Tesla K20c, I to III by the master's "
       "on a K20; those seem to contain the copy to the card."),
    { .width = 192, .height = 96, .bands = 224 }, D2 (.bands = 224), "D2", covariance_sizes },
  [ES_LADDER_TRANSFORM] = {
    WORDS (TRANSFORM, "transform", "ladder-transform"),
    N_("Published times are of the MNF transform; how many rows it had is not printed."),
    { .width = 384, .height = 192, .bands = 224, .rows = 27 }, D2 (.bands = 224, .rows = 27), "D2", transform_sizes },
  [ES_LADDER_ICA] = {
    WORDS (ICA, "ica", "ladder-ica"),
    N_("Published times are of the step of one vector; here all vectors take it, so that gains compare and times do "
       "not."),
    { .width = 512, .height = 256, .rows = 27 }, D2 (.rows = 27), "D2", ica_sizes },
  [ES_LADDER_NOISE] = {
    WORDS (NOISE, "noise", "ladder-noise"),
    NULL,
    { .width = 256, .height = 96, .bands = 224 }, D2 (.bands = 224), "D2", noise_sizes },
  [ES_LADDER_FOURIER] = {
    WORDS (FOURIER, "fourier", "ladder-fourier"),
    N_("Published times are of cuFFT on a Tesla K20c, one by one and batched."),
    { .elements = 64, .samples = 4096, .bins = 246 }, { .elements = 1024, .samples = 8192, .bins = 493 }, "1024",
    fourier_sizes },
  [ES_LADDER_BEAMS] = {
    WORDS (BEAMS, "beams", "ladder-beams"),
    N_("Published times are of 1024 elements on a Tesla K20c, a kernel for all ranges."),
    { .elements = 128, .angles = 160, .ranges = 8, .bins = 83 },
    { .elements = 1024, .angles = 160, .ranges = 8, .bins = 166 }, "1024", beams_sizes },
  [ES_LADDER_JACOBI] = {
    WORDS (JACOBI, "jacobi", "ladder-jacobi"),
    N_("Published times seem to be of a matrix of a single snapshot, which needs one sweep: only of such a one do they "
       "compare."),
    { .elements = 192, .samples = 384 }, { .elements = 1024 }, "1024", jacobi_sizes },
  [ES_LADDER_AZIMUTH] = {
    WORDS (AZIMUTH, "azimuth", "ladder-azimuth"),
    N_("Published times are of one bin on a Tesla K20c: V0 to V3 of 1024 elements, V3 to V6 of 2048."),
    { .elements = 512, .angles = 180 }, { .elements = 1024, .angles = 180 }, "1024", azimuth_sizes },
};

G_STATIC_ASSERT (G_N_ELEMENTS (ladders) == ES_N_LADDERS);

const EsLadder *
es_ladder_get (EsLadderKind kind)
{
  g_return_val_if_fail (kind < ES_N_LADDERS, NULL);
  return &ladders[kind];
}

const EsLadder *
es_ladder_find (const char *id)
{
  for (guint i = 0; i < ES_N_LADDERS; i++)
    if (g_strcmp0 (ladders[i].id, id) == 0)
      return &ladders[i];
  return NULL;
}

const EsLadder *
es_ladder_of_operation (const char *operation)
{
  for (guint i = 0; i < ES_N_LADDERS; i++)
    if (g_strcmp0 (ladders[i].operation, operation) == 0)
      return &ladders[i];
  return NULL;
}

gboolean
es_ladder_size_equal (const EsLadderSize *a, const EsLadderSize *b)
{
  return a->width == b->width && a->height == b->height && a->bands == b->bands && a->rows == b->rows
         && a->elements == b->elements && a->angles == b->angles && a->ranges == b->ranges && a->bins == b->bins
         && a->samples == b->samples;
}

gboolean
es_ladder_get_size (const EsLadder *self, gboolean is_cpu, const char *name, EsLadderSize *size)
{
  if (strcmp (name, "default") == 0)
    {
      *size = is_cpu ? self->cpu : self->gpu;
      return TRUE;
    }
  for (const EsLadderNamedSize *named = self->sizes; named->id != NULL; named++)
    if (strcmp (named->id, name) == 0)
      {
        *size = named->size;
        return TRUE;
      }
  return FALSE;
}

const char *
es_ladder_get_row (const EsLadder *self, const EsLadderSize *size)
{
  for (const EsLadderNamedSize *named = self->sizes; named->id != NULL; named++)
    if (es_ladder_size_equal (&named->size, size))
      return named->row;
  return NULL;
}

/* part: taken. */
static void
add_part (GString *text, guint n, char *part)
{
  if (n > 0 && text->len > 0)
    /* TRANSLATORS: between the parts of a size: "614 × 1087 pixels, 224 bands" */
    g_string_append (text, _(", "));
  if (n > 0)
    g_string_append (text, part);
  g_free (part);
}

char *
es_ladder_describe_size (const EsLadder *self, const EsLadderSize *size)
{
  GString *text = g_string_new (NULL);
  guint n;

  if (size->width > 0)
    g_string_append_printf (text, _("%u × %u pixels"), size->width, size->height);
  n = size->bands;
  add_part (text, n, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u band", "%u bands", n), n));
  n = size->rows;
  add_part (text, n, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u row", "%u rows", n), n));
  n = size->elements;
  add_part (text, n, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u element", "%u elements", n), n));
  if (self->kind == ES_LADDER_JACOBI)
    {
      n = MAX (size->samples, 1);
      add_part (text, n, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u snapshot", "%u snapshots", n), n));
    }
  n = self->kind == ES_LADDER_JACOBI ? 0 : size->samples;
  add_part (text, n, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u sample", "%u samples", n), n));
  n = size->angles;
  add_part (text, n, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u angle", "%u angles", n), n));
  n = size->ranges;
  add_part (text, n, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u range", "%u ranges", n), n));
  n = size->bins;
  add_part (text, n, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u bin", "%u bins", n), n));
  n = size->threads;
  add_part (text, n, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u thread", "%u threads", n), n));
  return g_string_free (text, FALSE);
}
