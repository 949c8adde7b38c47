/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "core/llm/tau-extra-trust.h"

#include "core/base/tau-paths.h"
#include "core/config/tau-settings.h"

#include <glib/gi18n-lib.h>

/* Certificate authorities that the user trusts beside those of the system, such as that of a company's proxy. Process-wide,
 * main thread; set at the start and when the files of the agent folder are read again. What the system trusts needs none
 * of this: GIO asks it by itself. */
static GTlsDatabase *extra_trust;

/**
 * tau_extra_trust_set:
 * @path: (nullable): a file of certificates (PEM), absolute; %NULL to trust the system's only
 * @error: return location: the file cannot be read or holds no certificate
 *
 * Says which authorities are trusted beside those of the system.
 *
 * Returns: whether they are; if not, only the system's are
 */
gboolean
tau_extra_trust_set (const char *path,
                     GError    **error)
{
  g_autofree char *text = NULL;

  g_clear_object (&extra_trust);
  if (path == NULL)
    return TRUE;
  /* The database itself takes a file that is not there for an empty one. */
  if (!g_file_get_contents (path, &text, NULL, error))
    return FALSE;

  extra_trust = g_tls_file_database_new (path, error);

  return extra_trust != NULL;
}

/**
 * tau_extra_trust_load:
 * @agent_dir: folder of settings.json
 *
 * Reads the key "extraCaFile" of the user's settings; without it, the variable NODE_EXTRA_CA_CERTS, which pi obeys. A
 * project's settings have no say: a folder must not decide who is trusted.
 *
 * Returns: (transfer full) (nullable): what is wrong, as a sentence for a person
 */
char *
tau_extra_trust_load (const char *agent_dir)
{
  g_autoptr(TauSettings) settings = tau_settings_new (agent_dir, NULL);
  const char *named = tau_settings_get_string (settings, "extraCaFile", g_getenv ("NODE_EXTRA_CA_CERTS"));
  g_autofree char *path = named != NULL && *named != '\0' ? tau_paths_resolve (agent_dir, named) : NULL;
  g_autoptr(GError) error = NULL;

  if (tau_extra_trust_set (path, &error))
    return NULL;

  return g_strdup_printf (_("The certificates in %s are not trusted: %s."), path, error->message);
}

/**
 * tau_extra_trust_accepts:
 * @certificate: of a server, with its chain
 * @url: what was asked for
 *
 * Returns: whether the extra authorities vouch for all of it: chain, name and dates
 */
gboolean
tau_extra_trust_accepts (GTlsCertificate *certificate,
                         const char      *url)
{
  g_autoptr(GSocketConnectable) identity = NULL;

  if (extra_trust == NULL)
    return FALSE;

  identity = g_network_address_parse_uri (url, 443, NULL);

  return identity != NULL && g_tls_database_verify_chain (extra_trust, certificate, G_TLS_DATABASE_PURPOSE_AUTHENTICATE_SERVER,
                                                          identity, NULL, G_TLS_DATABASE_VERIFY_NONE, NULL, NULL) == 0;
}

/**
 * tau_extra_trust_describe:
 * @flags: why a certificate was not accepted
 *
 * Returns: (transfer none): the same in words, for an error text
 */
const char *
tau_extra_trust_describe (GTlsCertificateFlags flags)
{
  if (flags & G_TLS_CERTIFICATE_BAD_IDENTITY)
    return "its certificate is for another name";
  if (flags & G_TLS_CERTIFICATE_EXPIRED)
    return "its certificate has expired";
  if (flags & G_TLS_CERTIFICATE_NOT_ACTIVATED)
    return "its certificate is not valid yet; is the clock right?";
  if (flags & G_TLS_CERTIFICATE_REVOKED)
    return "its certificate was revoked";
  if (flags & G_TLS_CERTIFICATE_UNKNOWN_CA)
    return "its certificate is signed by an unknown authority; \"extraCaFile\" in settings.json can name it";

  return "its certificate is not acceptable";
}
