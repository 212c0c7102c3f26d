/** A connection as the RPC needs it: receives bytes, sends texts. */
export interface RpcStream {
  /** Aborted when the connection ends: work for it is no longer needed. */
  readonly signal: AbortSignal;
  readonly closed: Promise<unknown>;
  listen(listener: (bytes: Uint8Array) => void): void;
  pause(): void;
  resume(): void;
  send(text: string): Promise<void>;
  /** Closes the connection because of invalid data. */
  fail(error: Error, code: number): Promise<void>;
}
