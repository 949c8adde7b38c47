/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean    tau_extra_trust_set      (const char *path /* nullable */, GError **error);
char       *tau_extra_trust_load     (const char *agent_dir);   /* what is wrong, a sentence; nullable */
gboolean    tau_extra_trust_accepts  (GTlsCertificate *certificate, const char *url);
const char *tau_extra_trust_describe (GTlsCertificateFlags flags);

G_END_DECLS
