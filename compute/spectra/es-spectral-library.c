/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-spectra-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-text-show.h"
#include "saving/es-inputs-internal.h"

struct _EsSpectralLibrary
{
  GObject    parent_instance;

  char      *name, *format, *unit;
  GPtrArray *spectra;          /* of EsSpectrum */
  GPtrArray *notes;            /* of char *, NULL-terminated */
  EsInputs  *held;             /* nullable */
};

static void list_model_init (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (EsSpectralLibrary, es_spectral_library, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
es_spectral_library_finalize (GObject *object)
{
  EsSpectralLibrary *self = ES_SPECTRAL_LIBRARY (object);

  g_free (self->name);
  g_free (self->format);
  g_free (self->unit);
  g_ptr_array_unref (self->spectra);
  g_ptr_array_unref (self->notes);
  g_clear_pointer (&self->held, es_inputs_release);
  G_OBJECT_CLASS (es_spectral_library_parent_class)->finalize (object);
}

static void
es_spectral_library_class_init (EsSpectralLibraryClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_spectral_library_finalize;
}

static void
es_spectral_library_init (EsSpectralLibrary *self)
{
  self->spectra = g_ptr_array_new_with_free_func (g_object_unref);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->notes, NULL);
}

static GType
get_item_type (GListModel *model)
{
  return ES_TYPE_SPECTRUM;
}

static guint
get_n_items (GListModel *model)
{
  return ES_SPECTRAL_LIBRARY (model)->spectra->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  EsSpectralLibrary *self = ES_SPECTRAL_LIBRARY (model);

  return position < self->spectra->len ? g_object_ref (g_ptr_array_index (self->spectra, position)) : NULL;
}

static void
list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

EsSpectralLibrary *
es_spectral_library_new (const char *name)
{
  EsSpectralLibrary *self = g_object_new (ES_TYPE_SPECTRAL_LIBRARY, NULL);

  self->name = es_text_show (name);
  return self;
}

void
es_spectral_library_add (EsSpectralLibrary *self, EsSpectrum *spectrum)
{
  g_ptr_array_add (self->spectra, g_object_ref (spectrum));
}

void
es_spectral_library_set_unit (EsSpectralLibrary *self, const char *unit)
{
  g_free (self->unit);
  self->unit = unit != NULL && *unit != '\0' ? es_text_show (unit) : NULL;
}

void
es_spectral_library_set_format (EsSpectralLibrary *self, const char *format)
{
  g_free (self->format);
  self->format = g_strdup (format);
}

/* Each is said once, however many spectra it is of. */
void
es_spectral_library_add_note (EsSpectralLibrary *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *note = es_text_show (text);
  for (guint i = 0; i + 1 < self->notes->len; i++)
    if (g_str_equal (g_ptr_array_index (self->notes, i), note))
      return;
  g_ptr_array_insert (self->notes, (int) self->notes->len - 1, g_steal_pointer (&note));
}

void
es_spectral_library_hold (EsSpectralLibrary *self, GPtrArray *files)
{
  g_autofree GFile **list = g_new0 (GFile *, files->len + 1);

  for (guint i = 0; i < files->len; i++)
    list[i] = g_ptr_array_index (files, i);
  g_clear_pointer (&self->held, es_inputs_release);
  self->held = es_inputs_hold (list);
}

const char *
es_spectral_library_get_name (EsSpectralLibrary *self)
{
  return self->name;
}

const char *
es_spectral_library_get_format (EsSpectralLibrary *self)
{
  return self->format;
}

const char *
es_spectral_library_get_unit (EsSpectralLibrary *self)
{
  return self->unit;
}

const char *const *
es_spectral_library_get_notes (EsSpectralLibrary *self)
{
  return (const char *const *) self->notes->pdata;
}

guint
es_spectral_library_get_n (EsSpectralLibrary *self)
{
  return self->spectra->len;
}

EsSpectrum *
es_spectral_library_get (EsSpectralLibrary *self, guint i)
{
  g_return_val_if_fail (i < self->spectra->len, NULL);
  return g_ptr_array_index (self->spectra, i);
}

EsSpectralAxis *
es_spectral_library_get_axis (EsSpectralLibrary *self)
{
  EsSpectralAxis *axis = self->spectra->len > 0 ? es_spectrum_get_axis (g_ptr_array_index (self->spectra, 0)) : NULL;

  for (guint i = 1; i < self->spectra->len; i++)
    if (!es_spectral_axis_equal (es_spectrum_get_axis (g_ptr_array_index (self->spectra, i)), axis))
      return NULL;
  return axis;
}

char *
es_spectral_library_describe (EsSpectralLibrary *self)
{
  double low = INFINITY, high = -INFINITY;
  guint fewest = G_MAXUINT, most = 0;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->spectra->len; i++)
    {
      const EsSpectralAxis *axis = es_spectrum_get_axis (g_ptr_array_index (self->spectra, i));
      const double *wavelengths = es_spectral_axis_get_wavelengths (axis);
      const guint n = es_spectral_axis_get_n (axis), *order = es_spectral_axis_get_order (axis);

      fewest = MIN (fewest, n);
      most = MAX (most, n);
      if (wavelengths != NULL && n > 0)
        {
          low = MIN (low, wavelengths[order[0]]);
          high = MAX (high, wavelengths[order[n - 1]]);
        }
    }
  g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "%u spectrum", "%u spectra", self->spectra->len),
                          self->spectra->len);
  if (self->spectra->len > 0)
    {
      g_string_append (text, ", ");
      if (fewest == most)
        g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "%u band", "%u bands", most), most);
      else
        g_string_append_printf (text, _("%u to %u bands"), fewest, most);
      if (low <= high)
        g_string_append_printf (text, ", %.6g – %.6g nm", low, high);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
