/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What was found of steps, in sentences. */

#include "es-stage-judge-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "lab/es-shown-unit.h"

/* Of the whole: a step that took less has no sentences. */
#define LEAST_SHARE 0.01
/* Within so much of its bound a step is at it, and a little below it, too: both are measured. Far above it, it is the
 * kernel that could do better; and what needs so little starts and waits more than it works. */
#define AT_BOUND 1.25
#define BELOW_BOUND 0.95
#define FAR_ABOVE 2.0
#define SMALL_MS 0.5
#define SMALL_TIMES 8.0
/* Of a time: less apart it is the same. */
#define SAME_TIME 0.05
/* An advantage that is worth a sentence. */
#define WORTH 1.15

/* ---- numbers ---- */

static char *
show_rate (const EsRoof *roof, const char *unit)
{
  double factor;
  const char *shown = es_shown_unit (unit, roof->rate, &factor);
  g_autofree char *digits = es_shown_digits (roof->rate * factor);
  g_autofree char *rate = g_strdup_printf ("%s %s", digits, shown);

  switch (roof->source)
    {
    case ES_ROOF_OF_KIND:
      return g_strdup_printf (_("%s (of another card of its name)"), rate);
    case ES_ROOF_QUICK:
      return g_strdup_printf (_("%s (a quick measurement)"), rate);
    case ES_ROOF_ASSUMED:
      return g_strdup_printf (_("%s (assumed)"), rate);
    case ES_ROOF_MEASURED:
    case ES_N_ROOF_SOURCES:
    default:
      return g_steal_pointer (&rate);
    }
}

static char *
show_seconds (double seconds)
{
  double factor;
  const char *unit = es_shown_unit ("s", seconds, &factor);
  g_autofree char *digits = es_shown_digits (seconds * factor);

  return g_strdup_printf ("%s %s", digits, unit);
}

static char *
show_count (double count)
{
  static const char *const prefixes[] = { "", " k", " M", " G", " T", " P" };
  guint at = 0;

  for (; count >= 1000 && at + 1 < G_N_ELEMENTS (prefixes); at++)
    count /= 1000;
  g_autofree char *digits = es_shown_digits (count);
  return g_strconcat (digits, prefixes[at], NULL);
}

static char *
show_times (double times)
{
  return g_strdup_printf (times < 10 ? "%.1f" : "%.0f", times);
}

/* "143 MB at 35.1 GB/s" */
static char *
show_need (const EsStageVerdict *verdict)
{
  static const char *const types[] = { N_("float32"), N_("float64"), N_("8-bit integers"), N_("16-bit integers") };
  const gboolean counts = verdict->bound == ES_BOUND_ARITHMETIC || verdict->bound == ES_BOUND_HOST_ARITHMETIC;
  g_autofree char *amount = NULL, *rate = show_rate (&verdict->roof, counts ? "1/s" : "B/s");

  G_STATIC_ASSERT (G_N_ELEMENTS (types) == ES_N_WORK_TYPES);
  if (counts)
    {
      amount = show_count (verdict->amount);
      /* TRANSLATORS: so many operations of arithmetic, of which kind, so many a second. */
      return g_strdup_printf (_("%s operations of %s at %s"), amount,
                              g_dgettext (GETTEXT_PACKAGE, types[verdict->type]), rate);
    }
  if (verdict->bound == ES_BOUND_LATENCY)
    {
      g_autofree char *each = show_seconds (1 / verdict->roof.rate);

      return g_strdup_printf (_("%.0f launches of %s each"), verdict->amount, each);
    }
  amount = es_shown_traffic (verdict->amount);
  /* TRANSLATORS: so many bytes, so many a second: "143 MB at 35.1 GB/s". */
  return g_strdup_printf (_("%s at %s"), amount, rate);
}

static char *
show_distance (const EsStageVerdict *verdict)
{
  const double times = verdict->ms * 1e-3 / verdict->seconds;
  const char *title = es_bound_get_title (verdict->bound);
  g_autofree char *need = show_need (verdict), *seconds = show_seconds (verdict->seconds);
  g_autofree char *ratio = show_times (times);

  if (times < BELOW_BOUND)
    return g_strdup_printf (_("Faster than what is known of its bound, %s: %s would take %s."), title, need, seconds);
  if (times <= AT_BOUND)
    return g_strdup_printf (_("At its bound, %s: %s take %s."), title, need, seconds);
  return g_strdup_printf (_("%s times its bound, %s: %s take %s."), ratio, title, need, seconds);
}

/* ---- what would help ---- */

