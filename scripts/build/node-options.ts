/**
 * As in Go programs, trusts the certificates that the system trusts, and those in SSL_CERT_FILE and
 * SSL_CERT_DIR.
 */
const systemCertificates = "--use-system-ca";

/**
 * What Node.js is started with, by program. For fluxd, a small young generation: it keeps objects for long, so a large
 * one only costs memory (docs/performance.md).
 */
export const nodeOptions = {
  fluxctl: [systemCertificates],
  fluxd: [systemCertificates, "--max-semi-space-size=8"],
  weir: [],
  "weir-console": [systemCertificates],
} as const satisfies Readonly<Record<string, readonly string[]>>;
