import type { Tree } from "../tree.ts";

/** A request as the API sees it: read whole, but not yet understood. */
export interface ApiRequest {
  readonly method: string;
  /** Without the query, not decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: ApiHeaders;
  readonly body: Uint8Array;
  /** Reads a body in protobuf as the JSON that it stands for. Throws WireError. */
  readonly readProtobuf: (body: Uint8Array) => Tree;
}

/** The headers that matter, "" where one is absent. */
export interface ApiHeaders {
  readonly accept: string;
  readonly contentType: string;
  readonly userAgent: string;
}
