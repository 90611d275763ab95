/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Products of a sparse matrix with a vector in every format, measured: sparse.md 1.0 to 1.3, table 4.1; issue 21. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "advice/es-roofs.h"
#include "base/es-error.h"
#include "es-sparse-operations-internal.h"
#include "es-sparse-products-private.h"
#include "lab/es-machine.h"

/* More padding than this is measured by nobody. */
/* How often as many bytes are read as a product moves at least, before the first format, and behind each. */
#define FIRST_READINGS 5
#define READINGS 3
#define MOST_PADDING 16
#define LEAST_STORED 1000000
#define FORMAT_SECONDS 0.15

static gboolean
check_formats (const char *text, GError **error)
{
  return es_sparse_formats_parse (text, NULL, error);
}

/* Three lengths that ascend. */
static gboolean
parse_cuts (const char *text, unsigned *cuts, GError **error)
{
  g_auto (GStrv) words = g_strsplit_set (text, ",; ", -1);
  guint n = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      guint64 cut;

      if (*words[i] == '\0')
        continue;
      if (n == 3 || !g_ascii_string_to_unsigned (words[i], 10, 1, 1u << 30, &cut, NULL)
          || (n > 0 && cut < cuts[n - 1]))
        {
          n = 0;
          break;
        }
      cuts[n++] = (unsigned) cut;
    }
  if (n == 3)
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("Segments are cut at three lengths of rows that ascend, as in “8, 16, 32”, not at “%s”."), text);
  return FALSE;
}

static gboolean
check_cuts (const char *text, GError **error)
{
  unsigned cuts[3];

  return parse_cuts (text, cuts, error);
}

static const EsParamChoice precisions[] = {
  { .id = "float64", .label = N_("float64") }, { .id = "float32", .label = N_("float32, as published") }, { .id = NULL }
};

static const EsParamSpec params[] = {
  { .key = "precision", .label = N_("Precision"),
    .help = N_("The type of values and vectors, and of the sums of a row."),
    .type = ES_PARAM_CHOICE, .choices = precisions },
  { .key = "formats", .label = N_("Formats"),
    .help = N_("Those that are measured: coo, dia, ell, csr-scalar, csr-vector, sc-csr, vab, merge, sell, library; "
               "empty: all."),
    .type = ES_PARAM_TEXT, .check = check_formats, .zero_label = N_("All") },
  { .key = "repeats", .label = N_("Repeats"),
    .help = N_("How often each product is measured after a first time that does not count; the median is told."),
    .type = ES_PARAM_INT, .maximum = ESK_LAB_MOST_REPEATS, .zero_label = N_("Automatic"), .advanced = TRUE },
  { .key = "block", .label = N_("Block of VAB"),
    .help = N_("Chunks of four nonzeros of a block, and threads that work on it: a multiple of 64."),
    .type = ES_PARAM_INT, .minimum = 64, .maximum = 1024, .step = 64, .default_value = 128, .advanced = TRUE },
  { .key = "texture", .label = N_("Partial sums by texture"),
    .help = N_("Of a card: partial sums of VAB are read through the texture path, as published, instead of the "
               "read-only one."),
    .type = ES_PARAM_BOOL, .default_value = TRUE, .advanced = TRUE },
  { .key = "full-warps", .label = N_("Full load of SC-CSR"),
    .help = N_("A segment of rows that fills fewer warps than this is no kernel of its own: its rows go on to the "
               "next. −1: half of what the card holds at once, as published; 0: every segment is one."),
    .type = ES_PARAM_INT, .minimum = -1, .maximum = 1 << 20, .default_value = -1, .advanced = TRUE },
  { .key = "cuts", .label = N_("Segments of SC-CSR"),
    .help = N_("The three lengths of rows at which the segments after the first begin."),
    .type = ES_PARAM_TEXT, .default_text = "8, 16, 32", .check = check_cuts, .advanced = TRUE },
  { .key = "chunk", .label = N_("Chunk of SELL"),
    .help = N_("Rows beside each other that are padded to the longest of them."),
    .type = ES_PARAM_INT, .maximum = 1024, .zero_label = N_("Automatic"), .advanced = TRUE },
  { .key = "sigma", .label = N_("Window of SELL"),
    .help = N_("Rows that are sorted together by their length; 1: none are."),
    .type = ES_PARAM_INT, .maximum = 1 << 30, .zero_label = N_("Automatic"), .advanced = TRUE },
  { .type = ES_PARAM_END }
};

