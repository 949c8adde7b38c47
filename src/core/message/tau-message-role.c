/* SPDX-License-Identifier: MIT */
#include "core/message/tau-message-role.h"

/* The registry is filled when an application starts and read whenever a session is loaded, which may be in a worker
 * thread; hence the lock. A found class stays valid until its role is unregistered. */

G_LOCK_DEFINE_STATIC (role_classes);
static GHashTable *role_classes; /* role → TauMessageRoleClass, both owned */

static void
role_class_free (gpointer data)
{
  TauMessageRoleClass *role_class = data;

  g_free ((char *) role_class->role);
  g_free ((char *) role_class->label);
  g_free (role_class);
}

/**
 * tau_message_role_register:
 * @role_class: describes the role; copied
 *
 * Makes an application's own kind of message readable. A role registered again replaces the former one; the built-in
 * roles cannot be replaced.
 */
void
tau_message_role_register (const TauMessageRoleClass *role_class)
{
  TauMessageRoleClass *copy;

  g_return_if_fail (role_class != NULL && role_class->role != NULL);
  g_return_if_fail (role_class->from_json != NULL && role_class->to_json != NULL);
  g_return_if_fail (tau_message_kind_from_role (role_class->role) == TAU_MESSAGE_KIND_OTHER);

  copy = g_memdup2 (role_class, sizeof *role_class);
  copy->role = g_strdup (role_class->role);
  copy->label = g_strdup (role_class->label);

  G_LOCK (role_classes);
  if (role_classes == NULL)
    role_classes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, role_class_free);
  g_hash_table_replace (role_classes, (gpointer) copy->role, copy);
  G_UNLOCK (role_classes);
}

/**
 * tau_message_role_unregister:
 * @role: a registered role
 *
 * Forgets @role; messages of it are read as unknown ones again.
 */
void
tau_message_role_unregister (const char *role)
{
  g_return_if_fail (role != NULL);

  G_LOCK (role_classes);
  if (role_classes != NULL)
    g_hash_table_remove (role_classes, role);
  G_UNLOCK (role_classes);
}

/**
 * tau_message_role_lookup:
 * @role: a role as it stands in a file
 *
 * Returns: (transfer none) (nullable): what was registered for @role
 */
const TauMessageRoleClass *
tau_message_role_lookup (const char *role)
{
  const TauMessageRoleClass *role_class = NULL;

  g_return_val_if_fail (role != NULL, NULL);

  G_LOCK (role_classes);
  if (role_classes != NULL)
    role_class = g_hash_table_lookup (role_classes, role);
  G_UNLOCK (role_classes);

  return role_class;
}
