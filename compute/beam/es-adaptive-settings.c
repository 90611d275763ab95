/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What adaptive beams are asked to be (sonar.md 5 to 7): automatic values, what cannot be, what it costs. */

#include "es-beam-params-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-beam-settings-private.h"

/* sonar.md 6.1: enough snapshots, and fewer than elements. */
#define LOADING_ENOUGH 0.01
#define LOADING_FEW ES_ADAPTIVE_LOADING_FEW
#define MOST_LOADING 100.0
#define MOST_AUTOMATIC_BLOCKS 8
/* Eigenvalues of matrices up to this size cost little. */
#define CHEAP_EIGENVALUES 128
/* What has faded to less than this share is forgotten. */
#define FORGOTTEN 0.01
/* Sweeps of Jacobi's rotations that matrices of many snapshots take. */
#define SWEEPS 8

const EsParamChoice es_adaptive_method_choices[] = {
  { .id = "auto", .label = N_("Automatic") },
  { .id = "cholesky", .label = N_("Cholesky") },
  { .id = "woodbury", .label = N_("Woodbury (snapshots)") },
  { .id = "jacobi", .label = N_("Jacobi rotations") },
  { .id = "eigen", .label = N_("Eigenvectors (library)") },
  { .id = NULL }
};

enum { EIGENVALUES_AUTO, EIGENVALUES_YES, EIGENVALUES_NO };

const EsParamChoice es_adaptive_eigenvalue_choices[] = {
  { .id = "auto", .label = N_("Automatic") },
  { .id = "yes", .label = N_("Yes") },
  { .id = "no", .label = N_("No") },
  { .id = NULL }
};

/* ---- numbers ---- */

/* How many blocks before one still count. */
static guint64
remembered (const EsBeamSettings *self)
{
  const double alpha = self->adaptive.forgetting;

  if (alpha <= 0)
    return MAX (self->adaptive.blocks, 1) - 1;
  if (alpha >= 1)
    return 0;
  return (guint64) MIN (floor (log (FORGOTTEN) / log1p (-alpha)), 1e9);
}

guint
es_adaptive_settings_get_memory (const EsBeamSettings *self)
{
  const guint64 most = self->adaptive.forgetting > 0 ? ES_ADAPTIVE_MOST_PRIMING : G_MAXUINT;

  return self->adaptive.on ? (guint) MIN (remembered (self), most) : 0;
}

guint
es_adaptive_settings_get_first_full (const EsBeamSettings *self, guint n)
{
  const EsAdaptiveSettings *adaptive = &self->adaptive;

  return adaptive->forgetting > 0 ? n / 2 : MIN (MAX (adaptive->blocks, 1), MAX (n, 1)) - 1;
}

guint
es_adaptive_settings_get_columns (const EsBeamSettings *self, guint n_alive)
{
  const guint64 columns = self->snapshots * (remembered (self) + 1);

  /* What forgets could do with fewer numbers than the matrix has: only then snapshots are kept. */
  if (self->adaptive.forgetting > 0 && columns >= n_alive)
    return 0;
  return (guint) MIN (columns, G_MAXUINT);
}

double
es_beam_settings_get_effective_snapshots (const EsBeamSettings *self)
{
  const double alpha = self->adaptive.forgetting;

  if (alpha > 0)
    return self->snapshots * (2 - alpha) / alpha;
  return (double) self->snapshots * MAX (self->adaptive.blocks, 1);
}

double
es_beam_settings_get_loading (const EsBeamSettings *self, guint n_alive)
{
  if (self->adaptive.loading >= 0)
    return self->adaptive.loading;
  return es_beam_settings_get_effective_snapshots (self) >= n_alive ? LOADING_ENOUGH : LOADING_FEW;
}

EsAdaptiveWork
es_beam_settings_get_adaptive_work (const EsBeamSettings *self, EsAdaptiveMethod method, guint n_alive)
{
  const guint columns = es_adaptive_settings_get_columns (self, n_alive);

  return es_beam_settings_get_adaptive_work_of (self, method, n_alive, columns);
}

