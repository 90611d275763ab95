/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Published figures to compare with. M. Fang, National University of Defense Technology, Changsha: PhD thesis (2017),
 * chapters 5 and 6, and master's thesis (2013). Figures that are not printed there are gaps. Sums, shares and ratios of
 * the tables agree with each other to the rounding of the print.
 */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-published.h"
#include "layer/es-layer-internal.h"

#define MOST_COLUMNS 10

#define PHD_HARDWARE "2 × Intel Xeon E5-2670 (8 cores, 2.6 GHz), 64 GB; 2 × NVIDIA Tesla K20c; ICC 13.0, CUDA 5.5"
#define BEAM_HARDWARE "2 × Intel Xeon E5-2670; NVIDIA Tesla K20c; CUDA 5.5"
#define MSC_HARDWARE "2 × Intel Xeon E5-2650 (8 cores), 64 GB; 2 × NVIDIA Tesla K20; GCC 4.4.6 -O2, CUDA 5.0"

typedef struct
{
  const char *label;
  double      values[MOST_COLUMNS];
} Row;

typedef struct
{
  EsPublished  says;           /* msgids */
  const char  *corner;         /* N_(): what the rows are */
  const char  *unit;
  int          digits;
  guint        n_columns;
  const char  *columns[MOST_COLUMNS];   /* N_() where they are words */
  guint        n_rows;
  const Row   *rows;
} Table;

#define ROWS(rows) G_N_ELEMENTS (rows), rows

/* ---- whole programs ---- */

static const Row msc_pca[] = {
  { "D1", { 22.41, 2.44, 1.91, 0.62, 0.51, 0.50 } },
  { "D2", { 58.12, 3.78, 5.96, 0.94, 0.71, 0.70 } },
  { "D3", { 117.00, 7.83, 11.79, 1.54, 1.02, 1.00 } },
  { "D4", { 347.99, 30.15, 32.26, 4.74, 2.82, 2.46 } },
  { "D5", { 695.19, 44.10, 61.21, 9.87, 5.40, 4.79 } },
  { "D6", { 1317.98, 87.90, 117.70, NAN, NAN, 9.81 } },
};

static const Row msc_fastica[] = {
  { "D1", { 33.31, 3.71, 2.82, 0.87, 2.52, 0.73 } },
  { "D2", { 111.67, 10.15, 10.13, 2.03, 3.38, 1.57 } },
  { "D3", { 377.99, 37.85, 45.98, 6.25, 7.45, 4.01 } },
  { "D4", { 724.97, 63.91, 69.83, 8.45, 10.52, 4.52 } },
  { "D5", { 1430.86, 96.81, 151.19, 17.11, 24.55, 8.44 } },
  { "D6", { 1841.15, 145.27, 170.85, NAN, NAN, 12.38 } },
};

static const Row phd_pca[] = {
  { N_("Threads (O-PCA)"), { 7.5, 6.2, 7.0 } },
  { N_("Processes, 1 node (M-PCA)"), { 18.5, 20.1, 22.8 } },
  { N_("Processes, 4 nodes (M-PCA)"), { 46.3, 61.0, 81.9 } },
  { N_("Processes and threads, 4 nodes (MO-PCA)"), { 31.0, 38.8, 35.6 } },
  { N_("1 GPU (G-PCA)"), { 40.8, 50.7, 68.3 } },
  { N_("2 GPUs (Gs-PCA)"), { 57.1, 79.2, 119.7 } },
};

static const Row phd_fastica[] = {
  { N_("Threads (O-FastICA)"), { 5.5, 6.1, 6.9 } },
  { N_("Processes, 1 node (M-FastICA)"), { 11.9, 15.8, 15.8 } },
  { N_("Processes, 4 nodes (M-FastICA)"), { 49.6, 66.8, 69.6 } },
  { N_("Processes and threads, 4 nodes (MO-FastICA)"), { 26.9, 30.8, 30.6 } },
  { N_("1 GPU (G-FastICA)"), { 22.6, 40.2, 59.3 } },
  { N_("2 GPUs (Gs-FastICA)"), { 28.9, 58.7, 106.6 } },
};

static const Row phd_mnf[] = {
  { N_("Threads (O-MNF)"), { 13.2, 13.8, 14.1 } },
  { N_("1 GPU (G-MNF)"), { 64.1, 76.4, 86.9 } },
};

static const Row phd_mnf_overlap[] = {
  { N_("Without overlap"), { 1186.12, 2004.77, 6013.53 } },
  { N_("Noise eigenproblem beside the data covariance"), { 949.77, 1785.14, 5719.42 } },
  { N_("With cuBLAS (Sasum and Ssyrk)"), { 2923.20, 3969.39, 8888.73 } },
};