static void
say (GString *text, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
say (GString *text, const char *format, ...)
{
  va_list arguments;

  if (text->len > 0)
    g_string_append_c (text, ' ');
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
}

static void
say_less (GString *text, const EsStageWork *work)
{
  if (work->less != NULL)
    say (text, "%s", g_dgettext (GETTEXT_PACKAGE, work->less));
}

static void
help_file (GString *text, const EsStageWork *work, const EsStageVerdict *verdict, double times)
{
  g_autofree char *ratio = show_times (times);

  if (!verdict->joined && work->file_bytes == 0)
    say (text, _("It is written to new memory, or to a file."));
  else if (verdict->of_disk)
    say (text, _("Most of it came from a disk: from a faster one, or from the page cache, up to %s times as fast."),
         ratio);
  else if (!verdict->joined && work->operations > 0)
    say (text, _("One thread reads and computes by turns, and the rest of the processor is idle."));
  else if (times > FAR_ABOVE)
    say (text, _("It came from the page cache, from memory or over a network, not from a disk: what takes its time is "
                 "copying in pieces, or unpacking."));
  else
    say (text, _("It comes from memory already; fewer bands or a smaller window are fewer bytes."));
  say_less (text, work);
}

static void
help_link (GString *text, const EsStageWork *work, const EsRoofs *roofs, double times)
{
  const double gain = work->pageable && roofs->link_pageable.rate > 0
                      ? roofs->link_to.rate / roofs->link_pageable.rate : 0;
  g_autofree char *ratio = show_times (gain);

  if (gain > WORTH)
    say (text, _("Page-locked staging: %s times as fast on this machine."), ratio);
  else if (times > AT_BOUND)
    say (text, _("More threads that read, or larger pieces, bring it nearer."));
  else
    say (text, _("Fewer bytes help: fewer bands, or samples of fewer bits; another run finds the data on the card."));
}

/* So little work that what it takes has nothing to do with it. */
static gboolean
is_waiting (const EsStageVerdict *verdict)
{
  return verdict->seconds > 0 && verdict->ms > SMALL_TIMES * 1e3 * verdict->seconds
         && verdict->seconds * 1e3 < SMALL_MS && verdict->bound != ES_BOUND_LATENCY && !verdict->joined;
}

static void
help_computing (GString *text, const EsStageTime *stage, const EsStageVerdict *verdict, const EsRoofs *roofs,
                double times)
{
  g_autofree char *ratio = show_times (times);

  if (roofs->on_cpu && stage->work.threads == 0 && roofs->threads < roofs->all_threads)
    say (text, _("It had %u of %u threads."), roofs->threads, roofs->all_threads);
  if (stage->work.threads == 1 && roofs->threads > 1)
    say (text, _("One thread does it."));
  if (times > FAR_ABOVE && verdict->roof.source <= ES_ROOF_OF_KIND)
    say (text, _("This machine could do it up to %s times as fast, by better code or with fewer programs beside it."),
         ratio);
  say_less (text, &stage->work);
}

static void
help (GString *text, const EsStageTime *stage, const EsStageVerdict *verdict, const EsRoofs *roofs)
{
  const double times = verdict->ms * 1e-3 / verdict->seconds;

  switch (verdict->bound)
    {
    case ES_BOUND_FILE:
      help_file (text, &stage->work, verdict, times);
      break;
    case ES_BOUND_LINK:
      help_link (text, &stage->work, roofs, times);
      break;
    case ES_BOUND_LATENCY:
      say (text, _("Larger tiles or blocks are fewer launches."));
      break;
    case ES_BOUND_ARITHMETIC:
    case ES_BOUND_HOST_ARITHMETIC:
    case ES_BOUND_MEMORY:
    case ES_BOUND_HOST_MEMORY:
      help_computing (text, stage, verdict, roofs, times);
      break;
    case ES_BOUND_UNKNOWN:
    case ES_BOUND_OTHER_STEP:
    case ES_N_BOUNDS:
    default:
      break;
    }
}

static char *
advise (const EsStageTime *stage, const EsStageVerdict *verdict, const EsRoofs *roofs)
{
  GString *text = g_string_new (NULL);

  if (verdict->seconds == 0)
    {
      say (text, es_stage_work_is_known (&stage->work)
                 ? _("Too little is known of this device to hold its work against: run the laboratory's experiments on "
                     "it.")
                 : _("What it does is not counted."));
      return g_string_free (text, FALSE);
    }
  if (is_waiting (verdict))
    {
      g_autofree char *need = show_need (verdict), *seconds = show_seconds (verdict->seconds);

      say (text, _("Its work is little: %s take %s. The rest is waiting: for launches, for answers one after the "
                   "other, for a library that is loaded the first time."), need, seconds);
      say_less (text, &stage->work);
      return g_string_free (text, FALSE);
    }
  g_autofree char *distance = show_distance (verdict);
  say (text, "%s", distance);
  if (!verdict->joined && fabs (verdict->ms - stage->ms) > SAME_TIME * stage->ms)
    {
      g_autofree char *busy = show_seconds (verdict->ms * 1e-3);

      say (text, _("It was busy for %s, which is what counts here: steps overlap, and the times that are shown add up "
                   "to the whole."), busy);
    }
  if (verdict->joined)
    say (text, _("Reading, uploading and computing overlap, and are judged together."));
  if (verdict->beside)
    say (text, stage->work.file_bytes > 0 ? _("It runs beside computing, which takes longer: there is nothing to gain.")
                                          : _("It runs beside reading, which takes longer: there is nothing to gain."));
  else
    help (text, stage, verdict, roofs);
  return g_string_free (text, FALSE);
}

/* ---- steps that come once ---- */

static const char *
tell_once (const char *name)
{
  if (g_str_equal (name, "start"))
    return _("It comes once: later runs of the same program do without it.");
  if (g_str_equal (name, "choice"))
    return _("It comes once: devices are measured the first time. With a device that is chosen by hand it does not "
             "come at all.");
  if (g_str_equal (name, "retry"))
    return _("Less memory for the run, or another device, would have done at once.");
  return NULL;
}

/* Once, where it matters most: what is assumed of a device is no measurement of it. */
static void
tell_unsure (EsStageTime *stage)
{
  g_autofree char *advice = NULL;

  if (stage == NULL)
    return;
  advice = g_steal_pointer (&stage->advice);
  stage->advice = g_strdup_printf (_("%s Bounds that are assumed or quickly measured may be far from what this machine "
                                     "does: the laboratory's profile of it, kept, takes their place."), advice);
}

/* Of steps that are judged together one has the sentences. */
static const EsStageTime *
find_joined (const EsStageTime *stages, guint n)
{
  const EsStageTime *longest = NULL;

  for (guint i = 0; i < n; i++)
    if (stages[i].work.joined && (longest == NULL || stages[i].ms > longest->ms))
      longest = &stages[i];
  return longest;
}

static char *
advise_of (const EsStageTime *stage, const EsStageVerdict *verdict, const EsRoofs *roofs, const EsStageTime *joined)
{
  const char *once = tell_once (stage->name);

  if (once != NULL)
    return g_strdup (once);
  if (stage->work.joined && stage != joined)
    return g_strdup_printf (_("It overlaps with “%s”, and is judged with it."), joined->title);
  return advise (stage, verdict, roofs);
}

void
es_stages_judge_by (EsStageTime *stages, guint n, const EsRoofs *roofs)
{
  g_autofree EsStageVerdict *verdicts = g_new (EsStageVerdict, MAX (n, 1));
  const EsStageTime *joined = find_joined (stages, n);
  EsStageTime *longest = NULL;
  double total = 0;

  es_stages_find_bounds (stages, n, roofs, verdicts);
  for (guint i = 0; i < n; i++)
    total += stages[i].ms;
  for (guint i = 0; i < n; i++)
    {
      EsStageTime *stage = &stages[i];
      const gboolean unsure = verdicts[i].seconds > 0 && verdicts[i].roof.source >= ES_ROOF_QUICK;

      const gboolean waits = is_waiting (&verdicts[i]);

      stage->bound = verdicts[i].beside ? ES_BOUND_OTHER_STEP : waits ? ES_BOUND_LATENCY : verdicts[i].bound;
      stage->bound_ms = verdicts[i].seconds * 1e3;
      /* How many times as long as nothing means nothing. */
      stage->times = verdicts[i].seconds > 0 && !waits ? verdicts[i].ms * 1e-3 / verdicts[i].seconds : 0;
      g_clear_pointer (&stage->advice, g_free);
      if (stage->ms >= LEAST_SHARE * total && stage->ms > 0)
        stage->advice = advise_of (stage, &verdicts[i], roofs, joined);
      if (unsure && stage->advice != NULL && (longest == NULL || stage->ms > longest->ms))
        longest = stage;
    }
  tell_unsure (longest);
}

static void
judge (EsStageTime *stages, guint n, EsDevice *device, guint threads)
{
  EsRoofs roofs;

  es_roofs_find (device, threads, &roofs);
  es_stages_judge_by (stages, n, &roofs);
}

void
es_stage_advice_use (void)
{
  es_stages_set_judge (judge, es_roofs_prepare);
}
