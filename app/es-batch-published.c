/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What was published: the list of tables, and tables. */

#include <glib/gi18n.h>
#include <string.h>

#include "es-batch-published.h"

/* What operations that climb ladders are called, before the ladder's name. */
#define LADDER "ladder-"

void
es_batch_print_published (guint i, EsTable *table, const char *what)
{
  const EsPublished *published = es_published_get (i);

  g_print ("%s  (%s)\n  %s: %s\n", published->title, published->id, published->source, published->hardware);
  if (published->note != NULL)
    g_print ("  %s\n", published->note);
  es_batch_print_table (table, "  ");
  if (what != NULL)
    g_print ("  [*] %s\n", what);
  for (guint m = 0; m < es_published_get_n_marks (i); m++)
    {
      const EsPublishedMark mark = es_published_get_mark (i, m);
      gboolean said = FALSE;

      for (guint other = 0; other < m; other++)
        said |= strcmp (es_published_get_mark (i, other).text, mark.text) == 0;
      if (!said && *mark.symbol != '\0')
        g_print ("  [%s] %s\n", mark.symbol, mark.text);
      else if (!said)
        g_print ("  %s\n", mark.text);
    }
}

void
es_batch_warn_published (void)
{
  g_autoptr (GError) error = NULL;

  if (!es_published_load (&error))
    g_printerr ("eigenscope-batch: %s\n", error->message);
}

static void
print_list (void)
{
  for (guint i = 0; i < es_published_get_n (); i++)
    {
      const EsPublished *published = es_published_get (i);
      g_autofree char *operations = g_strjoinv (", ", (char **) published->operations);

      g_print ("%s  %s\n    %s; %s", published->id, published->title, published->source, operations);
      if (published->ladder != NULL)
        g_print (", " LADDER "%s", published->ladder);
      g_print ("\n");
    }
}

/* name: of a table, an operation, or a ladder's operation. */
static gboolean
is_about (guint i, const char *name)
{
  const EsPublished *published = es_published_get (i);

  return strcmp (published->id, name) == 0 || es_published_is_about (i, name)
         || (published->ladder != NULL && g_str_has_prefix (name, LADDER)
             && strcmp (published->ladder, name + strlen (LADDER)) == 0);
}

static gboolean
is_chosen (guint i, int argc, char **argv)
{
  gboolean chosen = argc < 2;

  for (int a = 1; a < argc; a++)
    chosen |= is_about (i, argv[a]);
  return chosen;
}

/* A table by its id, or all of an operation. */
static gboolean
is_known (const char *name)
{
  for (guint i = 0; i < es_published_get_n (); i++)
    if (is_about (i, name))
      return TRUE;
  return FALSE;
}

static void
print_chosen (int argc, char **argv)
{
  gboolean first = TRUE;

  for (guint i = 0; i < es_published_get_n (); i++)
    if (is_chosen (i, argc, argv))
      {
        g_autoptr (EsTable) table = es_published_make_table (i);

        g_print ("%s", first ? "" : "\n");
        es_batch_print_published (i, table, NULL);
        first = FALSE;
      }
}

static void
print_json (int argc, char **argv)
{
  JsonNode *root = json_node_init_array (json_node_alloc (), json_array_new ());

  for (guint i = 0; i < es_published_get_n (); i++)
    if (is_chosen (i, argc, argv))
      json_array_add_element (json_node_get_array (root), es_published_to_json (i));
  es_batch_print_json (root);
}

int
es_batch_published (int argc, char **argv)
{
  gboolean json = FALSE;
  GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GError) error = NULL;

  if (!es_batch_parse_options (entries,
                               _("published [TABLE|OPERATION ...]: the tables of the theses that the program grew out "
                                 "of; without a name, their list."), &argc, &argv))
    return ES_EXIT_USAGE;
  if (!es_published_load (&error))
    return es_batch_fail (error);
  for (int i = 1; i < argc; i++)
    if (!is_known (argv[i]))
      return es_batch_usage (_("Nothing called “%s” was published; “eigenscope-batch published” lists the tables."),
                             argv[i]);
  if (json)
    print_json (argc, argv);
  else if (argc < 2)
    print_list ();
  else
    print_chosen (argc, argv);
  return ES_EXIT_DONE;
}
