/** What a TLS connection to an API server needs. */
export interface ClusterTls {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** The name that the server's certificate must bear, where it is not the host of the URL. */
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/** Headers of a request, by name. */
export type RequestHeaders = Readonly<Record<string, string | string[]>>;

/** Who we are to which API server. */
export interface ClusterCredentials {
  /** The URL of the server, without a slash at its end. */
  readonly server: string;
  /** The namespace that the context sets; "default" where it sets none. */
  readonly namespace: string;
  /** The proxy through which the server is reached; may hold a password. */
  readonly proxyUrl?: string;
  /** Read anew for each connection, so that renewed certificate files are taken up. */
  tls(signal?: AbortSignal): Promise<ClusterTls>;
  /** The headers that say who we are, with a token that is still good. */
  headers(signal?: AbortSignal): Promise<RequestHeaders>;
  /** The server refused these headers (401): asks for others next. False where no others can be had. */
  renew(refused: RequestHeaders): boolean;
}