EsAdaptiveWork
es_beam_settings_get_adaptive_work_of (const EsBeamSettings *self, EsAdaptiveMethod method, guint n_alive,
                                       guint columns)
{
  const double n = n_alive, foci = (double) self->n_ranges * self->n_angles;
  /* Hermitian products are half as many; a matrix that is kept grows by one block's snapshots. */
  const double k = columns > 0 ? columns : self->snapshots, forming = 4 * k * n * n;
  EsAdaptiveWork one;

  switch (method)
    {
    case ES_ADAPTIVE_WOODBURY:
      one = (EsAdaptiveWork) { 4 * k * k * n, 4.0 / 3 * k * k * k, 8 * k * n * foci + 4 * k * k * foci };
      break;
    case ES_ADAPTIVE_JACOBI:
      /* One snapshot: n - 1 rotations (sonar.md 6.1). */
      one = (EsAdaptiveWork) { forming, columns == 1 ? 60 * n * n : SWEEPS * 30 * n * n * n, 8 * n * n * foci };
      break;
    case ES_ADAPTIVE_EIGEN:
      one = (EsAdaptiveWork) { forming, 20 * n * n * n, 8 * n * n * foci };
      break;
    case ES_ADAPTIVE_CHOLESKY:
    case ES_ADAPTIVE_AUTO:
    case ES_N_ADAPTIVE_METHODS:
    default:
      one = (EsAdaptiveWork) { forming, 4.0 / 3 * n * n * n, 4 * n * n * foci };
    }
  one.matrix *= self->n_bins;
  one.factor *= self->n_bins;
  one.spectrum *= self->n_bins;
  return one;
}

double
es_adaptive_settings_get_flops (const EsBeamSettings *self, EsAdaptiveMethod method, guint n_alive)
{
  const EsAdaptiveWork work = es_beam_settings_get_adaptive_work (self, method, n_alive);

  return work.matrix + work.factor + work.spectrum;
}

EsAdaptiveMethod
es_beam_settings_get_method (const EsBeamSettings *self, guint n_alive)
{
  if (self->adaptive.method != ES_ADAPTIVE_AUTO)
    return self->adaptive.method;
  if (es_adaptive_settings_get_columns (self, n_alive) > 0 && es_beam_settings_get_loading (self, n_alive) > 0
      && es_adaptive_settings_get_flops (self, ES_ADAPTIVE_WOODBURY, n_alive)
         < es_adaptive_settings_get_flops (self, ES_ADAPTIVE_CHOLESKY, n_alive))
    return ES_ADAPTIVE_WOODBURY;
  return ES_ADAPTIVE_CHOLESKY;
}

guint
es_adaptive_settings_get_n_eigenvalues (const EsBeamSettings *self, guint n_alive)
{
  const guint columns = es_adaptive_settings_get_columns (self, n_alive);

  return columns > 0 ? MIN (columns, n_alive) : n_alive;
}

/* ---- what cannot be ---- */

static gboolean
refuse (GError **error, char *message)
{
  g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, message);
  g_free (message);
  return FALSE;
}

gboolean
es_adaptive_settings_check (const EsBeamSettings *self, guint n_alive, GError **error)
{
  const EsAdaptiveSettings *adaptive = &self->adaptive;
  const double snapshots = es_beam_settings_get_effective_snapshots (self);
  const double most_sources = MIN (n_alive - 1.0, snapshots);

  if (!adaptive->on)
    return TRUE;
  if (adaptive->loading == 0 && snapshots < n_alive)
    return refuse (error, g_strdup_printf (_("Matrices of %u elements have no inverse with %.4g snapshots and a "
                                             "loading of 0: expected at least %u snapshots, or a loading (%g would "
                                             "do)."),
                                           n_alive, snapshots, n_alive, LOADING_FEW));
  if (adaptive->method == ES_ADAPTIVE_WOODBURY && adaptive->loading == 0)
    return refuse (error, g_strdup_printf (_("The method “woodbury” needs a loading above 0 (%g would do): expected "
                                             "one, or another method."), LOADING_ENOUGH));
  if (adaptive->method == ES_ADAPTIVE_WOODBURY && es_adaptive_settings_get_columns (self, n_alive) == 0)
    return refuse (error, g_strdup_printf (_("The method “woodbury” needs the snapshots themselves, of which a "
                                             "forgetting of %g leaves too many to keep: expected another method, or "
                                             "a number of blocks without forgetting."), adaptive->forgetting));
  if (adaptive->sources > most_sources)
    return refuse (error, g_strdup_printf (_("MUSIC cannot tell %u sources with %u elements and %.4g snapshots: "
                                             "expected at most %u."), adaptive->sources, n_alive, snapshots,
                                           (guint) most_sources));
  return TRUE;
}