/* ---- steps ---- */

static const Row phd_steps[] = {
  { "PCA", { 95.239, 25689.01, 310.835, 2.341, 4862.563, NAN, NAN, 423.323 } },
  { "FastICA", { 101.372, 25690.41, 313.341, 209.467, 39768.04, 94133.92, 2209.261, 368.977 } },
};

static const Row msc_serial[] = {
  { N_("PCA, original"), { 811.32, 196087.2, 776.64, 45306.34, NAN, NAN, 171.71, 243154.1 } },
  { N_("PCA, fused, -O2"), { 402.29, 26619.43, 283.7, 31212.01, NAN, NAN, 102.23, 58620.11 } },
  { N_("FastICA, fused, -O2"), { 410, 26900, 280, 33620, 49260, 1610, 80, 112160 } },
};

static const Row msc_covariance[] = {
  { "D1", { 12688.89, 1335.09, 925.74, NAN, NAN, NAN, 232.8, NAN, NAN, NAN } },
  { "D2", { 26619.43, 2353.94, 2484.85, 6547.24, 627.81, 509.27, 475.4, 1089.46, NAN, NAN } },
  { "D3", { 58123.34, 4821.48, 5627.64, 23078.55, 1355.88, 1217.94, 1033.33, 1795.95, NAN, NAN } },
  { "D4", { 219365.4, 23177.49, 21576.94, 164218, 5096.1, 5463.58, 4049.66, 5332.14, 1958.38, 2244.68 } },
  { "D5", { 441330.1, NAN, NAN, NAN, NAN, NAN, 8942.62, NAN, 4133.3, 4761.67 } },
  { "D6", { 877791.3, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 9011.42, NAN } },
};

static const Row msc_iteration[] = {
  { "D1", { 10311.71, 811.48, 1389.38, 244.71, NAN, NAN, 209 } },
  { "D2", { 49262.40, 3868.36, 6154.36, 1026.53, NAN, NAN, 333 } },
  { "D3", { 253543.45, 33287.67, 30630.89, 4542.50, NAN, NAN, 859 } },
  { "D4", { 368165.10, NAN, NAN, 3502.38, 6182.62, 1920.96, 468 } },
  { "D5", { 741251.24, NAN, NAN, 6786.05, 12180.06, 3510.10, 486 } },
  { "D6", { 520272.65, NAN, NAN, NAN, NAN, 2176.57, 177 } },
};

/* ---- ladders of one kernel ---- */

static const Row ladder_covariance[] = {
  { "D2", { 8262.08, 774.98, 750.53, 432.08, 269.42, 431.86, 429.54 } },
  { "D3", { 24163.80, 1692.44, 1649.07, 938.11, 626.61, 937.67, 934.90 } },
  { "D4", { 163899.69, 6377.08, 6181.60, 3537.05, 2366.40, 3540.84, 3384.11 } },
};

static const Row ladder_transform[] = {
  { "D2", { 137.38, 88.84, 67.99 } },
  { "D3", { 298.27, 200.20, 158.67 } },
  { "D4", { 599.02, 413.20, 273.15 } },
};

static const Row ladder_iteration[] = {
  { "D2", { 4.54, 3.86, 3.05, 2.92, 2.53, 2.47 } },
  { "D3", { 7.33, 5.63, 4.79, 4.67, 4.01, 4.01 } },
  { "D4", { 10.37, 6.97, 6.48, 6.29, 5.91, 5.91 } },
};

static const Row ladder_noise[] = {
  { "D2", { 123.38, 25.96, 22.00, 20.88 } },
  { "D3", { 254.08, 57.89, 55.55, 44.97 } },
  { "D4", { 1011.15, 221.36, 206.18, 168.59 } },
};

/* ---- beams ---- */

static const Row beams_rate[] = {
  { "2000 Hz", { 1591.747, 52.190 } },
  { "4000 Hz", { 1632.054, 53.520 } },
  { "6000 Hz", { 1644.052, 56.586 } },
  { "8000 Hz", { 1641.685, 56.646 } },
  { "10000 Hz", { 1639.181, 63.022 } },
  { "12000 Hz", { 1640.944, 62.969 } },
  { "14000 Hz", { 1658.441, 63.008 } },
  { "16000 Hz", { 1676.230, 63.020 } },
  { "18000 Hz", { 1697.948, 75.067 } },
  { "20000 Hz", { 1672.627, 75.041 } },
};