/* ---- what it costs ---- */

static EsPlan
plan (EsDataset *dataset, EsParams *values, EsDevice *device, const EsLimits *limits)
{
  EsSparseMatrix *matrix = ES_SPARSE_MATRIX (dataset);
  const double n = (double) es_sparse_matrix_get_n_nonzeros (matrix);
  const guint64 bytes = 16 * (guint64) n + 32 * (es_sparse_matrix_get_n_rows (matrix)
                                                 + es_sparse_matrix_get_n_columns (matrix));

  /* Made once, and multiplied for a while. */
  return (EsPlan) { .passes = 1, .tiles = ESK_N_SPARSE_FORMATS, .tile_width = 1, .tile_height = 1,
                    .read_bytes = 20 * bytes, .written_bytes = 4096, .flops = 2 * n * ESK_N_SPARSE_FORMATS * 20,
                    .memory = 4 * bytes, .device_memory = es_device_is_cpu (device) ? 0 : 3 * bytes,
                    .seconds = ESK_N_SPARSE_FORMATS * (FORMAT_SECONDS + 60e-9 * n) };
}

/* ---- before anything is measured ---- */

static gboolean
choose_device (EsSparseProducts *self, GError **error)
{
  EsDevice *told = es_job_get_device (self->job);
  const EsLimits *limits = es_job_get_limits (self->job);
  const guint lanes = es_device_get_lanes (es_device_get_cpu ());

  /* A matrix is not divided among cards. */
  self->device = es_device_get_member (told, 0);
  self->on_card = !es_device_is_cpu (self->device);
  self->hotspots = es_device_get_hotspots (self->device);
  self->threads = limits != NULL && limits->threads > 0 ? MIN (limits->threads, lanes) : lanes;
  if (!ESK_HAS (self->hotspots, sparse, multiply))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                   _("“%s” cannot multiply sparse matrices in this build; the processor can."),
                   es_device_get_name (self->device));
      return FALSE;
    }
  self->stream = es_device_take_stream (self->device);
  if (self->stream == NULL)
    return es_compute_error_no_memory (_("the products"), error);
  return es_device_check (self->device, self->stream,
                          esk_hotspots_set_threads (self->hotspots, self->stream, (int) self->threads),
                          "sparse products", error);
}

static gboolean
read_options (EsSparseProducts *self, GError **error)
{
  const gint64 block = es_params_get_int (self->params, "block");

  if (block % 64 != 0)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("A block of VAB is a multiple of 64 chunks, not %d."), (int) block);
      return FALSE;
    }
  self->options = (EskSparseOptions) {
    .chunk = (unsigned) es_params_get_int (self->params, "chunk"),
    .sigma = (unsigned) es_params_get_int (self->params, "sigma"), .block = (unsigned) block,
    .full_warps = (int) es_params_get_int (self->params, "full-warps"),
    .texture = es_params_get_bool (self->params, "texture")
  };
  return parse_cuts (es_params_get_text (self->params, "cuts"), self->options.cuts, error);
}

/* Numbers of few bits, so that they are the same in both types. */
static double
x_value (gsize i)
{
  return ((double) ((guint32) i * 2654435761u >> 20) - 2047.5) / 4096;
}

