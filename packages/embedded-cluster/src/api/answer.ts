/** What is sent back: a whole body, or a stream of chunks as they come. */
export type Answer = WholeAnswer | StreamAnswer;

/** An answer that is known before it is sent. */
export interface WholeAnswer {
  readonly kind: "whole";
  readonly code: number;
  readonly contentType: string;
  /** Sent one after the other. */
  readonly chunks: readonly (Uint8Array | string)[];
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** An answer that goes on: a watch. */
export interface StreamAnswer {
  readonly kind: "stream";
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Writes until it is done or the signal is aborted; then the answer ends. */
  run(sink: ChunkSink, signal: AbortSignal): Promise<void>;
}

/** Where a stream goes. */
export interface ChunkSink {
  /** Sends chunks; false where the client is slow and more should wait for `drained`. */
  write(...chunks: readonly (Uint8Array | string)[]): boolean;
  /** Resolves when the client has taken what was written, or is gone. */
  drained(): Promise<void>;
}

export const jsonType = "application/json";
export const yamlType = "application/yaml";

/** A JSON answer, which ends its line as the API server does. */
export function jsonAnswer(code: number, body: object): WholeAnswer {
  return { kind: "whole", code, contentType: jsonType, chunks: [JSON.stringify(body), "\n"] };
}

/** A plain text answer. */
export function textAnswer(code: number, text: string): WholeAnswer {
  return { kind: "whole", code, contentType: "text/plain; charset=utf-8", chunks: [text] };
}