static const Row beams_minute[] = {
  { "128", { 23.96, 1.00 } },
  { "256", { 49.44, 1.58 } },
  { "512", { 101.71, 3.40 } },
  { "1024", { 214.76, 4.35 } },
  { "2048", { 485.24, 6.32 } },
  { "4096", { 993.03, 10.50 } },
  { "8192", { 2071.60, 18.73 } },
  { "16384", { 4241.82, 36.14 } },
  { "32768", { 9646.53, 76.97 } },
};

/* ---- adaptive beams ---- */

static const Row adaptive_programs[] = {
  { N_("Serial"), { 174.48, 621.70, 2382.67, 9567.53, 37153.75, 174981.62 } },
  { N_("2 processes (M-MVDR)"), { 94.09, 329.38, 1261.48, 5162.34, 20013.50, 100723.97 } },
  { N_("16 processes (M-MVDR)"), { 29.37, 76.80, 250.37, 1021.71, 5681.78, 28046.03 } },
  { N_("1 GPU (G-MVDR)"), { 112.88, 227.02, 533.58, 1263.33, 3283.07, 10142.59 } },
  { N_("2 GPUs (Gs-MVDR)"), { 71.21, 124.99, 301.39, 712.30, 1853.40, 5707.23 } },
};

static const Row adaptive_serial[] = {
  { N_("Transforms"), { 8.344, 12.143, 19.906, 41.837, 115.476, 239.649 } },
  { N_("MVDR"), { 166.138, 609.552, 2362.765, 9525.697, 37038.274, 174741.975 } },
};

/* Loading takes less than is printed at 64 and 128. */
static const Row adaptive_steps[] = {
  { N_("Matrix"), { 0.004, 0.014, 0.162, 0.786, 1.754, 8.307 } },
  { N_("Diagonal loading"), { NAN, NAN, 0.001, 0.003, 0.005, 0.018 } },
  { N_("Eigenvectors"), { 0.373, 1.466, 6.170, 27.730, 104.185, 676.588 } },
  { N_("Azimuth spectrum"), { 1.340, 4.802, 18.174, 71.325, 280.906, 1223.901 } },
};

static const Row adaptive_jacobi[] = {
  { "1024", { 31.30, 29.93, 27.40 } },
  { "2048", { 91.72, 85.48, 77.83 } },
};