/* The truth: CSR in float64, one thread, one row after the other. */
static gboolean
compute_reference (EsSparseProducts *self, GError **error)
{
  const gint32 *row_from = es_sparse_matrix_get_row_from (self->matrix);
  const gint32 *columns = es_sparse_matrix_get_columns (self->matrix);
  const double *values = es_sparse_matrix_get_values (self->matrix);
  const gsize n = es_sparse_matrix_get_n_rows (self->matrix);
  double squares = 0;

  for (gsize i = 0; i < n; i++)
    {
      double sum = 0;

      if (i % 65536 == 0 && es_job_is_cancelled (self->job, error))
        return FALSE;
      for (gint32 k = row_from[i]; k < row_from[i + 1]; k++)
        sum += values[k] * x_value ((gsize) columns[k]);
      self->reference[i] = sum;
      squares += sum * sum;
    }
  self->reference_norm = sqrt (squares);
  return TRUE;
}

static gboolean
make_vectors (EsSparseProducts *self, GError **error)
{
  const gsize rows = es_sparse_matrix_get_n_rows (self->matrix);
  const gsize columns = es_sparse_matrix_get_n_columns (self->matrix);
  const gsize n = es_sparse_matrix_get_n_nonzeros (self->matrix);
  const gboolean is_narrow = g_str_equal (es_params_get_choice_id (self->params, "precision"), "float32");
  const gsize size = is_narrow ? sizeof (float) : sizeof (double);
  const double *values = es_sparse_matrix_get_values (self->matrix);

  if (!es_limits_check_host_memory (es_job_get_limits (self->job), (EsMemoryShare) { 1, 1 },
                                    8 * (guint64) rows + 2 * (guint64) size * (rows + columns)
                                    + (is_narrow ? sizeof (float) * (guint64) n : 0), _("Room for the vectors"), error))
    return FALSE;
  self->csr = (EskCsr) { rows, columns, is_narrow ? ESK_F32 : ESK_F64, es_sparse_matrix_get_row_from (self->matrix),
                         es_sparse_matrix_get_columns (self->matrix), values };
  self->reference = g_try_new (double, MAX (rows, 1));
  self->host_x = g_try_malloc (MAX (columns, 1) * size);
  self->host_y = g_try_malloc (MAX (rows, 1) * size);
  self->narrow = is_narrow ? g_try_new (float, MAX (n, 1)) : NULL;
  if (self->reference == NULL || self->host_x == NULL || self->host_y == NULL || (is_narrow && self->narrow == NULL))
    return es_compute_error_no_memory (_("the vectors"), error);
  for (gsize k = 0; is_narrow && k < n; k++)
    self->narrow[k] = (float) values[k];
  if (is_narrow)
    self->csr.value = self->narrow;
  for (gsize j = 0; j < columns; j++)
    if (is_narrow)
      ((float *) self->host_x)[j] = (float) x_value (j);
    else
      ((double *) self->host_x)[j] = x_value (j);
  self->x = es_buffer_new (self->device, MAX (columns, 1) * size, error);
  self->y = self->x != NULL ? es_buffer_new (self->device, MAX (rows, 1) * size, error) : NULL;
  return self->y != NULL
         && es_sparse_products_put (self, es_buffer_get_data (self->x), self->host_x, columns * size, error)
         && compute_reference (self, error);
}

/* At what so many bytes are read: a matrix that stays in a cache is not held against the memory behind it. What else
 * runs makes readings slower and never faster: the best of many, taken all along, is nearest to what the device can.
 * FALSE: cancelled. */
static gboolean
read_again (EsSparseProducts *self, guint repeats, GError **error)
{
  const guint64 bytes = (guint64) CLAMP (self->least_bytes, 1 << 16, 0x1p30) & ~G_GUINT64_CONSTANT (63);
  const EskProbe probe = { .kind = ESK_PROBE_READ, .bytes = bytes, .repeats = repeats };
  g_autoptr (GError) own = NULL;
  EsMeasured measured;

  if (self->probing == NULL)
    return !es_job_is_cancelled (self->job, error);
  if (es_probing_has (self->probing, &probe) && es_probing_measure (self->probing, &probe, &measured, NULL, &own))
    {
      self->bandwidth = self->n_readings == 0 ? measured.most : MAX (self->bandwidth, measured.most);
      self->slowest_reading = self->n_readings == 0 ? measured.least : MIN (self->slowest_reading, measured.least);
      self->n_readings += measured.repeats;
      self->bandwidth_is_measured = TRUE;
    }
  return !es_job_is_cancelled (self->job, error);
}

