/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Axes on pictures of fields, and pages of a PDF: a module has them, which alone needs cairo and pango, and is loaded
 * for the first one. */

#include <gmodule.h>

#include "base/es-installed.h"
#include "axes/es-figure-draw.h"
#include "es-batch.h"
#include "page/es-drawing.h"

#define MODULE "libeigenscope-figure.so"

/* NULL: there is none, or it is another one's. */
static gpointer
load (const char *name)
{
  g_autofree char *path = es_installed_find_module ("../render", MODULE);
  GModule *module = path != NULL ? g_module_open (path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL) : NULL;
  gpointer entry;

  if (module == NULL)
    return NULL;
  if (!g_module_symbol (module, name, &entry))
    {
      g_module_close (module);
      return NULL;
    }
  g_module_make_resident (module);
  return entry;
}

static gboolean
draw (const EsFigure *figure, EsFigureImage *image)
{
  static EsFigureDraw entry;
  static gsize loaded;

  if (g_once_init_enter (&loaded))
    {
      entry = (EsFigureDraw) load (ES_FIGURE_ENTRY);
      g_once_init_leave (&loaded, 1);
    }
  return entry != NULL && entry (figure, image);
}

static gboolean
print (EsDrawing * const *pages, guint n, GByteArray *contents)
{
  static EsDrawingPrint entry;
  static gsize loaded;

  if (g_once_init_enter (&loaded))
    {
      entry = (EsDrawingPrint) load (ES_DRAWING_PRINT_ENTRY);
      g_once_init_leave (&loaded, 1);
    }
  return entry != NULL && entry (pages, n, contents);
}

void
es_batch_use_figures (void)
{
  es_figure_set_draw (draw);
  es_drawing_set_print (print);
}
