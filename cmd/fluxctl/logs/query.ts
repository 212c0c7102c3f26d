/** Which lines of a log are wanted. */
export interface Wanted {
  readonly sinceMs: number | undefined;
  readonly sinceTime: string | undefined;
  /** The number of lines to begin with. */
  readonly tail: number | undefined;
}

/** What a request for a log depends on. */
export interface LogRequest {
  readonly container: string;
  readonly previous: boolean;
  readonly follow: boolean;
  readonly wanted: Wanted;
  /** The time of the last line that was read; undefined if none was. */
  readonly place: string | undefined;
  /** How long ago the log was requested for the first time; undefined if it wasn't. */
  readonly sinceFirstMs: number | undefined;
}

/** The query of a request for a log. */
export function logQuery(request: LogRequest): Readonly<Record<string, string>> {
  const { container, previous, follow } = request;
  return {
    container,
    timestamps: "true",
    ...(previous ? { previous: "true" } : {}),
    ...(follow ? { follow: "true" } : {}),
    ...beginning(request),
  };
}

/** Where to begin: the first time as wanted, and then where the last request ended. */
function beginning({ wanted, place, sinceFirstMs }: LogRequest): Readonly<Record<string, string>> {
  if (place !== undefined) {
    return { sinceTime: place.replace(/\.\d+/, "") };
  }
  const { sinceMs, sinceTime, tail } = wanted;
  if (tail === 0 && sinceFirstMs !== undefined) {
    // Nothing was wanted of what there was then, but everything since.
    return { sinceSeconds: seconds(sinceFirstMs) };
  }
  return {
    ...(sinceMs === undefined ? {} : { sinceSeconds: seconds(sinceMs + (sinceFirstMs ?? 0)) }),
    ...(sinceTime === undefined ? {} : { sinceTime }),
    // If a first request found no line, there was none to begin with, and all are new.
    ...(tail === undefined || sinceFirstMs !== undefined ? {} : { tailLines: String(tail) }),
  };
}

function seconds(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / 1000)));
}
