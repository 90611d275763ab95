/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The figures of docs/measurements.md: whole processes, timed from outside, medians of several runs; ratios against
 * peers are taken in the same run. Sample cubes are made once, in the bench folder.
 */

#include <cblas.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/es-order.h"
#include "es-batch.h"

#define MOST_ARGUMENTS 6

typedef struct
{
  const char *name;
  guint       width, height, bands;
  const char *interleave;
  const char *memory;              /* --memory, or NULL */
  const char *peer;                /* bench-peers.py's name for the same work, or NULL */
  const char *operation;
  const char *arguments[MOST_ARGUMENTS];
  guint       elements, seconds;   /* a recording of 8 kHz int16 instead of a cube */
} Bench;

#define PCA "pca", { "threshold=0.99" }
/* As scikit-learn does it: all components at once, log cosh, and its limit of steps. */
#define ICA "fastica", { "components=10", "approach=symmetric", "g=tanh", "tolerance=0.0001", "iterations=200" }
#define MNF "mnf", { "noise=shift-difference", "direction=lower-right", "keep=count", "components=10" }

/* The published settings: 160 angles, 166 bins over 8 rows, the far field of 293 more, a block a second. */
#define BEAMS .operation = "cbf", \
              .arguments = { "band=319.3:480.5", "lofar-band=33.3:318", "angles=10:169:1", "block=1s", "shading=none" }
/* The far-field map of the same band alone. */
#define FAR_BEAMS .operation = "cbf", \
                  .arguments = { "band=319.3:480.5", "lofar-band=319.3:480.5", "angles=10:169:1", "block=1s", \
                                 "ranges=far" }

/* The published settings: 100 bins, 180 angles; K snapshots of as many seconds, or one of a second. */
#define ADAPTIVE(band, snapshots, blocks) .operation = "mvdr", \
                                          .arguments = { "band=" band, "angles=0:179:1", "snapshots=" snapshots, \
                                                         "blocks=" blocks, "eigenvalues=no" }
#define ONE_SNAPSHOT ADAPTIVE ("319.3359375:416.015625", "1", "1")
#define EIGHT_SNAPSHOTS(blocks) ADAPTIVE ("97.65625:484.375", "8", blocks)

static const Bench benches[] = {
  { "pca-bsq", 614, 512, 224, "bsq", NULL, "spectral", PCA },
  { "pca-bil", 614, 512, 224, "bil", NULL, NULL, PCA },
  { "pca-bip", 614, 512, 224, "bip", NULL, NULL, PCA },
  { "pca-bsq-sklearn", 614, 512, 224, "bsq", NULL, "sklearn", PCA },
  { "fastica-bsq", 614, 512, 224, "bsq", NULL, "sklearn-ica", ICA },
  { "mnf-bsq", 614, 512, 224, "bsq", NULL, "spectral-mnf", MNF },
  { "pca-large", 781, 6955, 224, "bsq", "256M", NULL, PCA },
  { "fastica-large", 781, 6955, 224, "bsq", "256M", NULL, ICA },
  { "mnf-large", 781, 6955, 224, "bsq", "256M", NULL, MNF },
  { "beams-256", BEAMS, .elements = 256, .seconds = 60 },
  { "beams-512", BEAMS, .elements = 512, .seconds = 60 },
  { "beams-8192", BEAMS, .elements = 8192, .seconds = 8 },
  { "far-beams-512", FAR_BEAMS, .peer = "numpy-beams", .elements = 512, .seconds = 60 },
  { "far-beams-64", FAR_BEAMS, .peer = "acoular-beams", .elements = 64, .seconds = 4 },
  { "mvdr-64-1", ONE_SNAPSHOT, .elements = 64, .seconds = 60 },
  { "mvdr-64-128", EIGHT_SNAPSHOTS ("16"), .peer = "numpy-mvdr-128", .elements = 64, .seconds = 60 },
  { "mvdr-512-1", ONE_SNAPSHOT, .elements = 512, .seconds = 20 },
  { "mvdr-512-64", EIGHT_SNAPSHOTS ("8"), .peer = "numpy-mvdr-64", .elements = 512, .seconds = 20 },
  { "mvdr-2048-1", ONE_SNAPSHOT, .peer = "numpy-mvdr-1", .elements = 2048, .seconds = 8 },
};

typedef struct
{
  char        *directory, *peers, *python, *self;
  int          repeats;
  gboolean     json;
  JsonBuilder *builder;
} BenchRun;

