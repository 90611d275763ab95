/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which matrices can be made, as parameters, and their names (es-sparse-matrix.h). */

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-matrix-dialog.h"

#define MOST 2147483647.0

static const EsParamChoice kinds[] = {
  { "poisson2d", N_("Poisson’s equation on a plane") },
  { "poisson3d", N_("Poisson’s equation in space") },
  { "random", N_("At random, rows of a given length") },
  { "power", N_("At random, rows by a power law") },
  { "banded", N_("A band along the diagonal") },
  { "like", N_("Like one of the published ones") },
  { "example", N_("The example of the formats") },
  { NULL }
};

static const EsParamChoice stencils2[] = {
  { "5", N_("5 points") }, { "9", N_("9 points") }, { NULL }
};

static const EsParamChoice stencils3[] = {
  { "7", N_("7 points") }, { "27", N_("27 points") }, { NULL }
};

/* Names, which are the same in every language. */
static const EsParamChoice published[] = {
  { "c-26", "c-26" }, { "crystk02", "crystk02" }, { "Andrews", "Andrews" }, { "thermomech_TC", "thermomech_TC" },
  { "ecology2", "ecology2" }, { "thermal2", "thermal2" }, { "G3_circuit", "G3_circuit" },
  { "af_0_k101", "af_0_k101" }, { "af_shell9", "af_shell9" }, { "cage14", "cage14" }, { "pwtk", "pwtk" }, { NULL }
};

