/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The jobs that are measured, their samples, which are made once, and how long a process takes.
 */

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "es-batch-bench.h"

#define PCA "pca", { "threshold=0.99" }
/* As scikit-learn does it: all components at once, log cosh, and its limit of steps. */
#define ICA "fastica", { "components=10", "approach=symmetric", "g=tanh", "tolerance=0.0001", "iterations=200" }
#define MNF "mnf", { "noise=shift-difference", "direction=lower-right", "keep=count", "components=10" }

/* From bin to bin: a limit between two bins would take both. */
#define BAND "319.3359375:480.46875"
/* The published settings: 160 angles, 166 bins over 8 rows, the far field of 293 more, a block a second. */
#define BEAMS .operation = "cbf", \
              .arguments = { "band=" BAND, "lofar-band=33.3:318", "angles=10:169:1", "block=1s", "shading=none" }
/* The far-field map of the same band alone. */
#define FAR_BEAMS .operation = "cbf", \
                  .arguments = { "band=" BAND, "lofar-band=" BAND, "angles=10:169:1", "block=1s", "ranges=far" }

/* The published settings: 100 bins, 180 angles; K snapshots of as many seconds, or one of a second. */
#define ADAPTIVE(band, snapshots, blocks) .operation = "mvdr", \
                                          .arguments = { "band=" band, "angles=0:179:1", "snapshots=" snapshots, \
                                                         "blocks=" blocks, "eigenvalues=no" }
#define ONE_SNAPSHOT ADAPTIVE ("319.3359375:416.015625", "1", "1")
#define EIGHT_SNAPSHOTS(blocks) ADAPTIVE ("97.65625:484.375", "8", blocks)

static const EsBench benches[] = {
  { "pca-bsq", 614, 512, 224, "bsq", NULL, PCA },
  { "pca-bil", 614, 512, 224, "bil", NULL, PCA },
  { "pca-bip", 614, 512, 224, "bip", NULL, PCA },
  { "pca-16bit", 614, 512, 224, "bsq", NULL, PCA, .samples = ES_BENCH_FULL_RANGE },
  { "pca-float-1500", 256, 256, 1500, "bsq", NULL, PCA, .samples = ES_BENCH_FLOAT32 },
  { "fastica-bsq", 614, 512, 224, "bsq", NULL, ICA },
  { "mnf-bsq", 614, 512, 224, "bsq", NULL, MNF },
  { "pca-large", 781, 6955, 224, "bsq", "256M", PCA },
  { "fastica-large", 781, 6955, 224, "bsq", "256M", ICA },
  { "mnf-large", 781, 6955, 224, "bsq", "256M", MNF },
  { "beams-256", BEAMS, .elements = 256, .seconds = 60 },
  { "beams-512", BEAMS, .elements = 512, .seconds = 60 },
  { "beams-8192", BEAMS, .elements = 8192, .seconds = 8 },
  { "far-beams-512", FAR_BEAMS, .elements = 512, .seconds = 60 },
  { "far-beams-64", FAR_BEAMS, .elements = 64, .seconds = 4 },
  { "mvdr-64-1", ONE_SNAPSHOT, .elements = 64, .seconds = 60 },
  { "mvdr-64-128", EIGHT_SNAPSHOTS ("16"), .elements = 64, .seconds = 60 },
  { "mvdr-512-1", ONE_SNAPSHOT, .elements = 512, .seconds = 20 },
  { "mvdr-512-64", EIGHT_SNAPSHOTS ("8"), .elements = 512, .seconds = 20 },
  { "mvdr-2048-1", ONE_SNAPSHOT, .elements = 2048, .seconds = 8 },
};

const EsBench *
es_bench_list (guint *n)
{
  *n = G_N_ELEMENTS (benches);
  return benches;
}

const EsBench *
es_bench_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (benches); i++)
    if (strcmp (name, benches[i].name) == 0)
      return &benches[i];
  return NULL;
}

gboolean
es_bench_time_process (char **argv, double *ms, double *peak_mb)
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

