/** What happens to a request on its way to an API server and back. */
export type Fault =
  /** The server refuses it; if it's done, the server did it nevertheless, as with a timeout between its parts. */
  | {
      readonly kind: "refused";
      readonly status: 429 | 500 | 503 | 504;
      /** In seconds. */
      readonly retryAfter: number | undefined;
      /** True: the answer is a load balancer's text instead of a Status. */
      readonly isPlain: boolean;
      readonly isDone: boolean;
    }
  /** 410: the server no longer has the version that the request names. */
  | { readonly kind: "expired" }
  /** The connection breaks before the server hears of it. */
  | { readonly kind: "unsent" }
  /** The server did it, and the connection breaks after that share of the answer, from 0 to 1. */
  | { readonly kind: "lost"; readonly share: number }
  /** It's accepted, and nothing follows; `isHeard` tells whether it reaches the server. */
  | { readonly kind: "silent"; readonly isHeard: boolean }
  | { readonly kind: "late"; readonly ms: number }
  /** The answer arrives in that many pieces, with pauses between them. */
  | { readonly kind: "trickled"; readonly pieces: number; readonly pauseMs: number }
  /** All connections of the client break. */
  | { readonly kind: "cut" };

/** How the events of a watch end before their time. */
export type WatchEnd =
  /** In the middle of the next line: the connection breaks, or the stream ends as if it were complete. */
  | "half line, broken"
  | "half line, ended"
  | "broken"
  | "ended"
  /** With an ERROR event of code 410, or 500. */
  | "expired"
  | "failed"
  /** It stays open, and nothing follows. */
  | "silent";

/** What happens to the events of a watch. */
export interface WatchFault {
  /** How many of the last events come again if the watch continues where the one before it ended. */
  readonly repeats: number;
  readonly isHeld: boolean;
  /**
   * How long each line is held back, in milliseconds, by its position. The order within a watch stays; watches overtake
   * each other, and the answers to writes.
   */
  readonly holdMs: (line: number) => number;
  /** Undefined: the server ends it. */
  readonly end: { readonly afterLines: number; readonly how: WatchEnd } | undefined;
}

/** A watch to which nothing happens. */
export const calm: WatchFault = { repeats: 0, isHeld: false, holdMs: () => 0, end: undefined };