/* ---- from parameters ---- */

gboolean
es_parse_loading (const char *text, double *loading, GError **error)
{
  g_autofree char *number = g_strstrip (g_strdup (text));
  char *end = NULL;

  *loading = g_ascii_strtod (number, &end);
  if (end != number && *end == '\0' && strpbrk (number, "xXnN") == NULL && *loading >= 0 && *loading <= MOST_LOADING)
    return TRUE;

  g_autofree char *shown = g_utf8_make_valid (text, -1);
  return refuse (error, g_strdup_printf (_("“%s” is no loading: expected a number from 0 to %g, as in “0.01”, or "
                                           "nothing for the automatic one."), shown, MOST_LOADING));
}

gboolean
es_beam_check_loading (const char *text, GError **error)
{
  double loading;

  return es_parse_loading (text, &loading, error);
}

gboolean
es_adaptive_settings_read (EsBeamSettings *self, EsParams *params, guint n_alive, GError **error)
{
  EsAdaptiveSettings *adaptive = &self->adaptive;
  const char *loading = es_params_get_text (params, "loading");
  const guint blocks = es_params_get_int (params, "blocks");
  const guint eigenvalues = es_params_get_choice (params, "eigenvalues");

  adaptive->on = TRUE;
  adaptive->method = es_params_get_choice (params, "method");
  adaptive->loading = -1;
  if (*loading != '\0' && !es_parse_loading (loading, &adaptive->loading, error))
    return FALSE;
  adaptive->forgetting = es_params_get_float (params, "forgetting");
  adaptive->sources = es_params_get_int (params, "sources");
  adaptive->blocks = blocks > 0 ? blocks
                     : (guint) CLAMP ((2 * (guint64) n_alive + self->snapshots - 1) / self->snapshots, 1,
                                      MOST_AUTOMATIC_BLOCKS);
  adaptive->eigenvalues = eigenvalues == EIGENVALUES_YES
                          || (eigenvalues == EIGENVALUES_AUTO
                              && (adaptive->method == ES_ADAPTIVE_JACOBI || adaptive->method == ES_ADAPTIVE_EIGEN
                                  || adaptive->sources > 0
                                  || es_adaptive_settings_get_n_eigenvalues (self, n_alive) <= CHEAP_EIGENVALUES));
  return es_adaptive_settings_check (self, n_alive, error);
}

/* ---- what can change ---- */

static gboolean
same_numbers (const double *a, const double *b, guint n)
{
  return n == 0 || memcmp (a, b, n * sizeof *a) == 0;
}

gboolean
es_beam_settings_equal_beams (const EsBeamSettings *a, const EsBeamSettings *b)
{
  return a->rate == b->rate && a->sound_speed == b->sound_speed && a->block == b->block && a->length == b->length
         && a->window_length == b->window_length && a->hop == b->hop && a->snapshots == b->snapshots
         && a->window == b->window && a->shading == b->shading && a->remove_diagonal == b->remove_diagonal
         && a->first_bin == b->first_bin && a->n_bins == b->n_bins && a->cbf_first == b->cbf_first
         && a->cbf_bins == b->cbf_bins && a->n_angles == b->n_angles && a->n_ranges == b->n_ranges
         && a->range_kind == b->range_kind && same_numbers (a->angles, b->angles, a->n_angles)
         && same_numbers (a->ranges, b->ranges, a->n_ranges) && a->adaptive.on == b->adaptive.on
         && (!a->adaptive.on || (a->adaptive.blocks == b->adaptive.blocks
                                 && a->adaptive.forgetting == b->adaptive.forgetting));
}

gboolean
es_beam_settings_equal_but_adaptive (const EsBeamSettings *a, const EsBeamSettings *b)
{
  return es_beam_settings_equal_beams (a, b) && a->library == b->library && a->lofar_first == b->lofar_first
         && a->lofar_bins == b->lofar_bins;
}
