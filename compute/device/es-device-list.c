/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which devices there are. GPUs are looked for once, when somebody asks, or in the background of a program that has a
 * window to show meanwhile. */

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-device-private.h"
#include "base/es-error.h"

/* What the search has found; does not change after it. */
static GPtrArray *found;       /* of EsDevice: GPUs, all of them together, the CPU */
static char *why_none;         /* translated; NULL where there is a GPU */
static int searched;           /* atomic */

static GMutex list_lock;
static GListStore *list;
static gboolean list_is_full;
static int in_background;      /* atomic */
static gboolean announced;     /* nothing is loaded yet: thread_ended tells when it may be; under the lock */
static guint n_threads;        /* that search, measure or choose, under the lock */
static int n_alone;             /* solvers that nobody waits for; atomic */
static GCond thread_ended;
static gboolean stopped;       /* under the lock */

EsDevice *
es_device_get_cpu (void)
{
  static EsDevice *cpu;

  if (g_once_init_enter (&cpu))
    g_once_init_leave (&cpu, es_device_new_cpu ());
  return cpu;
}

/* Before the libraries of a card are loaded. Without the lock where nothing was announced: who asks may hold it. */
static void
wait_for_go (void)
{
  if (!g_atomic_int_get (&in_background))
    return;
  g_mutex_lock (&list_lock);
  while (announced)
    g_cond_wait (&thread_ended, &list_lock);
  g_mutex_unlock (&list_lock);
}

static void
search_now (void)
{
  static gsize once;
  const EskHotspots *hotspots;

  if (!g_once_init_enter (&once))
    return;

  g_autoptr (GPtrArray) devices = g_ptr_array_new ();
  hotspots = es_module_load (wait_for_go, &why_none);
  if (hotspots != NULL)
    {
      char why[512] = "";
      int n = hotspots->device->device_count (why, sizeof why);

      for (int i = 0; i < n; i++)
        {
          EsDevice *device = es_device_new_gpu (hotspots, i, n);
          if (device != NULL)
            g_ptr_array_add (devices, device);
        }
      if (devices->len > 1)
        g_ptr_array_add (devices, es_device_new_all_gpus (devices));
      else if (devices->len == 0)
        why_none = es_module_explain (_("No GPU can be used"), why);
    }
  g_ptr_array_add (devices, es_device_get_cpu ());
  found = g_steal_pointer (&devices);
  g_atomic_int_set (&searched, TRUE);
  g_once_init_leave (&once, 1);
}

/* With the lock held; the list has the CPU alone so far. Tells listeners in any case: the search is over. */
static void
fill_list (void)
{
  if (list_is_full)
    return;
  list_is_full = TRUE;
  if (found->len > 1)
    g_list_store_splice (list, 0, 0, found->pdata, found->len - 1);
  else
    g_list_model_items_changed (G_LIST_MODEL (list), 0, 0, 0);
}

static void
make_list (void)
{
  if (list == NULL)
    {
      list = g_list_store_new (ES_TYPE_DEVICE);
      g_list_store_append (list, es_device_get_cpu ());
    }
}

/* The main loop waits for nothing that only it can begin. */
static void
search (void)
{
  if (!g_atomic_int_get (&searched) && g_main_context_is_owner (g_main_context_default ()))
    es_devices_go ();
  search_now ();
}

GListModel *
es_devices_get (void)
{
  g_mutex_lock (&list_lock);
  make_list ();
  if (!g_atomic_int_get (&in_background) && !list_is_full)
    {
      search_now ();
      fill_list ();
    }
  g_mutex_unlock (&list_lock);
  return G_LIST_MODEL (list);
}

/* ---- in the background ---- */

static gboolean
publish (gpointer data)
{
  /* No lock: this is the only thread that changes the list now, and listeners ask for it. */
  fill_list ();
  return G_SOURCE_REMOVE;
}

void
es_devices_hold (void)
{
  g_mutex_lock (&list_lock);
  n_threads++;
  g_mutex_unlock (&list_lock);
}

