/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory that a process may use is that of its control group, where the group has less than the machine. */
#include "config.h"

#include <glib/gstdio.h>

#include "base/es-memory-internal.h"

typedef struct { char *root; } Tree;

static void
add (Tree *tree, const char *group, const char *file, const char *text)
{
  g_autofree char *folder = g_build_filename (tree->root, group, NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
set_up (Tree *tree, gconstpointer data)
{
  tree->root = g_dir_make_tmp ("eigenscope-groups-XXXXXX", NULL);
  g_assert_nonnull (tree->root);
}

static void
tear_down (Tree *tree, gconstpointer data)
{
  const char *argv[] = { "rm", "-rf", tree->root, NULL };

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
  g_free (tree->root);
}

/* The unified hierarchy: the group's own limit, or that of one above it. */
static void
test_unified (Tree *tree, gconstpointer data)
{
  add (tree, "work/job/step", "memory.max", "max\n");
  g_assert_cmpuint (es_memory_allowed ("0::/work/job/step\n", tree->root), ==, G_MAXUINT64);
  add (tree, "work", "memory.max", "8589934592\n");
  g_assert_cmpuint (es_memory_allowed ("0::/work/job/step\n", tree->root), ==, 8589934592);
  add (tree, "work/job/step", "memory.max", "2147483648\n");
  g_assert_cmpuint (es_memory_allowed ("0::/work/job/step\n", tree->root), ==, 2147483648);
  g_assert_cmpuint (es_memory_allowed ("0::/elsewhere\n", tree->root), ==, G_MAXUINT64);
}

/* One hierarchy for each controller, and the group of the host that a container does not see. */
static void
test_separate (Tree *tree, gconstpointer data)
{
  add (tree, "memory/batch", "memory.limit_in_bytes", "4294967296\n");
  add (tree, "cpu/batch", "memory.limit_in_bytes", "1\n");
  g_assert_cmpuint (es_memory_allowed ("4:cpu,cpuacct:/batch\n3:memory:/batch\n0::/\n", tree->root), ==, 4294967296);
  add (tree, "memory", "memory.limit_in_bytes", "1073741824\n");
  g_assert_cmpuint (es_memory_allowed ("3:memory:/docker/0123abcd\n", tree->root), ==, 1073741824);
  /* Both mounted: the unified one lies beside the others. */
  add (tree, "unified/x", "memory.max", "536870912\n");
  g_assert_cmpuint (es_memory_allowed ("3:memory:/batch\n0::/x\n", tree->root), ==, 536870912);
}

/* What is no number, and no group. */
static void
test_damaged (Tree *tree, gconstpointer data)
{
  add (tree, "x", "memory.max", "");
  g_assert_cmpuint (es_memory_allowed ("0::/x\n", tree->root), ==, G_MAXUINT64);
  add (tree, "x", "memory.max", "-5\n");
  g_assert_cmpuint (es_memory_allowed ("0::/x\n", tree->root), ==, G_MAXUINT64);
  add (tree, "x", "memory.max", "99999999999999999999999\n");
  g_assert_cmpuint (es_memory_allowed ("0::/x\n", tree->root), ==, G_MAXUINT64);
  add (tree, "x", "memory.max", "4096\n");
  g_assert_cmpuint (es_memory_allowed ("", tree->root), ==, G_MAXUINT64);
  g_assert_cmpuint (es_memory_allowed ("0::\n0:/x\nmemory\n::", tree->root), ==, G_MAXUINT64);
  g_assert_cmpuint (es_memory_allowed ("0::/y/../x\n", tree->root), ==, G_MAXUINT64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/memory/unified", Tree, NULL, set_up, test_unified, tear_down);
  g_test_add ("/memory/separate", Tree, NULL, set_up, test_separate, tear_down);
  g_test_add ("/memory/damaged", Tree, NULL, set_up, test_damaged, tear_down);
  return g_test_run ();
}