static const Table tables[] = {
  { { N_("PCA, computing"), N_("Master's thesis 2013, totals without input and output"), MSC_HARDWARE, "pca",
      N_("The best serial program, -O2, is the reference of every speed-up.") },
    N_("Scene"), "s", 2, 6,
    { N_("Serial"), "MPI 16", "OpenMP 16", N_("1 GPU"), N_("OpenMP, 2 GPUs"), N_("MPI, 2 GPUs") }, ROWS (msc_pca) },
  { { N_("FastICA, computing"), N_("Master's thesis 2013, totals without input and output"), MSC_HARDWARE, "fastica",
      N_("Times of whole runs depend on the number of iterations, which differs from scene to scene.") },
    N_("Scene"), "s", 2, 6,
    { N_("Serial"), "MPI 16", "OpenMP 16", N_("1 GPU"), N_("OpenMP, 2 GPUs"), N_("MPI, 2 GPUs") },
    ROWS (msc_fastica) },
  { { N_("PCA, speed-up"), N_("PhD thesis 2017, section 5"), PHD_HARDWARE, "pca",
      N_("Against the best vectorised serial program.") },
    N_("Program"), "×", 1, 3, { "D2", "D3", "D4" }, ROWS (phd_pca) },
  { { N_("FastICA, speed-up"), N_("PhD thesis 2017, section 5"), PHD_HARDWARE, "fastica",
      N_("Against the best vectorised serial program.") },
    N_("Program"), "×", 1, 3, { "D2", "D3", "D4" }, ROWS (phd_fastica) },
  { { N_("MNF, speed-up"), N_("PhD thesis 2017, section 5"), PHD_HARDWARE, "mnf",
      N_("Against the best vectorised serial program.") },
    N_("Program"), "×", 1, 3, { "D2", "D3", "D4" }, ROWS (phd_mnf) },
  { { N_("MNF on one GPU, total"), N_("PhD thesis 2017, section 5"), PHD_HARDWARE, "mnf", NULL },
    N_("Program"), "ms", 2, 3, { "D2", "D3", "D4" }, ROWS (phd_mnf_overlap) },
  { { N_("Steps of the serial programs"), N_("PhD thesis 2017, section 5"), PHD_HARDWARE, NULL,
      N_("Scene D2.") },
    N_("Program"), "ms", 1, 8,
    { N_("Input"), N_("Covariance"), N_("Eigenproblem"), N_("Selection"), N_("Transform or whitening"),
      N_("Iteration"), N_("Components"), N_("Output") }, ROWS (phd_steps) },
  { { N_("Steps of the serial programs"), N_("Master's thesis 2013"), MSC_HARDWARE, NULL,
      N_("Scene D2. The figures of FastICA are printed in seconds with two digits.") },
    N_("Program"), "ms", 1, 8,
    { N_("Input"), N_("Covariance"), N_("Eigenproblem"), N_("Transform or whitening"), N_("Iteration"),
      N_("Components"), N_("Output"), N_("Total") }, ROWS (msc_serial) },
  { { N_("Covariance"), N_("Master's thesis 2013"), MSC_HARDWARE, NULL,
      N_("I: a thread an entry; II: a block an entry; III: a launch an entry. D6 does not fit on one card.") },
    N_("Scene"), "ms", 1, 10,
    { N_("Serial"), "MPI 16", "OpenMP 16", "CUDA I", "CUDA II-1", "CUDA II-2", "CUDA II-3", "CUDA III",
      N_("MPI, 2 GPUs"), N_("OpenMP, 2 GPUs") }, ROWS (msc_covariance) },
  { { N_("FastICA iteration"), N_("Master's thesis 2013"), MSC_HARDWARE, "fastica",
      N_("Divide by the number of iterations, in the last column, to compare.") },
    N_("Scene"), "ms", 1, 7,
    { N_("Serial"), "OpenMP 16", "MPI 16", N_("1 GPU"), N_("OpenMP, 2 GPUs"), N_("MPI, 2 GPUs"),
      N_("Iterations (number)") }, ROWS (msc_iteration) },
  { { N_("Covariance kernel, step by step"), N_("PhD thesis 2017, table 5.3"), PHD_HARDWARE, NULL,
      N_("V0 plain; V1 contiguous; V2 shared memory; V3 tiled; V4 transposed tile; V4_1, V4_4 padded tile.") },
    N_("Scene"), "ms", 2, 7, { "V0", "V1", "V2", "V3", "V4", "V4_1", "V4_4" }, ROWS (ladder_covariance) },
  { { N_("Transform kernel, step by step"), N_("PhD thesis 2017, table 5.4"), PHD_HARDWARE, "mnf",
      N_("V0 plain; V1 matrix in constant memory; V2 window in shared memory.") },
    N_("Scene"), "ms", 2, 3, { "V0", "V1", "V2" }, ROWS (ladder_transform) },
  { { N_("One FastICA iteration, step by step"), N_("PhD thesis 2017, table 5.5"), PHD_HARDWARE, "fastica",
      N_("V0 plain; V1 registers; V2 shared memory; V3 transposed; V4 merged kernels; V5 zero-copy.") },
    N_("Scene"), "ms", 2, 6, { "V0", "V1", "V2", "V3", "V4", "V5" }, ROWS (ladder_iteration) },
  { { N_("Noise kernel, step by step"), N_("PhD thesis 2017, table 5.6"), PHD_HARDWARE, "mnf",
      N_("V0 median, sorted; V1 mean in registers; V2 three rows in shared memory; V3 two-dimensional blocks.") },
    N_("Scene"), "ms", 2, 4, { "V0", "V1", "V2", "V3" }, ROWS (ladder_noise) },
  { { N_("Beams of a minute of signal"), N_("PhD thesis 2017, table 6.8"), BEAM_HARDWARE, "cbf",
      N_("8 kHz, a block a second, 160 angles, seven ranges and far, bins 327 to 492 of 8192, and 34 to 326 for LOFAR. "
         "Under 60 s keeps up with the sound.") },
    N_("Elements"), "s", 2, 2, { N_("Serial"), N_("1 GPU") }, ROWS (beams_minute) },
  { { N_("Beams of one block"), N_("PhD thesis 2017, table 6.6"), BEAM_HARDWARE, "cbf",
      N_("512 elements, 160 angles, the same bins at every sampling rate; a transform is the power of two above the "
         "rate.") },
    N_("Sampling rate"), "ms", 3, 2, { N_("Serial"), N_("1 GPU") }, ROWS (beams_rate) },
  { { N_("Adaptive beams of one block"), N_("PhD thesis 2017, tables 6.15 and 6.16"), PHD_HARDWARE, "mvdr",
      N_("100 bins, 180 angles, as many elements as the column says; eigenvectors of every bin by Jacobi's rotations, "
         "as it seems of a single snapshot.") },
    N_("Program"), "ms", 2, 6, { "64", "128", "256", "512", "1024", "2048" }, ROWS (adaptive_programs) },
  { { N_("Adaptive beams, serial"), N_("PhD thesis 2017, table 6.9"), BEAM_HARDWARE, "mvdr",
      N_("100 bins; as many elements as the column says.") },
    N_("Step"), "ms", 3, 6, { "64", "128", "256", "512", "1024", "2048" }, ROWS (adaptive_serial) },
  { { N_("Adaptive beams, serial, of one bin"), N_("PhD thesis 2017, table 6.10"), BEAM_HARDWARE, "mvdr",
      N_("As many elements as the column says.") },
    N_("Step"), "ms", 3, 6, { "64", "128", "256", "512", "1024", "2048" }, ROWS (adaptive_steps) },
  { { N_("Jacobi's rotations on a GPU, step by step"), N_("PhD thesis 2017, table 6.12"), BEAM_HARDWARE, "mvdr",
      N_("One bin. V0 plain; V1 rotations in registers; V2 eigenvectors transposed.") },
    N_("Elements"), "ms", 2, 3, { "V0", "V1", "V2" }, ROWS (adaptive_jacobi) },
};

