/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sparse-choice.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"

static const struct { const char *id, *title; } formats[ESK_N_SPARSE_FORMATS] = {
  [ESK_SPARSE_COO] = { "coo", N_("Triplets (COO)") },
  [ESK_SPARSE_DIA] = { "dia", N_("Diagonals (DIA)") },
  [ESK_SPARSE_ELL] = { "ell", N_("Rows of one length (ELL)") },
  [ESK_SPARSE_CSR_SCALAR] = { "csr-scalar", N_("CSR, scalar") },
  [ESK_SPARSE_CSR_VECTOR] = { "csr-vector", N_("CSR, vector") },
  [ESK_SPARSE_SC_CSR] = { "sc-csr", N_("Merged rows (SC-CSR)") },
  [ESK_SPARSE_VAB] = { "vab", N_("Vertical blocks (VAB)") },
  [ESK_SPARSE_MERGE] = { "merge", N_("CSR, merge path") },
  [ESK_SPARSE_SELL] = { "sell", N_("SELL-C-σ") },
  [ESK_SPARSE_LIBRARY] = { "library", N_("Library") },
};

const char *
es_sparse_format_get_id (EskSparseFormat format)
{
  return (guint) format < ESK_N_SPARSE_FORMATS ? formats[format].id : NULL;
}

const char *
es_sparse_format_get_title (EskSparseFormat format)
{
  return (guint) format < ESK_N_SPARSE_FORMATS ? g_dgettext (GETTEXT_PACKAGE, formats[format].title) : NULL;
}

gboolean
es_sparse_format_find (const char *id, EskSparseFormat *format)
{
  for (guint f = 0; f < ESK_N_SPARSE_FORMATS; f++)
    if (strcmp (formats[f].id, id) == 0)
      {
        *format = (EskSparseFormat) f;
        return TRUE;
      }
  return FALSE;
}

gboolean
es_sparse_formats_parse (const char *text, guint *set, GError **error)
{
  g_auto (GStrv) words = g_strsplit_set (text, ", ;", -1);
  guint found = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      EskSparseFormat format;

      if (*words[i] == '\0')
        continue;
      if (!es_sparse_format_find (words[i], &format))
        {
          g_autoptr (GString) known = g_string_new (NULL);

          for (guint f = 0; f < ESK_N_SPARSE_FORMATS; f++)
            g_string_append_printf (known, "%s%s", f > 0 ? ", " : "", formats[f].id);
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                       _("There is no format “%s” of sparse matrices; there are %s."), words[i], known->str);
          return FALSE;
        }
      found |= 1u << format;
    }
  if (set != NULL)
    *set = found != 0 ? found : (1u << ESK_N_SPARSE_FORMATS) - 1;
  return TRUE;
}

/* ---- what was published ---- */

static const EsSparsePublished published[] = {
  { "c-26", 4307, 19422, 51e-6, 55e-6 },
  { "crystk02", 13965, 491274, 180e-6, 57e-6 },
  { "Andrews", 60000, 410077, 434e-6, 78e-6 },
  { "thermomech_TC", 102158, 406858, 632e-6, 115e-6 },
};

const EsSparsePublished *
es_sparse_find_published (const char *name)
{
  /* One that was made like it has its order and as many nonzeros. */
  if (name != NULL && g_str_has_prefix (name, "like:"))
    name += strlen ("like:");
  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (published); i++)
    {
      const gsize length = strlen (published[i].name);

      if (g_ascii_strncasecmp (name, published[i].name, length) == 0 && (name[length] == '\0' || name[length] == '.'))
        return &published[i];
    }
  return NULL;
}