static gboolean
begin_bandwidth (EsSparseProducts *self, guint n_formats, GError **error)
{
  g_autoptr (GError) own = NULL;
  g_autoptr (EsMachine) machine = es_machine_open (es_device_get_id (self->device), &own);

  self->bandwidth = NAN;
  self->probing = machine != NULL ? es_probing_begin (machine, self->job, 1 + n_formats, &own) : NULL;
  if (!read_again (self, FIRST_READINGS, error))
    return FALSE;
  if (isnan (self->bandwidth))
    {
      EsRoofs roofs;

      es_roofs_find (self->device, self->threads, &roofs);
      self->bandwidth = roofs.memory.rate > 0 ? roofs.memory.rate : NAN;
    }
  return !es_job_is_cancelled (self->job, error);
}

static void
choose_format (EsSparseProducts *self)
{
  self->problem = (EsSparseProblem) {
    .n_rows = self->csr.rows, .n_columns = self->csr.columns, .n_nonzeros = esk_csr_n_nonzeros (&self->csr),
    .statistics = es_sparse_matrix_get_statistics (self->matrix), .type = self->csr.type, .on_card = self->on_card,
    .launch = self->on_card ? 4e-6 : 0
  };
  self->chosen = es_sparse_choose (&self->problem, &self->reason);
  self->least_bytes = es_sparse_least_bytes (&self->problem);
}

static void
limit_padding (EsSparseProducts *self)
{
  const EsLimits *limits = es_job_get_limits (self->job);
  const gsize element = esk_type_size (self->csr.type) + sizeof (gint32);
  guint64 memory = es_limits_get_host_memory (limits, (EsMemoryShare) { 2, 2 });

  /* The host makes what a card has. */
  if (self->on_card)
    memory = MIN (memory, es_device_get_room (self->device, limits) * 3 / 4);
  self->stored_limit = MIN (memory / element, MOST_PADDING * (guint64) self->problem.n_nonzeros + LEAST_STORED);
  self->stored_limit = MAX (self->stored_limit, 1);
}

/* ---- all formats ---- */

double
es_sparse_pays_back (double prepare, double product, double other_prepare, double other_product)
{
  if (prepare <= other_prepare && product <= other_product)
    return 0;
  return product < other_product ? ceil ((prepare - other_prepare) / (other_product - product)) : NAN;
}

const EsSparseRow *
es_sparse_products_find (const EsSparseProducts *self, EskSparseFormat format)
{
  for (guint i = 0; i < self->n_rows; i++)
    if (self->rows[i].format == format && self->rows[i].measured)
      return &self->rows[i];
  return NULL;
}

const EsSparseRow *
es_sparse_products_best (const EsSparseProducts *self, gboolean with_library)
{
  const EsSparseRow *best = NULL;

  for (guint i = 0; i < self->n_rows; i++)
    if (self->rows[i].measured && (with_library || self->rows[i].format != ESK_SPARSE_LIBRARY)
        && (best == NULL || self->rows[i].time.median < best->time.median))
      best = &self->rows[i];
  return best;
}

gboolean
es_sparse_products_choice_holds (const EsSparseProducts *self)
{
  const EsSparseRow *chosen = es_sparse_products_find (self, self->chosen);
  const EsSparseRow *best = es_sparse_products_best (self, TRUE);

  return chosen != NULL && chosen->time.median <= 1.1 * best->time.median;
}

static double
prepared (const EsSparseRow *row)
{
  return 1e-3 * (row->cost.build_ms + row->cost.upload_ms);
}

