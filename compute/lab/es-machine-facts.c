/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a machine says of itself: as members of an object, and as texts for people. */

#include "es-machine-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "es-shown-unit.h"
#include "result/es-saved-internal.h"

typedef enum { FACT_TEXT, FACT_COUNT, FACT_BYTES, FACT_MEMORY, FACT_HERTZ, FACT_FLAG } FactType;

typedef struct
{
  const char *key;             /* in files, with the unit */
  const char *title;           /* N_() */
  FactType    type;
  gsize       offset, size;
} Fact;

#define FACT(key, title, type, field) { key, title, type, G_STRUCT_OFFSET (EskLabMachine, field), \
                                        sizeof ((EskLabMachine *) NULL)->field }

static const Fact facts_known[] = {
  FACT ("id", N_("Device"), FACT_TEXT, id),
  FACT ("name", N_("Name"), FACT_TEXT, name),
  FACT ("driver", N_("Driver"), FACT_TEXT, driver),
  FACT ("architecture", N_("Architecture"), FACT_TEXT, architecture),
  FACT ("units", N_("Multiprocessors or cores"), FACT_COUNT, units),
  FACT ("threads", N_("Threads at once"), FACT_COUNT, threads),
  FACT ("warp", N_("Lanes of a warp or vector"), FACT_COUNT, warp),
  FACT ("registers", N_("Registers of a multiprocessor"), FACT_COUNT, registers),
  FACT ("clock_hertz", N_("Highest clock"), FACT_HERTZ, clock_hertz),
  FACT ("memory_clock_hertz", N_("Highest clock of the memory"), FACT_HERTZ, memory_clock_hertz),
  FACT ("memory_bits", N_("Width of the memory in bits"), FACT_COUNT, memory_bits),
  FACT ("memory_bytes", N_("Memory"), FACT_MEMORY, memory),
  FACT ("l1_bytes", N_("First-level cache of a unit"), FACT_BYTES, l1),
  FACT ("l2_bytes", N_("Second-level cache"), FACT_BYTES, l2),
  FACT ("l3_bytes", N_("Third-level cache"), FACT_BYTES, l3),
  FACT ("shared_bytes", N_("Shared memory of a multiprocessor"), FACT_BYTES, shared),
  FACT ("constant_bytes", N_("Constant memory"), FACT_BYTES, constant),
  FACT ("link_generation", N_("Generation of the link (PCIe)"), FACT_COUNT, link_generation),
  FACT ("link_width", N_("Lanes of the link"), FACT_COUNT, link_width),
  FACT ("ecc", N_("Memory with error correction"), FACT_FLAG, ecc),
  FACT ("integrated", N_("Shares the host's memory"), FACT_FLAG, integrated),
  FACT ("managed", N_("Managed memory"), FACT_FLAG, managed),
  FACT ("managed_pages", N_("Managed memory moves by pages"), FACT_FLAG, managed_pages),
  FACT ("pageable_access", N_("Reaches the host’s pageable memory"), FACT_FLAG, pageable_access),
  FACT ("host_tables", N_("Reaches it by the host’s page tables"), FACT_FLAG, host_tables),
  FACT ("display_watchdog", N_("A watchdog ends long kernels"), FACT_FLAG, display_watchdog),
  FACT ("mig", N_("A slice of a card (MIG)"), FACT_FLAG, mig),
  FACT ("exclusive", N_("Compute mode that keeps others out"), FACT_FLAG, exclusive),
};

static double
get_number (const Fact *fact, const EskLabMachine *facts)
{
  const char *at = (const char *) facts + fact->offset;

  return fact->type == FACT_HERTZ ? *(const double *) at
         : fact->size == sizeof (guint64) ? (double) *(const guint64 *) at : *(const guint32 *) at;
}

static void
set_number (const Fact *fact, EskLabMachine *facts, double value)
{
  char *at = (char *) facts + fact->offset;

  /* Nothing that a file says is too large for what holds it. */
  if (!(value > 0))
    value = 0;
  if (fact->type == FACT_HERTZ)
    *(double *) at = value <= 1e15 ? value : 0;
  else if (fact->size == sizeof (guint64))
    *(guint64 *) at = value <= 1e18 ? (guint64) value : 0;
  else
    *(guint32 *) at = value <= 4e9 ? (guint32) value : 0;
}

void
es_machine_facts_to_json (const EskLabMachine *facts, JsonObject *object)
{
  for (guint i = 0; i < G_N_ELEMENTS (facts_known); i++)
    {
      const Fact *fact = &facts_known[i];

      if (fact->type == FACT_TEXT)
        json_object_set_string_member (object, fact->key, (const char *) facts + fact->offset);
      else if (fact->type == FACT_FLAG)
        json_object_set_boolean_member (object, fact->key, get_number (fact, facts) > 0);
      else if (get_number (fact, facts) > 0)
        json_object_set_double_member (object, fact->key, get_number (fact, facts));
      else
        json_object_set_null_member (object, fact->key);
    }
}

/* As much as there is room for, and no part of a character. */
static void
copy_text (char *to, const char *text, gsize size)
{
  const char *end;

  g_strlcpy (to, text, size);
  if (!g_utf8_validate (to, -1, &end))
    to[end - to] = '\0';
}

void
es_machine_facts_from_json (JsonObject *object, EskLabMachine *facts)
{
  *facts = (EskLabMachine) { 0 };
  for (guint i = 0; i < G_N_ELEMENTS (facts_known); i++)
    {
      const Fact *fact = &facts_known[i];

      if (fact->type == FACT_TEXT)
        {
          const char *text = es_saved_get_text (object, fact->key, "");

          if (g_utf8_validate (text, -1, NULL))
            copy_text ((char *) facts + fact->offset, text, fact->size);
        }
      else if (fact->type == FACT_FLAG)
        set_number (fact, facts, es_saved_get_flag (object, fact->key));
      else
        set_number (fact, facts, es_saved_get_number (object, fact->key, 0));
    }
}

static char *
format_number (const Fact *fact, double value)
{
  switch (fact->type)
    {
    case FACT_BYTES:
      return es_shown_bytes (value);
    case FACT_MEMORY:
      return g_format_size ((guint64) value);
    case FACT_HERTZ:
      return value >= 1e9 ? g_strdup_printf (_("%.2f GHz"), value * 1e-9)
                          : g_strdup_printf (_("%.0f MHz"), value * 1e-6);
    case FACT_FLAG:
      return g_strdup (value > 0 ? _("yes") : _("no"));
    case FACT_TEXT:
    case FACT_COUNT:
    default:
      return g_strdup_printf ("%'.0f", value);
    }
}

char **
es_machine_facts_for_people (const EskLabMachine *facts)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < G_N_ELEMENTS (facts_known); i++)
    {
      const Fact *fact = &facts_known[i];
      const char *text = (const char *) facts + fact->offset;
      g_autofree char *number = fact->type != FACT_TEXT ? format_number (fact, get_number (fact, facts)) : NULL;

      /* What is unknown is not told; nor is what a machine is not. */
      if (fact->type == FACT_TEXT ? *text == '\0' : !(get_number (fact, facts) > 0))
        continue;
      /* A processor's driver is the system. */
      g_strv_builder_add (builder, strcmp (fact->key, "driver") == 0 && strcmp (facts->id, "cpu") == 0
                                   ? _("Kernel of the system") : g_dgettext (GETTEXT_PACKAGE, fact->title));
      g_strv_builder_add (builder, number != NULL ? number : text);
    }
  return g_strv_builder_end (builder);
}
