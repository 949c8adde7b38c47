/* SPDX-License-Identifier: MIT */
#include "cli/tau-model-table.h"

#include <string.h>

#define N_COLUMNS 6

/* Not translated: scripts read this table, as they read pi's. */
static const char * const titles[N_COLUMNS] = { "provider", "model", "context", "max-out", "thinking", "images" };

/* 200000 → 200K, 8192 → 8.2K, 1048576 → 1.0M */
static char *
format_tokens (gint64 tokens)
{
  if (tokens >= 1000000)
    return tokens % 1000000 == 0 ? g_strdup_printf ("%" G_GINT64_FORMAT "M", tokens / 1000000)
                                 : g_strdup_printf ("%.1fM", (double) tokens / 1e6);
  if (tokens >= 1000)
    return tokens % 1000 == 0 ? g_strdup_printf ("%" G_GINT64_FORMAT "K", tokens / 1000)
                              : g_strdup_printf ("%.1fK", (double) tokens / 1e3);

  return g_strdup_printf ("%" G_GINT64_FORMAT, tokens);
}

static char **
make_row (TauModel *model)
{
  char **row = g_new0 (char *, N_COLUMNS + 1);

  row[0] = g_strdup (tau_model_get_provider (model));
  row[1] = g_strdup (tau_model_get_id (model));
  row[2] = format_tokens (tau_model_get_context_window (model));
  row[3] = format_tokens (tau_model_get_max_tokens (model));
  row[4] = g_strdup (tau_model_get_reasoning (model) ? "yes" : "no");
  row[5] = g_strdup (tau_model_accepts_images (model) ? "yes" : "no");

  return row;
}

/* All words of the search must occur, in any order and case. */
static gboolean
fits (TauModel   *model,
      const char *search)
{
  g_autofree char *name = g_strconcat (tau_model_get_provider (model), "/", tau_model_get_id (model), NULL);
  g_autofree char *folded = g_utf8_casefold (name, -1);
  g_autofree char *wanted = g_utf8_casefold (search, -1);
  g_auto(GStrv) words = g_strsplit_set (wanted, " \t", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (folded, words[i]) == NULL)
      return FALSE;

  return TRUE;
}

static int
compare_rows (gconstpointer a,
              gconstpointer b)
{
  char * const *first = *(char ** const *) a;
  char * const *second = *(char ** const *) b;
  int by_provider = strcmp (first[0], second[0]);

  return by_provider != 0 ? by_provider : strcmp (first[1], second[1]);
}

static void
append_row (GString            *table,
            const char * const *row,
            const guint        *widths)
{
  for (guint column = 0; column < N_COLUMNS; column++)
    {
      gboolean is_last = column == N_COLUMNS - 1;

      g_string_append_printf (table, "%-*s%s", is_last ? 0 : (int) widths[column], row[column], is_last ? "\n" : "  ");
    }
}

static void
widen (guint              *widths,
       const char * const *row)
{
  for (guint column = 0; column < N_COLUMNS; column++)
    widths[column] = MAX (widths[column], (guint) strlen (row[column]));
}

static void
free_row (gpointer row)
{
  g_strfreev (row);
}

/**
 * tau_model_table_format:
 * @models: (type GListModel(TauModel)): models
 * @search: (nullable): words that must occur in "provider/id"
 *
 * Returns: (transfer full): a table with one line of titles; "" if no model fits
 */
char *
tau_model_table_format (GListModel *models,
                        const char *search)
{
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func (free_row);
  GString *table = g_string_new (NULL);
  guint widths[N_COLUMNS] = { 0 };

  for (guint i = 0; i < g_list_model_get_n_items (models); i++)
    {
      g_autoptr(TauModel) model = g_list_model_get_item (models, i);

      if (search == NULL || fits (model, search))
        g_ptr_array_add (rows, make_row (model));
    }
  if (rows->len == 0)
    return g_string_free (table, FALSE);

  g_ptr_array_sort (rows, compare_rows);
  widen (widths, titles);
  for (guint i = 0; i < rows->len; i++)
    widen (widths, g_ptr_array_index (rows, i));

  append_row (table, titles, widths);
  for (guint i = 0; i < rows->len; i++)
    append_row (table, g_ptr_array_index (rows, i), widths);

  return g_string_free (table, FALSE);
}