static double
median (double *values, int n)
{
  qsort (values, n, sizeof (double), es_compare_doubles);
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* Runs a program without output; wall time in ms and peak resident size in MB as the kernel counts them. */
static gboolean
time_process (char **argv, double *ms, double *peak_mb)
{
  struct rusage usage;
  int status;
  gint64 start = g_get_monotonic_time ();
  pid_t child = fork ();

  if (child < 0)
    return FALSE;
  if (child == 0)
    {
      int null = open ("/dev/null", O_WRONLY);
      dup2 (null, STDOUT_FILENO);
      execv (argv[0], argv);
      _exit (127);
    }
  while (wait4 (child, &status, 0, &usage) < 0)
    if (errno != EINTR)
      return FALSE;
  *ms = (g_get_monotonic_time () - start) * 1e-3;
  *peak_mb = usage.ru_maxrss / 1024.0;
  return WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

static void
warm_cache (const char *path)
{
  g_autofree char *buffer = g_malloc (1 << 20);
  int fd = open (path, O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    return;
  while (read (fd, buffer, 1 << 20) > 0)
    ;
  close (fd);
}

static gboolean
make_recording (BenchRun *run, const Bench *bench, const char *path)
{
  g_autofree char *array = g_strdup_printf ("array=line:%u,1.5", bench->elements);
  g_autofree char *seconds = g_strdup_printf ("seconds=%u", bench->seconds);
  char *argv[] = { run->self, (char *) "simulate", (char *) "recording", (char *) "-o", (char *) path, array, seconds,
                   (char *) "rate=8000", (char *) "type=int16", (char *) "sources=noise,123,0,300:480;tone,60,-10,60",
                   (char *) "seed=1", NULL };
  double ms, peak;

  return time_process (argv, &ms, &peak);
}

static gboolean
make_sample (BenchRun *run, const Bench *bench, const char *path)
{
  g_autofree char *width = g_strdup_printf ("width=%u", bench->width);
  g_autofree char *height = g_strdup_printf ("height=%u", bench->height);
  g_autofree char *bands = g_strdup_printf ("bands=%u", bench->bands);
  g_autofree char *interleave = g_strdup_printf ("interleave=%s", bench->interleave);
  char *argv[] = { run->self, (char *) "simulate", (char *) "cube", (char *) "-o", (char *) path, width, height, bands,
                   interleave, (char *) "type=int16", (char *) "seed=1", (char *) "no-data=0", NULL };
  double ms, peak;

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  if (!run->json)
    g_printerr (_("Making %s\n"), path);
  return bench->elements > 0 ? make_recording (run, bench, path) : time_process (argv, &ms, &peak);
}

static void
add_double (BenchRun *run, const char *name, double value)
{
  json_builder_set_member_name (run->builder, name);
  json_builder_add_double_value (run->builder, value);
}

/* The steps of the last run, from its result.json. */
static void
add_stages (BenchRun *run, const char *output)
{
  g_autofree char *path = g_build_filename (output, "result.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (JsonNode) node = es_json_load (file, NULL, NULL);
  JsonObject *root;

  if (node == NULL)
    return;
  root = json_node_get_object (node);
  json_builder_set_member_name (run->builder, "stages");
  json_builder_add_value (run->builder, json_node_copy (json_object_get_member (root, "stages")));
  JsonObject *values = json_object_get_object_member (root, "values");
  if (json_object_has_member (values, "components"))
    add_double (run, "components", json_object_get_int_member (values, "components"));
  if (json_object_has_member (values, "real_time_factor"))
    add_double (run, "real_time_factor", json_object_get_double_member (values, "real_time_factor"));
  if (json_object_has_member (values, "adaptive_block_ms"))
    {
      const double ms = json_object_get_double_member (values, "adaptive_block_ms");
      add_double (run, "adaptive_block_ms", ms);
      if (!run->json)
        g_print ("  %-18s %9.1f ms  %s\n", _("a block"), ms, json_object_get_string_member (values, "method"));
    }
  /* Of an iteration, how many steps it took: times of different numbers of steps are no times of the same work. */
  if (json_object_has_member (values, "steps"))
    {
      json_builder_set_member_name (run->builder, "steps");
      json_builder_add_value (run->builder, json_node_copy (json_object_get_member (values, "steps")));
    }
}

static void
remove_output (const char *output)
{
  g_autoptr (GDir) dir = g_dir_open (output, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (output, name, NULL);
      g_unlink (path);
    }
  g_rmdir (output);
}

/* A peer's script prints one JSON object: name, version, ms (median), peak_mb; nothing where it is not installed. */
static void
add_peer (BenchRun *run, const Bench *bench, const char *path, double own_ms)
{
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) node = NULL;
  char *argv[] = { run->python != NULL ? run->python : (char *) "/usr/bin/python3", run->peers,
                   (char *) bench->peer, (char *) path, NULL };
  int status;
  JsonObject *peer;

  if (bench->peer == NULL || run->peers == NULL
      || !g_spawn_sync (NULL, argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &text, NULL, &status, NULL)
      || status != 0 || (node = es_json_parse (text, strlen (text), bench->peer, NULL)) == NULL
      || !JSON_NODE_HOLDS_OBJECT (node))
    return;
  peer = json_node_get_object (node);
  if (!json_object_has_member (peer, "name") || !json_object_has_member (peer, "ms")
      || !json_object_has_member (peer, "peak_mb"))
    return;
  json_builder_set_member_name (run->builder, "peer");
  json_builder_add_value (run->builder, json_node_copy (node));
  add_double (run, "ratio", own_ms / json_object_get_double_member (peer, "ms"));
  if (!run->json)
    g_print ("  %-18s %9.0f ms  %6.0f MB   %s %.2f\n", json_object_get_string_member (peer, "name"),
             json_object_get_double_member (peer, "ms"), json_object_get_double_member (peer, "peak_mb"),
             _("ratio"), own_ms / json_object_get_double_member (peer, "ms"));
}

static gboolean
run_bench (BenchRun *run, const Bench *bench)
{
  /* Audio files end at 1,024 channels. */
  g_autofree char *file = bench->elements > 0
                          ? g_strdup_printf ("%ux%us.%s", bench->elements, bench->seconds,
                                             bench->elements > 1024 ? "h5" : "w64")
                          : g_strdup_printf ("%ux%ux%u-%s.img", bench->width, bench->height, bench->bands,
                                             bench->interleave);
  g_autofree char *path = g_build_filename (run->directory, file, NULL);
  /* One of its own: all that is in it goes afterwards. */
  g_autofree char *output = g_build_filename (run->directory, "out-XXXXXX", NULL);
  g_autofree double *ms = g_new0 (double, run->repeats);
  double peak = 0, middle;
  char *argv[MOST_ARGUMENTS + 10] = { run->self, (char *) "run", (char *) bench->operation, path, (char *) "-o", output,
                                      (char *) "-q" };
  int argc = 7;

  for (guint i = 0; i < MOST_ARGUMENTS && bench->arguments[i] != NULL; i++)
    argv[argc++] = (char *) bench->arguments[i];
  if (bench->memory != NULL)
    {
      argv[argc++] = (char *) "--memory";
      argv[argc++] = (char *) bench->memory;
    }

  if (!make_sample (run, bench, path))
    {
      g_printerr (_("The sample %s could not be made.\n"), path);
      return FALSE;
    }
  if (g_mkdtemp (output) == NULL)
    {
      g_printerr (_("The folder “%s” could not be made: %s."), output, g_strerror (errno));
      g_printerr ("\n");
      return FALSE;
    }
  warm_cache (path);
  for (int i = 0; i < run->repeats; i++)
    {
      double peak_mb;
      if (!time_process (argv, &ms[i], &peak_mb))
        {
          remove_output (output);
          return FALSE;
        }
      peak = MAX (peak, peak_mb);
    }
  middle = median (ms, run->repeats);

  json_builder_begin_object (run->builder);
  json_builder_set_member_name (run->builder, "name");
  json_builder_add_string_value (run->builder, bench->name);
  add_double (run, "median_ms", middle);
  add_double (run, "fastest_ms", ms[0]);
  add_double (run, "peak_mb", peak);
  if (bench->elements > 0)
    add_double (run, "process_real_time_factor", 1e3 * bench->seconds / middle);
  if (!run->json)
    g_print ("%-20s %9.0f ms  %6.0f MB\n", bench->name, middle, peak);
  add_stages (run, output);
  remove_output (output);
  add_peer (run, bench, path, middle);
  json_builder_end_object (run->builder);
  return TRUE;
}

/* One SSYRK and one SGEMM of the shape of the covariance and the projection, with all threads: what a library makes of
 * the bare product on this machine, without reading and converting. */
static void
bench_blas (BenchRun *run)
{
  const int bands = 224, pixels = 614 * 512, rows = 27;
  g_autofree float *a = g_new (float, (gsize) bands * pixels);
  g_autofree float *c = g_new0 (float, bands * bands);
  g_autofree float *y = g_new (float, (gsize) rows * pixels);
  g_autofree double *syrk = g_new0 (double, run->repeats);
  g_autofree double *gemm = g_new0 (double, run->repeats);

  for (gsize i = 0; i < (gsize) bands * pixels; i++)
    a[i] = (i * 7919 % 1021) / 1021.0f;
  openblas_set_num_threads (es_device_get_lanes (es_device_get_cpu ()));
  for (int i = 0; i < run->repeats; i++)
    {
      gint64 start = g_get_monotonic_time ();
      cblas_ssyrk (CblasRowMajor, CblasLower, CblasNoTrans, bands, pixels, 1, a, pixels, 0, c, bands);
      gint64 between = g_get_monotonic_time ();
      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, pixels, bands, 1, c, bands, a, pixels,
                   0, y, pixels);
      syrk[i] = (between - start) * 1e-3;
      gemm[i] = (g_get_monotonic_time () - between) * 1e-3;
    }

  json_builder_begin_object (run->builder);
  json_builder_set_member_name (run->builder, "name");
  json_builder_add_string_value (run->builder, "blas-614x512x224");
  add_double (run, "ssyrk_ms", median (syrk, run->repeats));
  add_double (run, "sgemm_27_ms", median (gemm, run->repeats));
  json_builder_end_object (run->builder);
  if (!run->json)
    g_print ("%-20s SSYRK %.0f ms, SGEMM (27) %.0f ms\n", "blas-614x512x224", median (syrk, run->repeats),
             median (gemm, run->repeats));
}

static gboolean
wanted (char **names, const char *name)
{
  return names[0] == NULL || g_strv_contains ((const char * const *) names, name);
}

int
es_batch_bench (int argc, char **argv)
{
  BenchRun run = { .repeats = 5 };
  GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &run.json, N_("Print JSON"), NULL },
    { "directory", 0, 0, G_OPTION_ARG_FILENAME, &run.directory, N_("Where sample cubes are kept"), N_("DIR") },
    { "repeats", 0, 0, G_OPTION_ARG_INT, &run.repeats, N_("Runs a bench"), N_("N") },
    { "peers", 0, 0, G_OPTION_ARG_FILENAME, &run.peers, N_("Script that measures other programs"), N_("FILE") },
    { "python", 0, 0, G_OPTION_ARG_FILENAME, &run.python, N_("Interpreter of that script"), N_("FILE") },
    G_OPTION_ENTRY_NULL
  };
  EsDevice *cpu = es_device_get_cpu ();
  struct utsname system;
  gboolean done = TRUE;

  if (!es_batch_parse_options (entries, _("bench [NAME ...]: measures this machine; medians."), &argc, &argv))
    return ES_EXIT_USAGE;
  if (run.repeats < 1)
    return es_batch_usage (_("--repeats takes a positive number"));
  for (int i = 1; i < argc; i++)
    {
      gboolean known = strcmp (argv[i], "blas") == 0;
      for (guint j = 0; j < G_N_ELEMENTS (benches); j++)
        known |= strcmp (argv[i], benches[j].name) == 0;
      if (!known)
        return es_batch_usage (_("there is no bench “%s”"), argv[i]);
    }

  if (run.directory == NULL)
    run.directory = g_build_filename (g_get_user_cache_dir (), "eigenscope", "bench", NULL);
  g_mkdir_with_parents (run.directory, 0777);
  run.self = g_file_read_link ("/proc/self/exe", NULL);
  run.builder = json_builder_new ();
  uname (&system);

  json_builder_begin_object (run.builder);
  json_builder_set_member_name (run.builder, "machine");
  json_builder_begin_object (run.builder);
  json_builder_set_member_name (run.builder, "processor");
  json_builder_add_string_value (run.builder, es_device_get_name (cpu));
  json_builder_set_member_name (run.builder, "detail");
  json_builder_add_string_value (run.builder, es_device_get_detail (cpu));
  json_builder_set_member_name (run.builder, "system");
  json_builder_add_string_value (run.builder, system.sysname);
  json_builder_end_object (run.builder);
  json_builder_set_member_name (run.builder, "benches");
  json_builder_begin_array (run.builder);
  if (!run.json)
    g_print ("%s, %s\n", es_device_get_name (cpu), es_device_get_detail (cpu));

  for (guint i = 0; done && i < G_N_ELEMENTS (benches); i++)
    if (wanted (argv + 1, benches[i].name))
      done = run_bench (&run, &benches[i]);
  if (done && wanted (argv + 1, "blas"))
    bench_blas (&run);

  json_builder_end_array (run.builder);
  json_builder_end_object (run.builder);
  if (run.json && done)
    es_batch_print_json (json_builder_get_root (run.builder));
  g_object_unref (run.builder);
  g_free (run.directory);
  g_free (run.peers);
  g_free (run.python);
  g_free (run.self);
  return done ? ES_EXIT_DONE : ES_EXIT_DATA;
}