static const EsParamSpec specs[] = {
  { .key = "kind", .label = N_("Kind"), .help = N_("What the matrix comes from, or how its rows are drawn."),
    .type = ES_PARAM_CHOICE, .choices = kinds },
  { .key = "width", .label = N_("Width"), .help = N_("Points of the grid in a row: neighbouring rows of the matrix."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 1e5, .step = 10, .default_value = 1000,
    .visible_if = "kind=poisson2d" },
  { .key = "height", .label = N_("Height"), .help = N_("Rows of the grid."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 1e5, .step = 10, .default_value = 1000,
    .visible_if = "kind=poisson2d" },
  { .key = "stencil", .label = N_("Stencil"), .help = N_("Which points of the grid an equation joins."),
    .type = ES_PARAM_CHOICE, .choices = stencils2, .visible_if = "kind=poisson2d" },
  { .key = "side", .label = N_("Points a side"), .help = N_("Points of the grid along each of the three sides."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 1290, .step = 10, .default_value = 100,
    .visible_if = "kind=poisson3d" },
  { .key = "stencil-3d", .label = N_("Stencil"), .help = N_("Which points of the grid an equation joins."),
    .type = ES_PARAM_CHOICE, .choices = stencils3, .visible_if = "kind=poisson3d" },
  { .key = "n", .label = N_("Rows"), .help = N_("Rows, and as many columns."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = MOST, .step = 1000, .default_value = 100000,
    .visible_if = "kind=random|power|banded" },
  { .key = "mean", .label = N_("Nonzeros of a row"), .help = N_("In the mean of all rows."),
    .type = ES_PARAM_FLOAT, .minimum = 0, .maximum = 1e6, .step = 1, .digits = 2, .default_value = 20,
    .visible_if = "kind=random" },
  { .key = "deviation", .label = N_("Their deviation"), .help = N_("How unlike the lengths of the rows are."),
    .type = ES_PARAM_FLOAT, .minimum = 0, .maximum = 1e6, .step = 1, .digits = 2, .default_value = 10,
    .visible_if = "kind=random" },
  { .key = "spread", .label = N_("Distance from the diagonal"),
    .help = N_("Nonzeros lie no further from the diagonal than so many columns."),
    .type = ES_PARAM_INT, .minimum = 0, .maximum = MOST, .step = 100, .zero_label = N_("anywhere"),
    .visible_if = "kind=random" },
  { .key = "symmetric", .label = N_("Symmetric"),
    .help = N_("What stands at one side of the diagonal stands at the other."),
    .type = ES_PARAM_BOOL, .visible_if = "kind=random" },
  { .key = "exponent", .label = N_("Exponent"),
    .help = N_("The share of rows of a length falls with the length to this power: a few rows hold much."),
    .type = ES_PARAM_FLOAT, .minimum = 1.1, .maximum = 10, .step = 0.1, .digits = 1, .default_value = 2.5,
    .visible_if = "kind=power" },
  { .key = "dominant", .label = N_("Dominant diagonal"),
    .help = N_("The diagonal is larger than all other values of its row together: every solver here converges."),
    .type = ES_PARAM_BOOL, .default_value = TRUE, .visible_if = "kind=random|power" },
  { .key = "lower", .label = N_("Diagonals below"), .help = N_("Diagonals full of nonzeros below the main one."),
    .type = ES_PARAM_INT, .minimum = 0, .maximum = 10000, .default_value = 2, .visible_if = "kind=banded" },
  { .key = "upper", .label = N_("Diagonals above"), .help = N_("Diagonals full of nonzeros above the main one."),
    .type = ES_PARAM_INT, .minimum = 0, .maximum = 10000, .default_value = 2, .visible_if = "kind=banded" },
  { .key = "seed", .label = N_("Seed"), .help = N_("The same seed makes the same matrix."),
    .type = ES_PARAM_INT, .minimum = 0, .maximum = MOST, .default_value = 1, .visible_if = "kind=random|power" },
  { .key = "published", .label = N_("Like"),
    .help = N_("A matrix of as many rows, nearly as many nonzeros and the same symmetry as one that was measured in "
               "2012. Where its nonzeros lie and their values are its own."),
    .type = ES_PARAM_CHOICE, .choices = published, .visible_if = "kind=like" },
  { .type = ES_PARAM_END }
};

EsParams *
es_matrix_made_params (void)
{
  return es_params_new (specs);
}

static gboolean
is_kind (EsParams *params, const char *kind)
{
  return g_str_equal (es_params_get_choice_id (params, "kind"), kind);
}

/* ",mean=20", as eigenscope-batch reads it, where it is not 0. */
static void
append_key (GString *name, EsParams *params, const char *key)
{
  g_autofree char *text = es_params_format (params, key);

  if (es_params_get_value (params, key) != 0)
    g_string_append_printf (name, ",%s=%s", key,
                            es_param_specs_find (specs, key)->type == ES_PARAM_BOOL ? "1" : text);
}

char *
es_matrix_made_name (EsParams *params)
{
  const char *kind = es_params_get_choice_id (params, "kind");
  g_autoptr (GString) name = g_string_new (kind);

  g_string_append_c (name, ':');
  if (is_kind (params, "poisson2d"))
    g_string_append_printf (name, "%" G_GINT64_FORMAT "x%" G_GINT64_FORMAT ":%s", es_params_get_int (params, "width"),
                            es_params_get_int (params, "height"), es_params_get_choice_id (params, "stencil"));
  else if (is_kind (params, "poisson3d"))
    {
      const gint64 side = es_params_get_int (params, "side");

      g_string_append_printf (name, "%" G_GINT64_FORMAT "x%" G_GINT64_FORMAT "x%" G_GINT64_FORMAT ":%s", side, side,
                              side, es_params_get_choice_id (params, "stencil-3d"));
    }
  else if (is_kind (params, "like"))
    g_string_append (name, es_params_get_choice_id (params, "published"));
  else if (is_kind (params, "example"))
    g_string_append (name, "4x4");
  else
    {
      static const char *const keys[] = { "mean", "deviation", "spread", "symmetric", "exponent", "dominant", "lower",
                                          "upper", "seed" };

      g_string_append_printf (name, "n=%" G_GINT64_FORMAT, es_params_get_int (params, "n"));
      for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
        {
          /* What is not told of a band is 1, and of the others 20. */
          if (!es_params_is_visible (params, keys[i]))
            continue;
          if (es_params_get_value (params, keys[i]) == 0
              && (g_str_equal (keys[i], "lower") || g_str_equal (keys[i], "upper") || g_str_equal (keys[i], "mean")
                  || g_str_equal (keys[i], "seed")))
            g_string_append_printf (name, ",%s=0", keys[i]);
          else
            append_key (name, params, keys[i]);
        }
    }
  return g_string_free (g_steal_pointer (&name), FALSE);
}

gboolean
es_matrix_made_size (EsParams *params, double *rows, double *nonzeros)
{
  if (is_kind (params, "poisson2d"))
    {
      const double width = es_params_get_value (params, "width"), height = es_params_get_value (params, "height");

      *rows = width * height;
      *nonzeros = es_params_get_choice (params, "stencil") == 0 ? 5 * *rows - 2 * (width + height)
                                                                : (3 * width - 2) * (3 * height - 2);
    }
  else if (is_kind (params, "poisson3d"))
    {
      const double side = es_params_get_value (params, "side"), other = 3 * side - 2;

      *rows = side * side * side;
      *nonzeros = es_params_get_choice (params, "stencil-3d") == 0 ? 7 * *rows - 6 * side * side
                                                                   : other * other * other;
    }
  else if (is_kind (params, "random"))
    {
      *rows = es_params_get_value (params, "n");
      *nonzeros = *rows * MIN (es_params_get_value (params, "mean"), *rows);
    }
  else if (is_kind (params, "banded"))
    {
      *rows = es_params_get_value (params, "n");
      *nonzeros = *rows * (1 + es_params_get_value (params, "lower") + es_params_get_value (params, "upper"));
    }
  else
    return FALSE;
  return TRUE;
}