gboolean
es_devices_try_hold (void)
{
  g_mutex_lock (&list_lock);
  const gboolean held = !stopped;
  n_threads += held;
  g_mutex_unlock (&list_lock);
  return held;
}

void
es_devices_release (void)
{
  g_mutex_lock (&list_lock);
  n_threads--;
  g_cond_broadcast (&thread_ended);
  g_mutex_unlock (&list_lock);
}

typedef struct
{
  void     (*work) (gpointer data);
  gpointer   data;
} Background;

static gpointer
background_thread (gpointer data)
{
  Background *background = data;

  background->work (background->data);
  g_free (background);
  es_devices_release ();
  return NULL;
}

static void
run_in_background_locked (void (*work) (gpointer data), gpointer data)
{
  Background *background = g_new (Background, 1);
  GThread *thread;

  *background = (Background) { work, data };
  thread = g_thread_try_new ("es-devices", background_thread, background, NULL);
  if (thread == NULL)
    {
      g_free (background);
      return;
    }
  n_threads++;
  g_thread_unref (thread);
}

void
es_devices_run_later (void (*work) (gpointer data), gpointer data)
{
  g_mutex_lock (&list_lock);
  if (!stopped)
    run_in_background_locked (work, data);
  g_mutex_unlock (&list_lock);
}

static void
search_and_measure (gpointer data)
{
  search_now ();
  g_idle_add_full (G_PRIORITY_DEFAULT, publish, NULL, NULL);
  /* The card that is likely to be used first; each costs memory of the card and the host. */
  if (found->len > 1)
    es_device_get_flops (g_ptr_array_index (found, 0));
}

static void
start (gboolean announce)
{
  g_mutex_lock (&list_lock);
  make_list ();
  if (!list_is_full && g_atomic_int_compare_and_exchange (&in_background, FALSE, TRUE))
    {
      announced = announce;
      run_in_background_locked (search_and_measure, NULL);
    }
  g_mutex_unlock (&list_lock);
}

void
es_devices_start (void)
{
  start (FALSE);
}

void
es_devices_announce (void)
{
  start (TRUE);
}

void
es_devices_go (void)
{
  g_mutex_lock (&list_lock);
  announced = FALSE;
  g_cond_broadcast (&thread_ended);
  g_mutex_unlock (&list_lock);
}

static void
measure_device (gpointer device)
{
  es_device_get_flops (device);
}

void
es_devices_measure_later (EsDevice *device)
{
  g_mutex_lock (&list_lock);
  run_in_background_locked (measure_device, device);
  g_mutex_unlock (&list_lock);
}

void
es_devices_prefer_quick_start (void)
{
  /* CUDA asks for it once, when it starts. A context has as many channels to its card, each of which takes 7 ms to be
   * made; streams share them, and lanes that wait for their copies use no more than two at once. */
  g_setenv ("CUDA_DEVICE_MAX_CONNECTIONS", "2", FALSE);
}

gboolean
es_devices_stop (void)
{
  g_mutex_lock (&list_lock);
  stopped = TRUE;
  announced = FALSE;
  g_cond_broadcast (&thread_ended);
  while (n_threads > 0)
    g_cond_wait (&thread_ended, &list_lock);
  g_mutex_unlock (&list_lock);
  return g_atomic_int_get (&n_alone) == 0;
}

static gpointer
leave_thread (gpointer hotspots)
{
  es_devices_stop ();
  ((const EskHotspots *) hotspots)->device->device_leave ();
  return NULL;
}

void
es_devices_leave (void)
{
  const EskHotspots *hotspots;
  GThread *thread;

  if (!es_devices_any_started ())
    return;
  /* Those of all cards are of one back end. */
  hotspots = es_device_get_hotspots (g_ptr_array_index (found, 0));
  thread = ESK_HAS (hotspots, device, device_leave)
           ? g_thread_try_new ("es-leave", leave_thread, (gpointer) hotspots, NULL) : NULL;
  if (thread != NULL)
    g_thread_unref (thread);
}

void
es_devices_begin_alone (void)
{
  g_atomic_int_inc (&n_alone);
}

