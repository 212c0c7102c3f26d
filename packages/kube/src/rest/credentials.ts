/** The TLS settings of a connection to an API server. */
export interface ClusterTls {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** The name that the server's certificate must contain, if it's not the host of the URL. */
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/** Request headers by name. */
export type RequestHeaders = Readonly<Record<string, string | string[]>>;

/** An API server and the credentials for it. */
export interface ClusterCredentials {
  /** The URL of the server, without a trailing slash. */
  readonly server: string;
  /** The namespace of the context; "default" if it sets none. */
  readonly namespace: string;
  /** The proxy in front of the server; may contain a password. */
  readonly proxyUrl?: string;
  /** Read again for each connection, so that renewed certificate files are used. */
  tls(signal?: AbortSignal): Promise<ClusterTls>;
  /** The headers that authenticate the client, with a valid token. */
  headers(signal?: AbortSignal): Promise<RequestHeaders>;
  /** The server refused these headers (401): the next call gets new ones. False if there are no others. */
  renew(refused: RequestHeaders): boolean;
}