static double
pays_back_over (EsSparseProducts *self, const EsSparseRow *row, EskSparseFormat other)
{
  const EsSparseRow *base = es_sparse_products_find (self, other);

  if (!row->measured || base == NULL || row->format == other)
    return NAN;
  return es_sparse_pays_back (prepared (row), row->time.median, prepared (base), base->time.median);
}

static void
end_bandwidth (EsSparseProducts *self)
{
  if (self->probing != NULL)
    es_probing_end (g_steal_pointer (&self->probing), NULL);
}

static gboolean
measure_all (EsSparseProducts *self, GError **error)
{
  guint set, n;

  if (!es_sparse_formats_parse (es_params_get_text (self->params, "formats"), &set, error))
    return FALSE;
  n = (guint) __builtin_popcount (set);
  es_job_begin_stage (self->job, "bandwidth", _("Bandwidth"), 0.1);
  if (!begin_bandwidth (self, n, error))
    return FALSE;
  es_job_begin_stage (self->job, "measure", _("Measuring"), 0.8);
  for (guint f = 0; f < ESK_N_SPARSE_FORMATS; f++)
    {
      EsSparseRow *row = &self->rows[self->n_rows];

      if ((set & 1u << f) == 0)
        continue;
      row->format = (EskSparseFormat) f;
      self->n_rows++;
      if (es_job_is_cancelled (self->job, error) || !es_sparse_products_measure (self, row, error)
          || !read_again (self, READINGS, error))
        return FALSE;
      es_job_set_fraction (self->job, (self->n_rows + 1.0) / (n + 1));
    }
  end_bandwidth (self);
  for (guint i = 0; i < self->n_rows; i++)
    {
      self->rows[i].over_scalar = pays_back_over (self, &self->rows[i], ESK_SPARSE_CSR_SCALAR);
      self->rows[i].over_vector = pays_back_over (self, &self->rows[i], ESK_SPARSE_CSR_VECTOR);
    }
  return TRUE;
}

static void
clear (EsSparseProducts *self)
{
  end_bandwidth (self);
  if (self->stream != NULL)
    {
      esk_hotspots_set_threads (self->hotspots, self->stream, 1);
      es_device_give_stream (self->device, self->stream);
    }
  g_clear_pointer (&self->x, es_buffer_unref);
  g_clear_pointer (&self->y, es_buffer_unref);
  g_free (self->narrow);
  g_free (self->reference);
  g_free (self->host_x);
  g_free (self->host_y);
  g_free (self->reason);
  for (guint i = 0; i < self->n_rows; i++)
    g_free (self->rows[i].why);
}

static EsResult *
run (EsJob *job, EsDataset *dataset, EsParams *values, GError **error)
{
  g_autoptr (EsResult) result = es_result_new (&es_operation_sparse_products, dataset, values);
  EsSparseProducts self = { .job = job, .params = values, .matrix = ES_SPARSE_MATRIX (dataset) };
  gboolean done;

  es_job_begin_stage (job, "prepare", _("Preparing"), 0.1);
  done = read_options (&self, error) && choose_device (&self, error) && make_vectors (&self, error);
  if (done)
    {
      choose_format (&self);
      limit_padding (&self);
      done = measure_all (&self, error);
    }
  if (done && self.on_card && es_sparse_products_best (&self, FALSE) != NULL)
    done = es_sparse_products_transfer (&self, es_sparse_products_best (&self, FALSE)->format, error);
  if (done)
    es_sparse_products_publish (&self, result);
  clear (&self);
  return done ? g_steal_pointer (&result) : NULL;
}

const EsOperation es_operation_sparse_products = {
  .id = "sparse-products",
  .title = N_("Products of a sparse matrix"),
  .short_title = N_("Products"),
  .summary = N_("Multiplies the matrix with a vector in every format and measures each: time, bandwidth, share of what "
                "the memory allows, what preparing costs and after how many products it pays back; beside it a "
                "library, what was published, and the format that is chosen by itself."),
  .version = 1,
  .takes = ES_DATASET_MATRIX,
  .params = params,
  .plan = plan,
  .run = run,
};
