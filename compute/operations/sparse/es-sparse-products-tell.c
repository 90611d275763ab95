/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What was measured of products: a table, sentences, and the numbers among the result's values. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-sparse-products-private.h"

static const struct { const char *title, *unit; int digits; } columns[] = {
  { N_("Format"), NULL, -1 },
  { N_("Time"), "ms", 4 }, { N_("Spread of times"), "%", 1 }, { N_("Bandwidth"), "GB/s", 1 },
  { N_("Of the bytes limit"), "%", 1 }, { N_("Operations a second"), "G/s", 2 },
  { N_("Building"), "ms", 2 }, { N_("Upload"), "ms", 2 },
  { N_("Pays back over CSR, scalar"), N_("products"), 0 }, { N_("Pays back over CSR, vector"), N_("products"), 0 },
  { N_("Stored a nonzero"), NULL, 3 }, { N_("Launches"), NULL, 0 },
  { N_("Error"), NULL, ES_TABLE_SIGNIFICANT + 3 },
  { N_("Published"), "ms", 3 }, { N_("Published gain"), "×", 2 }, { N_("Note"), NULL, -1 },
};

/* The library by its name. */
static const char *
title_of (const EsSparseProducts *self, EskSparseFormat format)
{
  const char *library = format == ESK_SPARSE_LIBRARY && self->hotspots->sparse->library != NULL
                        ? self->hotspots->sparse->library (self->stream) : NULL;

  return library != NULL ? library : es_sparse_format_get_title (format);
}

static double
published_seconds (const EsSparsePublished *published, EskSparseFormat format)
{
  return published == NULL ? NAN : format == ESK_SPARSE_CSR_VECTOR ? published->vector_seconds
         : format == ESK_SPARSE_VAB ? published->vab_seconds : NAN;
}

/* The last columns but the note are of published times: of most matrices there are none. */
#define N_PUBLISHED 2

static gboolean
has_published (const EsSparseProducts *self, const EsSparsePublished *published)
{
  for (guint i = 0; i < self->n_rows; i++)
    if (self->rows[i].measured && !isnan (published_seconds (published, self->rows[i].format)))
      return TRUE;
  return FALSE;
}

static double
moved_bytes (const EsSparseRow *row)
{
  return (double) row->cost.bytes + (double) row->cost.vector_bytes;
}

/* Of the time in which the least bytes can be moved. */
static double
share_of_limit (const EsSparseProducts *self, const EsSparseRow *row)
{
  return self->least_bytes / self->bandwidth / row->time.median;
}

static double
stored_a_nonzero (const EsSparseProducts *self, const EsSparseRow *row)
{
  return self->problem.n_nonzeros > 0 ? (double) row->cost.stored / (double) self->problem.n_nonzeros : NAN;
}

static char *
note_of (const EsSparseProducts *self, const EsSparseRow *row)
{
  const char *chosen = row->format == self->chosen ? _("Chosen") : "";
  const char *best = row == es_sparse_products_best (self, TRUE) ? _("Fastest") : "";

  if (!row->measured)
    return g_strdup (row->why);
  if (*chosen != '\0' && *best != '\0')
    return g_strdup (_("Chosen, fastest"));
  return g_strdup (*chosen != '\0' ? chosen : best);
}

/* published: NULL where the table has no columns of it. */
static void
add_row (const EsSparseProducts *self, EsTable *table, const EsSparseRow *row, const EsSparsePublished *published)
{
  const double flops = 2 * (double) self->problem.n_nonzeros, before = published_seconds (published, row->format);
  g_autofree char *note = note_of (self, row);
  double numbers[] = {
    1e3 * row->time.median, 100 * row->time.spread, 1e-9 * moved_bytes (row) / row->time.median,
    100 * share_of_limit (self, row), 1e-9 * flops / row->time.median, row->cost.build_ms, row->cost.upload_ms,
    row->over_scalar, row->over_vector, stored_a_nonzero (self, row), row->cost.launches, row->error,
    1e3 * before, before / row->time.median,
  };
  const guint n_numbers = G_N_ELEMENTS (numbers) - (published == NULL ? N_PUBLISHED : 0);
  gconstpointer cells[G_N_ELEMENTS (columns)];
  guint n = 0;

  G_STATIC_ASSERT (G_N_ELEMENTS (numbers) == G_N_ELEMENTS (columns) - 2);

  /* What the library moves it does not say. */
  if (row->format == ESK_SPARSE_LIBRARY && row->cost.bytes == 0)
    numbers[2] = numbers[9] = NAN;
  if (row->format == ESK_SPARSE_LIBRARY && row->cost.launches == 0)
    numbers[10] = NAN;
  for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
    if (!row->measured && k != 12)
      numbers[k] = NAN;
  cells[n++] = title_of (self, row->format);
  for (guint k = 0; k < n_numbers; k++)
    cells[n++] = &numbers[k];
  cells[n++] = note;
  es_table_add_row (table, cells);
}

