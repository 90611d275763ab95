/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The conformance test: every hot spot of a back end with memory of its own against the CPU's and against float64, and
 * how it behaves when memory runs out, when the device goes, and when two threads use it at once.
 *
 *   test-conformance [--module PATH] [--device N] [--quick] [--only NAME] [GLib's test options]
 *
 * The module is the one of --module or ES_CUDA_MODULE. NAME is one of the groups: load, bands, exact, float, precise,
 * project, noise, error, ica, spectra, beams, adaptive, eigenbeams, vectors, picture, run. Exit code 77: there is no
 * card here.
 * project, noise, error, ica, spectra, beams, adaptive, eigenbeams, neighbours, vectors, picture, run. Exit code 77:
 * there is no card here.
 */

#include "test-conformance.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MESSAGES 6

Conformance conformance;

static char case_name[512];
static guint n_messages;
static double worst_error;

void
conformance_case (const char *format,
                  ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_vsnprintf (case_name, sizeof case_name, format, arguments);
  va_end (arguments);
}

void
conformance_fail (const char *format,
                  ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (n_messages++ < MOST_MESSAGES)
    g_test_message ("%s: %s", case_name, message);
  g_test_fail ();
}

gboolean
conformance_expect (const char *what,
                    int         code,
                    int         expected)
{
  if (code == expected)
    return TRUE;
  conformance_fail ("%s answers %d, not %d (%s)", what, code, expected,
                    conformance.stream != NULL ? conformance.table->stream->last_error (conformance.stream) : "");
  return FALSE;
}

void
conformance_worst (double error)
{
  if (!(error <= worst_error))
    worst_error = error;
}

static void
run_one (gconstpointer data)
{
  GTestFunc function;
  gint64 start = g_get_monotonic_time ();

  memcpy (&function, data, sizeof function);
  n_messages = 0;
  worst_error = 0.0;
  case_name[0] = '\0';
  conformance.stream = conformance.table->stream->stream_new (conformance.device);
  if (conformance.stream == NULL)
    {
      conformance_fail ("no stream");
      return;
    }
  conformance.cpu_stream = conformance.cpu->stream->stream_new (0);
  function ();
  conformance.table->stream->stream_free (conformance.stream);
  conformance.cpu->stream->stream_free (conformance.cpu_stream);
  conformance.stream = NULL;
  if (n_messages > MOST_MESSAGES)
    g_test_message ("and %u more", n_messages - MOST_MESSAGES);
  if (worst_error > 0.0)
    g_test_message ("worst error %.3g", worst_error);
  g_test_message ("%.1f s", (double) (g_get_monotonic_time () - start) * 1e-6);
}

void
conformance_add (const char *path,
                 GTestFunc   function)
{
  g_autofree char *whole = g_strconcat ("/conformance/", path, NULL);

  g_test_add_data_func_full (whole, g_memdup2 (&function, sizeof function), run_one, g_free);
}

static int
skip (const char *why)
{
  printf ("1..0 # SKIP %s\n", why);
  /* Meson takes what the plan says, and any status but 0 for a failure. */
  return g_getenv ("ES_TEST_TAP") != NULL ? 0 : 77;
}

int
main (int   argc,
      char *argv[])
{
  const char *only = NULL, *path;
  char why[512] = "";
  EskModuleEntry entry;
  EskDeviceInfo info;
  GPtrArray *rest = g_ptr_array_new ();
  void *module;
  int n_devices, n_rest, code;

  for (int k = 0; k < argc; k++)
    if (strcmp (argv[k], "--quick") == 0)
      g_setenv ("ES_CONFORMANCE_QUICK", "1", TRUE);
    else if (strcmp (argv[k], "--module") == 0 && k + 1 < argc)
      g_setenv ("ES_CUDA_MODULE", argv[++k], TRUE);
    else if (strcmp (argv[k], "--device") == 0 && k + 1 < argc)
      g_setenv ("ES_CONFORMANCE_DEVICE", argv[++k], TRUE);
    else if (strcmp (argv[k], "--only") == 0 && k + 1 < argc)
      only = argv[++k];
    else
      g_ptr_array_add (rest, argv[k]);
  if (only != NULL)
    {
      g_ptr_array_add (rest, (char *) "-p");
      g_ptr_array_add (rest, g_strconcat ("/conformance/", only, NULL));
    }
  /* A failure does not end the rest. */
  g_ptr_array_add (rest, (char *) "-k");
  n_rest = (int) rest->len;
  g_ptr_array_add (rest, NULL);

  conformance.quick = g_getenv ("ES_CONFORMANCE_QUICK") != NULL;
  conformance.device = g_getenv ("ES_CONFORMANCE_DEVICE") != NULL ? atoi (g_getenv ("ES_CONFORMANCE_DEVICE")) : 0;
  conformance.cpu = esk_cpu_hotspots ();

  path = g_getenv ("ES_CUDA_MODULE");
  if (path == NULL)
    return skip ("no module: neither --module nor ES_CUDA_MODULE");
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      fprintf (stderr, "%s: there is no such file\n", path);
      return 1;
    }
  module = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (module == NULL)
    return skip (dlerror ());
  *(void **) &entry = dlsym (module, ESK_MODULE_ENTRY);
  if (entry == NULL)
    {
      fprintf (stderr, "%s: no " ESK_MODULE_ENTRY "\n", path);
      return 1;
    }
  if (entry (ESK_HOTSPOTS_ABI + 1, why, sizeof why) != NULL || why[0] == '\0')
    {
      fprintf (stderr, "%s: takes any interface\n", path);
      return 1;
    }
  conformance.table = entry (ESK_HOTSPOTS_ABI, why, sizeof why);
  if (conformance.table == NULL)
    return skip (why);
  n_devices = conformance.table->device->device_count (why, sizeof why);
  if (n_devices <= conformance.device)
    return skip (why[0] != '\0' ? why : "no card");
  code = conformance.table->device->device_info (conformance.device, &info);
  if (code != ESK_OK)
    {
      fprintf (stderr, "device_info answers %d\n", code);
      return 1;
    }
  conformance.fake = g_str_has_prefix (info.name, "Fake");

  char **arguments = (char **) rest->pdata;
  g_test_init (&n_rest, &arguments, NULL);
  g_test_message ("%s, compute capability %d.%d", info.name, info.major, info.minor);
  conformance_add_load ();
  conformance_add_bands ();
  conformance_add_sums ();
  conformance_add_precise ();
  conformance_add_project ();
  conformance_add_leading ();
  conformance_add_noise ();
  conformance_add_error ();
  conformance_add_ica ();
  conformance_add_moments ();
  conformance_add_spectra ();
  conformance_add_beams ();
  conformance_add_lanes ();
  conformance_add_adaptive ();
  conformance_add_eigen ();
  conformance_add_neighbours ();
  conformance_add_eigen_sparse ();
  conformance_add_pair ();
  conformance_add_sparse ();
  conformance_add_vectors ();
  conformance_add_picture ();
  conformance_add_run ();

  return g_test_run ();
}
