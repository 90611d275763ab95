/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Strategies: the letters and numbers of gpu-lab.md, section 11; single letters are those of processors, and of cards
 * since. */

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-ladders.h"

static const EsStrategy strategies[] = {
  { "R_1", N_("Small arrays in registers"),
    N_("An array of a thread whose size is known to the compiler stays in registers while it is small.") },
  { "R_2", N_("Simpler loops"),
    N_("Merged or simpler loops leave the compiler indices that it can work out, and so registers.") },
  { "R_3", N_("Another operation"),
    N_("What cannot live in registers, as sorting, gives way to something that can: the mean for the median.") },
  { "R_4", N_("Compiled for the newest"),
    N_("A kernel compiled for the card that is there may use all its registers and instructions.") },
  { "R_5", N_("Registers for memory"),
    N_("Sums and parameters are kept in registers or come as arguments, and are not read and written over and over.") },
  { "S_1", N_("No bank conflicts"),
    N_("Words that a warp needs at once lie in different banks of shared memory: padded rows, or transposed ones.") },
  { "S_2", N_("Shared memory serves all"),
    N_("Reading one address by all lanes, or another one by each, costs shared memory the same.") },
  { "S_3", N_("Any order in shared memory"),
    N_("Neither order nor contiguity matters in shared memory as long as banks do not conflict.") },
  { "S_4", N_("The right threads"),
    N_("How many threads a block has, and in which shape, decides what they can share and how many are resident.") },
  { "S_5", N_("Shared for global memory"),
    N_("What several threads of a block need is read from memory once, and kept in shared memory.") },
  { "S_6", N_("More use of what was loaded"),
    N_("Each value that was brought in is used as often as possible before it is given up.") },
  { "S_7", N_("Little, many times"),
    N_("A small buffer of shared memory, filled again and again, leaves room for more resident warps.") },
  { "C_1", N_("Constants side by side"), N_("Constants that are read one after the other lie beside each other.") },
  { "C_2", N_("Constants for all lanes"), N_("One address for a whole warp is what constant memory is made for.") },
  { "C_3", N_("No constants by lane"),
    N_("Different addresses for each lane are served one after the other by constant memory: never.") },
  { "C_4", N_("Threads and constants"), N_("From some number of threads a block on, constants take longer.") },
  { "C_5", N_("Blocks and constants"), N_("How many blocks there are does not matter to constant memory.") },
  { "C_6", N_("Constant for global memory"),
    N_("What all threads read alike, and nobody writes, is quicker to have from constant memory.") },
  { "G_1", N_("Global memory serves all"),
    N_("Global memory serves one address for all lanes, or neighbouring ones, at once.") },
  { "G_2", N_("Wider elements"), N_("Elements of less than 4 bytes are read in groups of 4 or 8 bytes.") },
  { "G_3", N_("Neighbours read neighbours"),
    N_("Data are laid out so that the lanes of a warp read addresses beside each other.") },
  { "G_4", N_("Threads where nothing is contiguous"),
    N_("Where addresses are far apart, the number of threads a block is tried out.") },
  { "T_1", N_("Textures serve all"), N_("Texture memory serves one address for all lanes, and neighbouring ones.") },
  { "T_2", N_("Neighbours in textures"), N_("Order is irrelevant to textures; what lies together is cheap.") },
  { "T_3", N_("Threads and textures"), N_("Textures' thresholds of threads and blocks are small: ignored.") },
  { "T_4", N_("Textures where nothing is contiguous"),
    N_("Where addresses cannot be made contiguous, texture memory stands in for global memory.") },
  { "F", N_("Fused loops"), N_("Loops over the same data become one, so that data are read once.") },
  { "I", N_("Loops interchanged"), N_("The innermost loop runs along memory, and leaps are left to the outer ones.") },
  { "B", N_("Cache blocks"), N_("Work is cut into pieces whose data stay in a cache until they are done with.") },
  { "V", N_("Vectors"), N_("Instructions that work on 8 or 16 numbers at once.") },
  { "P", N_("Threads"), N_("All cores, each with a part of its own.") },
  { "H", N_("Symmetry"), N_("What is the same by symmetry is computed once: a triangle of the matrix.") },
  { "K", N_("Equal shares"),
    N_("The triangle is folded to a rectangle, so that every thread has as many entries as any other.") },
  { "M", N_("Merged kernels"), N_("Kernels that were launched in a loop become one: fewer launches, more work in "
                                  "each.") },
  { "Z", N_("Zero-copy"), N_("Small data are read from, and written to, the host's memory in place.") },
  { "D", N_("Dot products and tensor cores"),
    N_("Instructions that multiply and add whole rows or small matrices of small numbers.") },
  { "A", N_("Another algorithm"),
    N_("The same is found with less work: a fast transform, a recurrence instead of sines, symmetry of beams.") },
  { "L", N_("One plan for all"), N_("One call for many small works at once, planned beforehand.") },
};

guint
es_strategies_get_n (void)
{
  return G_N_ELEMENTS (strategies);
}

const EsStrategy *
es_strategies_get (guint i)
{
  g_return_val_if_fail (i < G_N_ELEMENTS (strategies), NULL);
  return &strategies[i];
}

const EsStrategy *
es_strategy_find (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (strategies); i++)
    if (g_strcmp0 (strategies[i].id, id) == 0)
      return &strategies[i];
  return NULL;
}

char **
es_strategies_split (const char *text)
{
  GStrvBuilder *builder = g_strv_builder_new ();
  g_auto (GStrv) words = g_strsplit_set (text != NULL ? text : "", " ,;+\t", -1);
  char **list;

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_strv_builder_add (builder, words[i]);
  list = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return list;
}