/* What the column "Of the bytes limit" is of. Transfer full. */
static char *
describe_limit (const EsSparseProducts *self)
{
  const double megabytes = 1e-6 * self->least_bytes, rate = 1e-9 * self->bandwidth;

  if (isnan (self->bandwidth))
    return g_strdup (_("not known"));
  return self->bandwidth_is_measured
         ? g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%.4g MB at %.1f GB/s, the best of %u reading",
                                         "%.4g MB at %.1f GB/s, the best of %u readings", self->n_readings),
                            megabytes, rate, self->n_readings)
         : g_strdup_printf (_("%.4g MB at %.1f GB/s, assumed"), megabytes, rate);
}

static void
add_products (const EsSparseProducts *self, EsResult *result)
{
  const EsSparsePublished *published = es_sparse_find_published (es_dataset_get_name (ES_DATASET (self->matrix)));
  g_autofree char *limit = describe_limit (self);
  /* TRANSLATORS: of a table: rows, columns, nonzeros of a matrix, "float64", and "4.2 MB at 12.3 GB/s, assumed" */
  g_autofree char *title = g_strdup_printf (_("Products, %zu × %zu, %zu nonzeros, %s; bytes limit: %s"),
                                            self->csr.rows, self->csr.columns, self->problem.n_nonzeros,
                                            esk_type_name (self->csr.type), limit);
  EsTable *table = es_table_new ("products", title);

  if (!has_published (self, published))
    published = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (published != NULL || i < G_N_ELEMENTS (columns) - 1 - N_PUBLISHED || i == G_N_ELEMENTS (columns) - 1)
      es_table_add_column (table, g_dgettext (GETTEXT_PACKAGE, columns[i].title),
                           columns[i].unit != NULL && g_str_equal (columns[i].unit, "products")
                           ? _("products") : columns[i].unit, columns[i].digits);
  for (guint i = 0; i < self->n_rows; i++)
    add_row (self, table, &self->rows[i], published);
  es_result_add_layer (result, ES_LAYER (table));
}

static void
add_transfers (const EsSparseProducts *self, EsResult *result)
{
  EsTable *table;

  if (self->n_transfers == 0)
    return;
  table = es_table_new ("transfers", _("Vectors to the card and back"));
  es_table_add_column (table, _("Memory"), NULL, -1);
  es_table_add_column (table, _("Streams"), NULL, 0);
  es_table_add_column (table, _("Transfer"), "ms", 4);
  es_table_add_column (table, _("Product"), "ms", 4);
  es_table_add_column (table, _("Together"), "ms", 4);
  es_table_add_column (table, _("By the published model"), "ms", 4);
  es_table_add_column (table, _("Of the model"), "%", 1);
  for (guint i = 0; i < self->n_transfers; i++)
    {
      const EsSparseTransfer *transfer = &self->transfers[i];
      const double streams = transfer->streams, numbers[] = {
        1e3 * transfer->transfer, 1e3 * transfer->product, 1e3 * transfer->together, 1e3 * transfer->model,
        100 * transfer->together / transfer->model
      };

      es_table_add_row (table, (gconstpointer[]) { transfer->locked ? _("Page-locked") : _("Pageable"), &streams,
                                                   &numbers[0], &numbers[1], &numbers[2], &numbers[3], &numbers[4] });
    }
  es_result_add_layer (result, ES_LAYER (table));
}

/* ---- sentences ---- */

