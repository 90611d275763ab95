/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "advice/es-stage-advice.h"
#include "base/es-address.h"
#include "base/es-standard-files.h"
#include "es-batch.h"
#include "lab/es-kept-profiles.h"
#include "ranks/es-ranks.h"
#include "sparse/es-batch-spy.h"

static const struct
{
  const char *name;
  int       (*run) (int argc, char **argv);
} verbs[] = {
  { "operations", es_batch_operations },
  { "devices", es_batch_devices },
  { "info", es_batch_info },
  { "shapes", es_batch_shapes },
  { "run", es_batch_run },
  { "simulate", es_batch_simulate },
  { "compare", es_batch_compare },
  { "plan", es_batch_plan },
  { "published", es_batch_published },
  { "spectra", es_batch_spectra },
  { "match", es_batch_match },
  { "composite", es_batch_composite },
  { "spy", es_batch_spy },
  { "profile", es_batch_profile },
  { "characterise", es_batch_characterise },
  { "bench", es_batch_bench },
};

static const char help_text[] =
  N_("Eigenscope without a window.\n"
     "\n"
     "  eigenscope-batch operations [NAME ...] [--json]\n"
     "  eigenscope-batch devices [DEVICE ...] [--json]\n"
     "  eigenscope-batch info FILE...|RESULT [--array ARRAY] [--json]\n"
     "  eigenscope-batch shapes FILE [--width N] [--height N] [--raw-bands N] [--json]\n"
     "  eigenscope-batch run OPERATION FILE... [-o DIR] [--device auto|cpu|cuda:0|cuda:all]\n"
     "                       [--threads N] [--memory SIZE] [--gpu-memory SIZE] [--array ARRAY] [key=value ...]\n"
     "  eigenscope-batch run OPERATION FILE...|--watch FOLDER -o DIR [--queue] [--until-idle SECONDS]\n"
     "  eigenscope-batch compare OPERATION FILE [--repeats N] [--processes 1,2,4] [--json] [key=value ...]\n"
     "  eigenscope-batch plan OPERATION FILE|shape=SHAPE --cluster FILE.json [-o FILE] [key=value ...]\n"
     "  eigenscope-batch published [TABLE|OPERATION ...] [--json]\n"
     "  eigenscope-batch simulate cube|recording|matrix -o FILE [key=value ...]\n"
     "  eigenscope-batch spectra FILE... [--resample CUBE] [-o FILE] [--json]\n"
     "  eigenscope-batch match CUBE X,Y|REGION LIBRARY... [--by angle|fit] [--most N] [--json]\n"
     "  eigenscope-batch composite CUBE|RESULT... -o FILE.png|FILE.tif [key=value ...]\n"
     "  eigenscope-batch spy FILE|NAME -o FILE.png [key=value ...]\n"
     "  eigenscope-batch profile FILE line=X,Y,X,Y [bands=LIST] [width=N] [sampling=nearest|bilinear]\n"
     "                       [-o FILE] [--json]\n"
     "  eigenscope-batch characterise cpu|cuda:0 [-o FILE.json]\n"
     "  eigenscope-batch characterise FILE.json...\n"
     "  eigenscope-batch bench [NAME ...] [--json]\n"
     "\n"
     "Every verb takes --help. Exit status: 0 done, 2 wrong usage, 3 bad input, 4 device or memory, 5 cancelled.\n");

/* Threads that OpenBLAS started may ask for memory that is not there again and again; its end waits for them. */
static gboolean
has_few_addresses (void)
{
  struct rlimit limit;

  return getrlimit (RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/*
 * What was to be written is on the disk, what was to be printed has been printed, and what was opened is closed. The
 * rest goes with the process, which the kernel is quicker at than the libraries: a driver takes its contexts down step
 * by step, and 60 ms for it.
 */
static G_NORETURN void
leave (int status)
{
  gboolean at_once = has_few_addresses ();

  /* Too late to cancel anything. */
  es_batch_ignore_signals ();
  es_ranks_end ();
#if ES_LEAVE_AT_ONCE
  at_once = TRUE;
#else
  /* Nothing may be inside the driver, or in a library that is taken down, when a program ends in the ordinary way. */
  at_once |= !es_devices_stop ();
#endif
  fflush (NULL);
  if (at_once)
    _exit (status);
  exit (status);
}

static int
run (int argc, char **argv)
{
  guint rank, size;

  /* What is not computed by several processes together one of them does, and the others have nothing to say. */
  if (es_ranks_are_launched (&rank, &size) && rank > 0)
    {
      es_batch_be_silent ();
      if (argc < 2 || strcmp (argv[1], "run") != 0)
        return ES_EXIT_DONE;
    }
  if (argc < 2)
    {
      g_printerr ("%s", _(help_text));
      return ES_EXIT_USAGE;
    }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0 || strcmp (argv[1], "help") == 0)
    {
      g_print ("%s", _(help_text));
      return ES_EXIT_DONE;
    }
  if (strcmp (argv[1], "--version") == 0)
    {
      g_print ("Eigenscope %s\n", ES_VERSION);
      return ES_EXIT_DONE;
    }
  /* Before anything is opened: nothing else is read from elsewhere. */
  for (int i = 2; i < argc; i++)
    es_address_allow (argv[i]);
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (strcmp (argv[1], verbs[i].name) == 0)
      return verbs[i].run (argc - 1, argv + 1);
  return es_batch_usage (_("there is no verb “%s”"), argv[1]);
}

int
main (int argc, char **argv)
{
  const char *locale_dir = g_getenv ("ES_LOCALE_DIR");

  es_standard_files_hold ();
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir != NULL ? locale_dir : ES_DEFAULT_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  /* The C library would take 64 MB of addresses for each thread, whenever it likes. */
  if (has_few_addresses ())
    mallopt (M_ARENA_MAX, 1);

  /* GLib's own idea of the C locale, which it cannot make any more where memory has become short. */
  g_ascii_strtoull ("0", NULL, 10);
  g_ascii_strtod ("0", NULL);

  /* A full disk and a closed pipe are answers of write (), not deaths. */
  signal (SIGXFSZ, SIG_IGN);
  signal (SIGPIPE, SIG_IGN);

  es_devices_prefer_quick_start ();
  es_batch_use_figures ();
  es_kept_profiles_use ();
  es_stage_advice_use ();
  es_batch_output_begin ();
  leave (es_batch_output_end (run (argc, argv)));
}