static EsPublished translated[G_N_ELEMENTS (tables)];

static const char *
translate (const char *text)
{
  return text != NULL ? g_dgettext (GETTEXT_PACKAGE, text) : NULL;
}

guint
es_published_get_n (void)
{
  return G_N_ELEMENTS (tables);
}

const EsPublished *
es_published_get (guint i)
{
  static gsize ready;

  g_return_val_if_fail (i < G_N_ELEMENTS (tables), NULL);
  if (g_once_init_enter (&ready))
    {
      for (guint t = 0; t < G_N_ELEMENTS (tables); t++)
        translated[t] = (EsPublished) { translate (tables[t].says.title), translate (tables[t].says.source),
                                        tables[t].says.hardware, tables[t].says.operation,
                                        translate (tables[t].says.note) };
      g_once_init_leave (&ready, 1);
    }
  return &translated[i];
}

gboolean
es_published_is_about (guint i, const char *operation)
{
  static const char *const reductions[] = { "pca", "fastica", "mnf", NULL };

  g_return_val_if_fail (i < G_N_ELEMENTS (tables) && operation != NULL, FALSE);
  if (tables[i].says.operation != NULL)
    return strcmp (tables[i].says.operation, operation) == 0;
  return g_strv_contains (reductions, operation);
}

EsTable *
es_published_make_table (guint i)
{
  gconstpointer cells[MOST_COLUMNS + 1];
  const Table *from;
  EsTable *table;

  g_return_val_if_fail (i < G_N_ELEMENTS (tables), NULL);
  from = &tables[i];
  table = es_table_new ("published", es_published_get (i)->title);
  es_table_add_column (table, translate (from->corner), NULL, -1);
  for (guint c = 0; c < from->n_columns; c++)
    es_table_add_column (table, translate (from->columns[c]), from->unit, from->digits);
  for (guint r = 0; r < from->n_rows; r++)
    {
      cells[0] = translate (from->rows[r].label);
      for (guint c = 0; c < from->n_columns; c++)
        cells[c + 1] = &from->rows[r].values[c];
      es_table_add_row (table, cells);
    }
  return table;
}

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

JsonNode *
es_published_to_json (guint i)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const Table *from;

  g_return_val_if_fail (i < G_N_ELEMENTS (tables), NULL);
  from = &tables[i];
  json_builder_begin_object (builder);
  /* The msgids: a file does not depend on the language. */
  add_string (builder, "title", from->says.title);
  add_string (builder, "source", from->says.source);
  add_string (builder, "hardware", from->says.hardware);
  add_string (builder, "operation", from->says.operation);
  add_string (builder, "unit", from->unit);
  json_builder_set_member_name (builder, "columns");
  json_builder_begin_array (builder);
  for (guint c = 0; c < from->n_columns; c++)
    json_builder_add_string_value (builder, from->columns[c]);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "rows");
  json_builder_begin_array (builder);
  for (guint r = 0; r < from->n_rows; r++)
    {
      json_builder_begin_object (builder);
      add_string (builder, "label", from->rows[r].label);
      json_builder_set_member_name (builder, "values");
      json_builder_begin_array (builder);
      for (guint c = 0; c < from->n_columns; c++)
        if (isnan (from->rows[r].values[c]))
          json_builder_add_null_value (builder);
        else
          json_builder_add_double_value (builder, from->rows[r].values[c]);
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
