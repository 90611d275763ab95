/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-hands.h"

#include <dlfcn.h>
#include <math.h>

#include "es-test-shell.h"

#define DRAG_STEPS 8

static struct
{
  void         *display;
  unsigned char (*get_code) (void *, unsigned long);
  int           (*press) (void *, unsigned, int, unsigned long);
  int           (*push) (void *, unsigned, int, unsigned long);
  int           (*move) (void *, int, int, int, unsigned long);
  int           (*focus) (void *, unsigned long, int, unsigned long);
  int           (*sync) (void *, int);
  int           (*place) (void *, unsigned long, unsigned long, int, int, int *, int *, unsigned long *);
  unsigned long (*get_root) (void *);
  int           (*raise) (void *, unsigned long);
  unsigned long (*get_window) (GdkSurface *);
} hands;

gboolean
es_test_has_hands (void)
{
  void *(*open_display) (const char *);
  void *x11 = dlopen ("libX11.so.6", RTLD_NOW), *xtst = dlopen ("libXtst.so.6", RTLD_NOW);

  if (hands.display != NULL)
    return TRUE;
  *(void **) &hands.get_window = dlsym (RTLD_DEFAULT, "gdk_x11_surface_get_xid");
  if (x11 == NULL || xtst == NULL || hands.get_window == NULL)
    return FALSE;
  *(void **) &open_display = dlsym (x11, "XOpenDisplay");
  *(void **) &hands.get_code = dlsym (x11, "XKeysymToKeycode");
  *(void **) &hands.focus = dlsym (x11, "XSetInputFocus");
  *(void **) &hands.sync = dlsym (x11, "XSync");
  *(void **) &hands.place = dlsym (x11, "XTranslateCoordinates");
  *(void **) &hands.get_root = dlsym (x11, "XDefaultRootWindow");
  *(void **) &hands.raise = dlsym (x11, "XRaiseWindow");
  *(void **) &hands.press = dlsym (xtst, "XTestFakeKeyEvent");
  *(void **) &hands.push = dlsym (xtst, "XTestFakeButtonEvent");
  *(void **) &hands.move = dlsym (xtst, "XTestFakeMotionEvent");
  hands.display = open_display (NULL);
  return hands.display != NULL;
}

static gboolean
is_active (gpointer window)
{
  return gtk_window_is_active (window);
}

static unsigned long
xid_of (GtkWidget *widget)
{
  return hands.get_window (gtk_native_get_surface (gtk_widget_get_native (widget)));
}

/* What has been done arrives, and what comes of it is on the screen. */
static void
arrive (void)
{
  hands.sync (hands.display, 0);
  for (guint i = 0; i < 6; i++)
    {
      g_usleep (8000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
}

static void
hold (GdkModifierType modifiers, int down)
{
  static const struct { GdkModifierType modifier; guint key; } keys[] = {
    { GDK_CONTROL_MASK, GDK_KEY_Control_L }, { GDK_SHIFT_MASK, GDK_KEY_Shift_L }, { GDK_ALT_MASK, GDK_KEY_Alt_L },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (modifiers & keys[i].modifier)
      hands.press (hands.display, hands.get_code (hands.display, keys[i].key), down, 0);
}

void
es_test_press (GtkWindow *window, guint key, GdkModifierType modifiers)
{
  const unsigned code = hands.get_code (hands.display, key);

  hands.focus (hands.display, xid_of (GTK_WIDGET (window)), 1, 0);
  hands.sync (hands.display, 0);
  ES_TEST_WAIT (is_active, window);
  hold (modifiers, 1);
  hands.press (hands.display, code, 1, 0);
  hands.press (hands.display, code, 0, 0);
  hold (modifiers, 0);
  arrive ();
}

static void
find_place (GtkWidget *widget, double x, double y, int *left, int *top)
{
  GtkNative *native = gtk_widget_get_native (widget);
  double surface_x, surface_y, window_x, window_y;
  unsigned long child;

  g_assert_true (gtk_widget_translate_coordinates (widget, GTK_WIDGET (native), x, y, &window_x, &window_y));
  gtk_native_get_surface_transform (native, &surface_x, &surface_y);
  hands.place (hands.display, xid_of (widget), hands.get_root (hands.display), (int) round (window_x + surface_x),
               (int) round (window_y + surface_y), left, top, &child);
}

void
es_test_point (GtkWidget *widget, double x, double y)
{
  int left, top;

  hands.raise (hands.display, xid_of (widget));
  find_place (widget, x, y, &left, &top);
  hands.move (hands.display, -1, left - 3, top - 3, 0);
  hands.move (hands.display, -1, left, top, 0);
  arrive ();
}

void
es_test_click (GtkWidget *widget, double x, double y, guint button, guint times)
{
  es_test_point (widget, x, y);
  for (guint i = 0; i < times; i++)
    {
      hands.push (hands.display, button, 1, 0);
      hands.push (hands.display, button, 0, 0);
      arrive ();
    }
}

void
es_test_wheel (GtkWidget *widget, double x, double y, gboolean up, GdkModifierType modifiers)
{
  es_test_point (widget, x, y);
  hold (modifiers, 1);
  hands.push (hands.display, up ? 4 : 5, 1, 0);
  hands.push (hands.display, up ? 4 : 5, 0, 0);
  hold (modifiers, 0);
  arrive ();
}

void
es_test_drag (GtkWidget *widget, double x, double y, GtkWidget *to, double to_x, double to_y, guint button)
{
  int from[2], end[2];

  es_test_point (widget, x, y);
  find_place (widget, x, y, &from[0], &from[1]);
  find_place (to, to_x, to_y, &end[0], &end[1]);
  hands.push (hands.display, button, 1, 0);
  arrive ();
  for (int i = 1; i <= DRAG_STEPS; i++)
    {
      hands.move (hands.display, -1, from[0] + (end[0] - from[0]) * i / DRAG_STEPS,
                  from[1] + (end[1] - from[1]) * i / DRAG_STEPS, 0);
      arrive ();
    }
  hands.push (hands.display, button, 0, 0);
  arrive ();
}