void
es_devices_end_alone (void)
{
  g_atomic_int_add (&n_alone, -1);
}

gboolean
es_devices_must_not_wait (void)
{
  return g_atomic_int_get (&in_background) && g_main_context_is_owner (g_main_context_default ());
}

/* ---- finding ---- */

GPtrArray *
es_devices_list (void)
{
  GPtrArray *devices = g_ptr_array_new ();

  search ();
  for (guint i = 0; i < found->len; i++)
    if (!es_device_is_lost (g_ptr_array_index (found, i)))
      g_ptr_array_add (devices, g_ptr_array_index (found, i));
  return devices;
}

gboolean
es_devices_are_known (void)
{
  return g_atomic_int_get (&searched);
}

gboolean
es_devices_any_started (void)
{
  if (!g_atomic_int_get (&searched))
    return FALSE;
  for (guint i = 0; i < found->len; i++)
    {
      EsDevice *device = g_ptr_array_index (found, i);
      if (es_device_get_kind (device) == ES_DEVICE_GPU && !es_device_is_lost (device) && es_device_is_started (device))
        return TRUE;
    }
  return FALSE;
}

static EsDevice *
find_exactly (const char *id)
{
  for (guint i = 0; i < found->len; i++)
    if (strcmp (es_device_get_id (g_ptr_array_index (found, i)), id) == 0)
      return g_ptr_array_index (found, i);
  return NULL;
}

/* "cuda:0,2": several cards as one device, which is made when it is asked for the first time. NULL: it is no such
 * thing, or one of them is not there, or is named twice. */
static EsDevice *
find_some (const char *id)
{
  static GPtrArray *groups;              /* under the lock */
  const char *numbers = strchr (id, ':');
  g_auto (GStrv) words = numbers != NULL && strchr (numbers, ',') != NULL ? g_strsplit (numbers + 1, ",", -1) : NULL;
  g_autoptr (GPtrArray) gpus = g_ptr_array_new ();
  EsDevice *group = NULL;

  for (char **word = words; word != NULL && *word != NULL; word++)
    {
      g_autofree char *one = g_strdup_printf ("%.*s:%s", (int) (numbers - id), id, *word);
      EsDevice *gpu = find_exactly (one);

      if (gpu == NULL || es_device_get_kind (gpu) != ES_DEVICE_GPU || g_ptr_array_find (gpus, gpu, NULL))
        return NULL;
      g_ptr_array_add (gpus, gpu);
    }
  if (gpus->len < 2)
    return NULL;
  g_mutex_lock (&list_lock);
  if (groups == NULL)
    groups = g_ptr_array_new ();
  for (guint i = 0; i < groups->len && group == NULL; i++)
    if (strcmp (es_device_get_id (g_ptr_array_index (groups, i)), id) == 0)
      group = g_ptr_array_index (groups, i);
  if (group == NULL)
    g_ptr_array_add (groups, group = es_device_new_some_gpus (gpus, id));
  g_mutex_unlock (&list_lock);
  return group;
}

EsDevice *
es_device_find (const char *id, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  EsDevice *device;

  /* Nobody waits for GPUs to compute without one. */
  if (strcmp (id, "cpu") == 0)
    return es_device_get_cpu ();

  search ();
  device = find_exactly (id);
  if (device == NULL)
    device = find_some (id);
  if (device != NULL)
    return es_device_check_not_lost (device, error) ? device : NULL;
  for (guint i = 0; i < found->len; i++)
    g_string_append_printf (known, "%s%s", i == 0 ? "" : ", ", es_device_get_id (g_ptr_array_index (found, i)));

  if (why_none != NULL)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                 _("There is no device “%s”; there is %s only. %s."), id, known->str, why_none);
  else
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                 _("There is no device “%s”; there are %s."), id, known->str);
  return NULL;
}

const char *
es_devices_why_no_gpu (void)
{
  if (!g_atomic_int_get (&searched) && es_devices_must_not_wait ())
    return _("Looking for GPUs …");
  search ();
  return why_none;
}
