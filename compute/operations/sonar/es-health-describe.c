/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What was found, as words, a table, a curve and values. */

#include "es-health-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-sonar-operations-internal.h"

#define MOST_NAMES 8
#define TROUBLE (ES_FINDING_DEAD | ES_FINDING_REVERSED | ES_FINDING_LATE | ES_FINDING_EARLY | ES_FINDING_NOISY \
                 | ES_FINDING_HOT | ES_FINDING_QUIET | ES_FINDING_CLIPPED)

/* In the order of the flags. `says` is without plural forms of its own: its caller has two of them. */
static const struct
{
  const char *id, *word, *one, *several;
} kinds[ES_N_FINDINGS] = {
  { "dead", N_("dead"), N_("Element %s is dead."), N_("Elements %s are dead.") },
  { "reversed", N_("reversed"), N_("Element %s is reversed."), N_("Elements %s are reversed.") },
  { "late", N_("late"), N_("Element %s is late."), N_("Elements %s are late.") },
  { "early", N_("early"), N_("Element %s is early."), N_("Elements %s are early.") },
  { "noisy", N_("noisy"), N_("Element %s hears what its neighbours do not hear."),
    N_("Elements %s hear what their neighbours do not hear.") },
  { "hot", N_("hot"), N_("Element %s is louder than its neighbours."),
    N_("Elements %s are louder than their neighbours.") },
  { "quiet", N_("quiet"), N_("Element %s is quieter than its neighbours."),
    N_("Elements %s are quieter than their neighbours.") },
  { "clipped", N_("clipped"), N_("Element %s is clipped."), N_("Elements %s are clipped.") },
  { "left-out", N_("left out"), N_("Element %s is left out."), N_("Elements %s are left out.") },
};

char *
es_health_describe (const EsElementFinding *finding)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ES_N_FINDINGS; i++)
    if (finding->flags & 1u << i)
      /* Translators: between two findings of a hydrophone: "reversed, hot". */
      g_string_append_printf (text, "%s%s", text->len > 0 ? _(", ") : "", _(kinds[i].word));
  if (text->len == 0)
    g_string_append (text, isfinite (finding->polarity) ? _("fine") : _("cannot be judged"));
  return g_string_free (text, FALSE);
}

/* ---- sentences ---- */

static void
append_name (GString *names, EsArray *array, guint element)
{
  const char *name = array != NULL ? es_array_get_elements (array)[element].name : NULL;

  if (name != NULL)
    g_string_append (names, name);
  else
    g_string_append_printf (names, "%u", element + 1);
}

/* "5, 8 and 12" of the elements with that flag; NULL: none has it. */
static char *
name_elements (const EsElementFinding *findings, guint n, EsArray *array, guint flag, guint *found)
{
  GString *names = g_string_new (NULL);
  guint done = 0;

  *found = 0;
  for (guint i = 0; i < n; i++)
    *found += (findings[i].flags & flag) != 0;
  for (guint i = 0; i < n && done < MIN (*found, MOST_NAMES); i++)
    if (findings[i].flags & flag)
      {
        if (done > 0)
          /* Translators: between names of elements; the second one before the last: "5, 8 and 12". */
          g_string_append (names, done + 1 < *found ? _(", ") : _(" and "));
        append_name (names, array, i);
        done++;
      }
  if (*found > MOST_NAMES)
    g_string_append (names, " …");
  return g_string_free (names, *found == 0);
}

static const char *
tell_outcome (EsCheckOutcome outcome, gboolean has_places)
{
  if (!has_places)
    return _("Polarity and delay cannot be judged: nobody has said where the hydrophones are.");
  switch (outcome)
    {
    case ES_CHECK_FEW:
      return _("Polarity and delay cannot be judged: that takes three hydrophones.");
    case ES_CHECK_INCOHERENT:
      return _("Polarity and delay cannot be judged: neighbours hear next to nothing in common in this band.");
    case ES_CHECK_FAR:
      return _("Polarity and delay cannot be judged: neighbours are too far apart for this band.");
    default:
      return NULL;
    }
}

/* One a kind of trouble, transfer full. */
static GPtrArray *
make_sentences (const EsElementFinding *findings, guint n, EsArray *array)
{
  GPtrArray *sentences = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < ES_N_FINDINGS; i++)
    {
      guint found;
      g_autofree char *names = TROUBLE & 1u << i ? name_elements (findings, n, array, 1u << i, &found) : NULL;

      if (names != NULL)
        {
          const char *format = found == 1 ? _(kinds[i].one) : _(kinds[i].several);
          g_auto (GStrv) parts = g_strsplit (format, "%s", 2);

          g_ptr_array_add (sentences, g_strconcat (parts[0], names, parts[0] != NULL ? parts[1] : NULL, NULL));
        }
    }
  return sentences;
}

char *
es_health_get_summary (EsResult *result)
{
  JsonObject *values = es_result_get_values (result);

  return g_strdup (json_object_get_string_member_with_default (values, "summary", ""));
}

/* ---- remedies ---- */

