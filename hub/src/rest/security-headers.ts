/**
 * Headers of every response. The policy allows the page what is its own and nothing else: no inline code or styles, no
 * other host, no frames, no plug-ins; text never becomes code, since Trusted Types has no policy that could make it.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/** Sent in addition where people reach the console over TLS: browsers don't go back to plain HTTP for a year. */
export const overTls = { "Strict-Transport-Security": "max-age=31536000" } as const;