char *
es_bench_sample (const EsBench *bench, const char *directory)
{
  static const char *const kinds[] = { "", "-16bit", "-float32" };
  g_autofree char *file = NULL;

  /* Audio files end at 1,024 channels. */
  if (bench->elements > 0)
    file = g_strdup_printf ("%ux%us.%s", bench->elements, bench->seconds, bench->elements > 1024 ? "h5" : "w64");
  else
    file = g_strdup_printf ("%ux%ux%u-%s%s.img", bench->width, bench->height, bench->bands, bench->interleave,
                            kinds[bench->samples]);
  return g_build_filename (directory, file, NULL);
}

static gboolean
make_recording (const EsBench *bench, const char *self, const char *path)
{
  g_autofree char *array = g_strdup_printf ("array=line:%u,1.5", bench->elements);
  g_autofree char *seconds = g_strdup_printf ("seconds=%u", bench->seconds);
  char *argv[] = { (char *) self, (char *) "simulate", (char *) "recording", (char *) "-o", (char *) path, array,
                   seconds, (char *) "rate=8000", (char *) "type=int16", (char *) "seed=1",
                   (char *) "sources=noise,123,0,300:480;tone,60,-10,60", NULL };
  double ms, peak;

  return es_bench_time_process (argv, &ms, &peak);
}

/* A scene of reflectances takes 13 bits; times nine, and with something in the bits below, it takes all 16. */
static gboolean
stretch (const char *path)
{
  int fd = open (path, O_RDWR | O_CLOEXEC);
  struct stat status;
  guint16 *samples;
  gsize n;

  if (fd < 0)
    return FALSE;
  if (fstat (fd, &status) < 0
      || (samples = mmap (NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
    {
      close (fd);
      return FALSE;
    }
  n = status.st_size / sizeof *samples;
  for (gsize i = 0; i < n; i++)
    samples[i] = (guint16) MIN (samples[i] * 9u + (guint) (i * 2654435761u >> 7) % 9u, (guint) G_MAXUINT16);
  munmap (samples, status.st_size);
  return close (fd) == 0;
}

gboolean
es_bench_make_sample (const EsBench *bench, const char *self, const char *path, gboolean quiet)
{
  static const char *const types[] = { "type=int16", "type=uint16", "type=float32" };
  g_autofree char *width = g_strdup_printf ("width=%u", bench->width);
  g_autofree char *height = g_strdup_printf ("height=%u", bench->height);
  g_autofree char *bands = g_strdup_printf ("bands=%u", bench->bands);
  g_autofree char *interleave = g_strdup_printf ("interleave=%s", bench->interleave);
  char *argv[] = { (char *) self, (char *) "simulate", (char *) "cube", (char *) "-o", (char *) path, width, height,
                   bands, interleave, (char *) types[bench->samples], (char *) "seed=1", (char *) "no-data=0", NULL };
  double ms, peak;

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  if (!quiet)
    g_printerr (_("Making %s\n"), path);
  if (bench->elements > 0)
    return make_recording (bench, self, path);
  if (!es_bench_time_process (argv, &ms, &peak))
    return FALSE;
  if (bench->samples != ES_BENCH_FULL_RANGE || stretch (path))
    return TRUE;
  /* Half of it would be taken for the whole the next time. */
  g_unlink (path);
  return FALSE;
}

char **
es_bench_command (const EsBench *bench, const char *self, const char *path, const char *output)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  const char *const first[] = { self, "run", bench->operation, path, "-o", output, "-q" };

  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    g_ptr_array_add (argv, (char *) first[i]);
  for (guint i = 0; i < ES_BENCH_MOST_ARGUMENTS && bench->arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (char *) bench->arguments[i]);
  if (bench->memory != NULL)
    {
      g_ptr_array_add (argv, (char *) "--memory");
      g_ptr_array_add (argv, (char *) bench->memory);
    }
  g_ptr_array_add (argv, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&argv), FALSE);
}