EsRemedy
es_health_get_remedy (const EsElementFinding *finding)
{
  if (finding->flags & ES_FINDING_LEFT_OUT)
    return ES_REMEDY_NONE;
  if (finding->flags & (ES_FINDING_DEAD | ES_FINDING_NOISY | ES_FINDING_LATE | ES_FINDING_EARLY))
    return ES_REMEDY_LEAVE_OUT;
  return finding->flags & ES_FINDING_REVERSED ? ES_REMEDY_MEND_SIGN : ES_REMEDY_NONE;
}

EsArray *
es_health_mend_one (EsArray *array, const EsElementFinding *findings, guint element)
{
  const EsRemedy remedy = element < es_array_get_n_elements (array) ? es_health_get_remedy (&findings[element])
                                                                    : ES_REMEDY_NONE;

  if (remedy == ES_REMEDY_LEAVE_OUT)
    return es_array_with_dead (array, element, TRUE);
  if (remedy == ES_REMEDY_MEND_SIGN)
    return es_array_with_gain (array, element, -es_array_get_elements (array)[element].gain);
  return es_array_ref (array);
}

EsArray *
es_health_mend (EsArray *array, const EsElementFinding *findings, guint n)
{
  EsArray *mended = es_array_ref (array);

  for (guint i = 0; i < n; i++)
    {
      EsArray *next = es_health_mend_one (mended, findings, i);

      es_array_unref (mended);
      mended = next;
    }
  return mended;
}

/* ---- layers ---- */

static double
percent (guint64 part, const EsElementHealth *health)
{
  return health->samples > 0 ? 100.0 * part / health->samples : NAN;
}

static double
get_offset (EsHealth *self, guint element)
{
  const EsHealthCount *count = &self->counts[element];
  const guint64 finite = count->health.samples - count->health.not_finite;

  return finite > 0 ? 100 * count->sum / finite : NAN;
}

static EsTable *
make_table (EsHealth *self)
{
  EsTable *table = es_table_new ("elements", _("Elements"));

  es_table_add_column (table, _("Element"), NULL, 0);
  es_table_add_column (table, _("Name"), NULL, -1);
  es_table_add_column (table, _("Finding"), NULL, -1);
  es_table_add_column (table, _("Level"), "dB", 2);
  es_table_add_column (table, _("Beside neighbours"), "dB", 2);
  es_table_add_column (table, _("Coherence"), NULL, 3);
  es_table_add_column (table, _("Polarity"), NULL, 0);
  es_table_add_column (table, _("Delay"), "µs", 2);
  es_table_add_column (table, _("Delay, error"), "µs", 2);
  es_table_add_column (table, _("Delay"), _("samples"), 3);
  es_table_add_column (table, _("Confidence"), "%", 1);
  es_table_add_column (table, _("Neighbours"), NULL, 0);
  es_table_add_column (table, _("Clipped"), "%", 3);
  es_table_add_column (table, _("Zero"), "%", 3);
  es_table_add_column (table, _("Held"), "%", 3);
  es_table_add_column (table, _("No numbers"), "%", 3);
  es_table_add_column (table, _("Offset"),
                       /* xgettext:no-c-format */
                       _("% of full scale"), 4);
  for (guint i = 0; i < self->settings.n; i++)
    {
      const EsElementFinding *f = &self->findings[i];
      const EsHealthCount *count = &self->counts[i];
      const char *name = self->array != NULL ? es_array_get_elements (self->array)[i].name : NULL;
      g_autofree char *finding = es_health_describe (f);
      const double number = i + 1, delay = f->delay * 1e6, error = f->delay_error * 1e6;
      const double samples = f->delay * self->settings.rate, confidence = 100 * f->confidence, pairs = f->n_pairs;
      const double clipped = percent (count->health.clipped, &count->health);
      const double zero = percent (count->zero, &count->health);
      const double held = percent (count->held, &count->health), offset = get_offset (self, i);
      const double lost = percent (count->health.not_finite, &count->health);
      const double level = isfinite (f->level) ? f->level : NAN;

      es_table_add_row (table, (gconstpointer[]) { &number, name != NULL ? name : "", finding, &level, &f->deviation,
                                                   &f->coherence, &f->polarity, &delay, &error, &samples, &confidence,
                                                   &pairs, &clipped, &zero, &held, &lost, &offset });
    }
  return table;
}

static EsCurve *
make_curve (EsHealth *self)
{
  const guint n = self->settings.n;
  g_autofree double *x = g_new (double, n), *y = g_new (double, n);

  for (guint i = 0; i < n; i++)
    {
      x[i] = i + 1;
      y[i] = isfinite (self->findings[i].level) ? self->findings[i].level : NAN;
    }
  EsCurve *curve = es_curve_new ("levels", _("Levels of elements"), "levels", n, x, _("Element"), NULL);
  es_curve_add_series (curve, _("Level"), "dB", ES_CURVE_LINE, FALSE, y);
  return curve;
}

/* ---- values ---- */

static void
add_number (JsonObject *object, const char *key, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, key, value);
  else
    json_object_set_null_member (object, key);
}

