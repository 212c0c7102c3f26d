/** Where the console stores what it knows. */
export type DatabaseLocation =
  /** A PostgreSQL server: a URL as libpq accepts it. */
  | { readonly kind: "server"; readonly url: string }
  /** An embedded PGlite with its files in a folder, which only one process may use at a time. */
  | { readonly kind: "folder"; readonly path: string }
  /** An embedded PGlite that forgets everything when it's closed. */
  | { readonly kind: "memory" };

/** DATABASE_URL isn't the URL of a PostgreSQL database. The message doesn't repeat it, since it may have a password. */
export class DatabaseUrlError extends Error {
  override readonly name = "DatabaseUrlError";
}

/** Where the data is: on the server that DATABASE_URL names, or else in a folder. Throws DatabaseUrlError. */
export function databaseLocation(url: string, folder: string): DatabaseLocation {
  if (url === "") {
    return { kind: "folder", path: folder };
  }
  // Only URLs of libpq may have no host, because a parameter names a socket.
  const withHost = url.replace(/^([a-z]+:\/\/([^/@]*@)?)\//, "$1localhost/");
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(withHost)) {
    throw new DatabaseUrlError(
      "DATABASE_URL is not the URL of a PostgreSQL database: it has to be like postgresql://user:password@host:5432/database",
    );
  }
  return { kind: "server", url };
}
