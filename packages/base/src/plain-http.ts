/**
 * True if a TLS connection failed because the server doesn't speak TLS; nearly always, it speaks HTTP. Looks at causes,
 * too. Node.js and OpenSSL say this in several ways, depending on the bytes that came.
 */
export function isWithoutTls(error: unknown): boolean {
  if (error instanceof AggregateError) {
    return error.errors.some(isWithoutTls);
  }
  if (!(error instanceof Error)) {
    return false;
  }
  return withoutTls.test(error.message) || isWithoutTls(error.cause);
}

const withoutTls = /:SSL routines:[^:]*:(?:wrong version number|packet length too long|http request)/;