static void
say_choice (const EsSparseProducts *self, EsVerdict *verdict)
{
  const EsSparseRow *chosen = es_sparse_products_find (self, self->chosen);
  const EsSparseRow *best = es_sparse_products_best (self, TRUE);
  const char *title = title_of (self, self->chosen);
  g_autofree char *why = g_strdup_printf (_("Chosen by itself: %s. %s"), title, self->reason);
  g_autofree char *judged = NULL;

  es_verdict_add (verdict, ES_VERDICT_TELLS, FALSE, why, NULL);
  if (best == NULL)
    return;
  if (chosen == NULL)
    judged = g_strdup_printf (_("It was not measured, so that nothing says whether %s is the right choice."), title);
  else if (chosen == best)
    judged = g_strdup (_("It is the fastest of those measured."));
  else
    judged = g_strdup_printf (_("It takes %.2f times the time of the fastest measured, %s."),
                              chosen->time.median / best->time.median, title_of (self, best->format));
  es_verdict_add (verdict, chosen == NULL ? ES_VERDICT_UNSURE
                           : es_sparse_products_choice_holds (self) ? ES_VERDICT_YES : ES_VERDICT_NO, FALSE, judged,
                  _("A choice is right where it is within a tenth of the fastest measured."));
  if (chosen != NULL)
    es_verdict_add_number (verdict, title, chosen->time.median, "s");
  if (chosen != best)
    es_verdict_add_number (verdict, title_of (self, best->format), best->time.median, "s");
}

static void
say_limit (const EsSparseProducts *self, EsVerdict *verdict)
{
  const EsSparseRow *best = es_sparse_products_best (self, TRUE);
  g_autofree char *sentence = NULL;

  if (best == NULL || isnan (self->bandwidth))
    return;
  sentence = g_strdup_printf (self->bandwidth_is_measured
    ? _("Every product moves at least %.4g MB, which takes %.4g µs at the %.1f GB/s that reading so much came to at "
        "best: the fastest takes %.2f times as long.")
    : _("Every product moves at least %.4g MB, which takes %.4g µs at the %.1f GB/s that are assumed of the memory: "
        "the fastest takes %.2f times as long."),
    1e-6 * self->least_bytes, 1e6 * self->least_bytes / self->bandwidth, 1e-9 * self->bandwidth,
    1 / share_of_limit (self, best));
  es_verdict_add (verdict, ES_VERDICT_TELLS, FALSE, sentence,
                  self->bandwidth_is_measured
                  ? _("Least bytes: each nonzero’s value, the vector and the product once. They were read before the "
                      "first format and behind each: what else runs makes readings slower, never faster.")
                  : _("Least bytes: each nonzero’s value, the vector and the product once."));
}

static void
say_library (const EsSparseProducts *self, EsVerdict *verdict)
{
  const EsSparseRow *library = es_sparse_products_find (self, ESK_SPARSE_LIBRARY);
  const EsSparseRow *best = es_sparse_products_best (self, FALSE);
  g_autofree char *sentence = NULL;

  if (library == NULL || best == NULL)
    return;
  sentence = g_strdup_printf (_("The fastest of ours, %s, takes %.3g times the library’s time."),
                              title_of (self, best->format), best->time.median / library->time.median);
  es_verdict_add (verdict, ES_VERDICT_TELLS, FALSE, sentence, NULL);
}

/* A product whose samples differ by more than this was disturbed, and its time is none to conclude from. */
#define MOST_SPREAD 0.25

static void
say_disturbance (const EsSparseProducts *self, EsVerdict *verdict)
{
  const EsSparseRow *worst = NULL;
  guint n = 0;

  for (guint i = 0; i < self->n_rows; i++)
    if (self->rows[i].measured && self->rows[i].time.spread > MOST_SPREAD)
      {
        n++;
        if (worst == NULL || self->rows[i].time.spread > worst->time.spread)
          worst = &self->rows[i];
      }
  if (worst != NULL)
    {
      const char *title = title_of (self, worst->format);
      g_autofree char *sentence = n == 1
        ? g_strdup_printf (_("The times of %s differ among themselves by more than %.0f %%: something else was "
                             "running; measure again before you conclude."), title, 100 * MOST_SPREAD)
        : g_strdup_printf (_("The times of %u formats differ among themselves by more than %.0f %%, most of all those "
                             "of %s: something else was running; measure again before you conclude."), n,
                           100 * MOST_SPREAD, title);

      es_verdict_add (verdict, ES_VERDICT_UNSURE, FALSE, sentence,
                      _("Spread: half of what lies between the 10th and the 90th per cent, of the median."));
      es_verdict_add_number (verdict, title, 100 * worst->time.spread, "%");
    }
}