static JsonArray *
make_elements (EsHealth *self)
{
  JsonArray *elements = json_array_sized_new (self->settings.n);

  for (guint i = 0; i < self->settings.n; i++)
    {
      const EsElementFinding *f = &self->findings[i];
      const char *name = self->array != NULL ? es_array_get_elements (self->array)[i].name : NULL;
      JsonObject *element = json_object_new ();
      JsonArray *found = json_array_new ();

      for (guint k = 0; k < ES_N_FINDINGS; k++)
        if (f->flags & 1u << k)
          json_array_add_string_element (found, kinds[k].id);
      if (json_array_get_length (found) == 0)
        json_array_add_string_element (found, isfinite (f->polarity) ? "fine" : "not-judged");
      json_object_set_int_member (element, "element", i + 1);
      if (name != NULL)
        json_object_set_string_member (element, "name", name);
      json_object_set_array_member (element, "findings", found);
      add_number (element, "level_db", f->level);
      add_number (element, "coherence", f->coherence);
      add_number (element, "polarity", f->polarity);
      add_number (element, "delay_us", f->delay * 1e6);
      add_number (element, "delay_error_us", f->delay_error * 1e6);
      add_number (element, "confidence", f->confidence);
      json_array_add_object_element (elements, element);
    }
  return elements;
}

static JsonObject *
make_values (EsHealth *self, const char *summary, guint in_trouble)
{
  const EsHealthSettings *settings = &self->settings;
  const double spacing = settings->rate / settings->length;
  JsonObject *values = json_object_new ();

  json_object_set_string_member (values, "summary", summary);
  json_object_set_int_member (values, "elements_in_trouble", in_trouble);
  json_object_set_double_member (values, "band_low_hz", settings->first_bin * spacing);
  json_object_set_double_member (values, "band_high_hz", (settings->first_bin + settings->bins - 1) * spacing);
  json_object_set_int_member (values, "snapshots", settings->count);
  json_object_set_double_member (values, "snapshot_seconds", settings->length / settings->rate);
  json_object_set_double_member (values, "stretch_seconds", settings->frames / settings->rate);
  json_object_set_boolean_member (values, "spread", settings->spread);
  json_object_set_array_member (values, "elements", make_elements (self));
  return values;
}

/* ---- the result ---- */

typedef struct
{
  guint             n;
  EsElementFinding *findings;
} State;

static void
state_free (gpointer data)
{
  State *state = data;

  g_free (state->findings);
  g_free (state);
}

const EsElementFinding *
es_health_get_findings (EsResult *result, guint *n)
{
  const State *state = es_result_get_operation (result) == &es_operation_health ? es_result_get_state (result) : NULL;

  *n = state != NULL ? state->n : 0;
  return state != NULL ? state->findings : NULL;
}

EsResult *
es_health_publish (EsHealth *self, const EsOperation *operation)
{
  const guint n = self->settings.n;
  EsResult *result = es_result_new (operation, ES_DATASET (self->recording), self->params);
  g_autoptr (GPtrArray) sentences = make_sentences (self->findings, n, self->array);
  const char *outcome = tell_outcome (self->outcome, self->array != NULL);
  g_autoptr (EsTable) table = make_table (self);
  g_autoptr (EsCurve) curve = make_curve (self);
  State *state = g_new (State, 1);
  guint in_trouble = 0, unjudged = 0;

  *state = (State) { n, g_memdup2 (self->findings, n * sizeof *self->findings) };
  es_result_set_state (result, state, state_free);
  for (guint i = 0; i < n; i++)
    {
      in_trouble += (self->findings[i].flags & TROUBLE) != 0;
      unjudged += (self->findings[i].flags & (TROUBLE | ES_FINDING_LEFT_OUT)) == 0
                  && !isfinite (self->findings[i].polarity);
    }
  g_autofree char *title =
    in_trouble > 0 ? g_strdup_printf (ngettext ("Array health: trouble with %u of %u element",
                                                "Array health: trouble with %u of %u elements", n), in_trouble, n)
    : unjudged > 0 ? g_strdup_printf (ngettext ("Array health: %u of %u element cannot be judged",
                                                "Array health: %u of %u elements cannot be judged", n), unjudged, n)
    : g_strdup_printf (ngettext ("Array health: %u element, no trouble", "Array health: %u elements, no trouble", n),
                       n);
  es_result_set_title (result, title);
  for (guint i = 0; i < sentences->len; i++)
    es_result_add_warning (result, "%s", (const char *) g_ptr_array_index (sentences, i));
  if (outcome != NULL)
    {
      es_result_add_warning (result, "%s", outcome);
      g_ptr_array_add (sentences, g_strdup (outcome));
    }
  if (sentences->len == 0)
    g_ptr_array_add (sentences, g_strdup (unjudged > 0 ? _("Nothing is wrong with those that can be judged.")
                                                       : _("Nothing is wrong with any of them.")));
  g_ptr_array_add (sentences, NULL);
  g_autofree char *summary = g_strjoinv (" ", (char **) sentences->pdata);
  es_result_set_values (result, make_values (self, summary, in_trouble));
  es_result_add_layer (result, ES_LAYER (table));
  es_result_add_layer (result, ES_LAYER (curve));
  return result;
}