static void
say_published (const EsSparseProducts *self, EsVerdict *verdict)
{
  const EsSparsePublished *published = es_sparse_find_published (es_dataset_get_name (ES_DATASET (self->matrix)));
  const EsSparseRow *vector = es_sparse_products_find (self, ESK_SPARSE_CSR_VECTOR);
  const EsSparseRow *vab = es_sparse_products_find (self, ESK_SPARSE_VAB);
  g_autofree char *sentence = NULL;

  if (published == NULL || vector == NULL || vab == NULL)
    return;
  sentence = g_strdup_printf (_("VAB against CSR, vector: %.2f times as fast here, %.2f times as published of a "
                                "GTX 260+ (%zu rows, %zu nonzeros printed)."), vector->time.median / vab->time.median,
                              published->vector_seconds / published->vab_seconds, published->order,
                              published->nonzeros);
  es_verdict_add (verdict, ES_VERDICT_TELLS, FALSE, sentence, NULL);
}

/* ---- values ---- */

static void
set_number (JsonObject *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

static JsonObject *
row_values (const EsSparseProducts *self, const EsSparseRow *row)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "format", es_sparse_format_get_id (row->format));
  if (!row->measured)
    {
      json_object_set_string_member (object, "missing", row->why);
      return object;
    }
  set_number (object, "seconds", row->time.median);
  set_number (object, "spread", row->time.spread);
  json_object_set_int_member (object, "repeats", row->time.repeats);
  set_number (object, "bytes", moved_bytes (row));
  set_number (object, "share", share_of_limit (self, row));
  set_number (object, "build_ms", row->cost.build_ms);
  set_number (object, "upload_ms", row->cost.upload_ms);
  set_number (object, "stored", (double) row->cost.stored);
  json_object_set_int_member (object, "launches", row->cost.launches);
  set_number (object, "pays_back_scalar", row->over_scalar);
  set_number (object, "pays_back_vector", row->over_vector);
  set_number (object, "error", row->error);
  return object;
}

static JsonObject *
make_values (const EsSparseProducts *self)
{
  const EsSparseRow *best = es_sparse_products_best (self, TRUE);
  JsonObject *values = json_object_new ();
  JsonArray *rows = json_array_new ();

  json_object_set_string_member (values, "chosen", es_sparse_format_get_id (self->chosen));
  if (best != NULL)
    json_object_set_string_member (values, "fastest", es_sparse_format_get_id (best->format));
  if (es_sparse_products_find (self, self->chosen) != NULL)
    json_object_set_boolean_member (values, "choice_holds", es_sparse_products_choice_holds (self));
  set_number (values, "least_bytes", self->least_bytes);
  set_number (values, "bandwidth", self->bandwidth);
  json_object_set_boolean_member (values, "bandwidth_measured", self->bandwidth_is_measured);
  if (self->bandwidth_is_measured)
    {
      json_object_set_int_member (values, "bandwidth_readings", self->n_readings);
      set_number (values, "slowest_reading", self->slowest_reading);
    }
  for (guint i = 0; i < self->n_rows; i++)
    json_array_add_object_element (rows, row_values (self, &self->rows[i]));
  json_object_set_array_member (values, "products", rows);
  return values;
}

void
es_sparse_products_publish (EsSparseProducts *self, EsResult *result)
{
  EsVerdict *verdict = es_verdict_new ("verdict", _("Verdict"));

  add_products (self, result);
  add_transfers (self, result);
  say_choice (self, verdict);
  say_limit (self, verdict);
  say_library (self, verdict);
  say_disturbance (self, verdict);
  say_published (self, verdict);
  es_result_add_layer (result, ES_LAYER (verdict));
  es_result_set_values (result, make_values (self));
  es_result_set_title (result, g_dgettext (GETTEXT_PACKAGE, "Products"));
}
