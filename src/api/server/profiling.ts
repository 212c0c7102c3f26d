/**
 * The JavaScript counterpart of Go's net/http/pprof at /debug/pprof/: the same paths, with V8's profiles. A
 * request for a profile takes as long as the requested sampling time.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "@weir/base";

/** Takes profiles for `ms` milliseconds; both methods reject when aborted. */
export interface ProfileSource {
  /** The JSON of a .cpuprofile, sampled every `intervalUs` microseconds. */
  cpu(ms: number, intervalUs: number, signal: AbortSignal): Promise<string>;
  /** The JSON of a .heapprofile. */
  heap(ms: number, signal: AbortSignal): Promise<string>;
}

/** What profiling can access. */
export interface Profiling {
  readonly profiles: ProfileSource;
  /** The command line of the process, without secrets. */
  readonly commandLine: readonly string[];
}

/** One of the pages; `text` describes it in the index. */
interface Page {
  readonly text: string;
  readonly answer: (profiling: Profiling, seconds: Seconds, signal: AbortSignal) => Answer | Promise<Answer>;
}

interface Answer {
  readonly type: string;
  readonly body: string;
  readonly file?: string;
}

/** The requested sampling time in milliseconds, or else the given default. */
type Seconds = (usual: number) => number;

/** The requested sampling time is invalid or too long. */
class BadSecondsError extends Error {
  override readonly name = "BadSecondsError";

  constructor(text: string) {
    super(`seconds=${JSON.stringify(text)}: specify a number greater than 0 and at most ${longest}`);
  }
}

/** In seconds. */
const longest = 300;
const textType = "text/plain; charset=utf-8";
/** In microseconds: V8's default, and a finer one. */
const usualInterval = 1000;
const fineInterval = 100;

const pages: Readonly<Record<string, Page>> = {
  cmdline: {
    text: "how the process was started, without secrets",
    answer: ({ commandLine }) => ({ type: textType, body: commandLine.join("\0") }),
  },
  goroutine: {
    text: "what the process waits for: the numbers of timers, connections, and child processes",
    answer: () => ({ type: textType, body: waitedFor(process.getActiveResourcesInfo()) }),
  },
  heap: {
    text: "which functions allocate memory that stays in use, during ?seconds=10 (a .heapprofile)",
    answer: async ({ profiles }, seconds, signal) =>
      download("heap.heapprofile", await profiles.heap(seconds(10), signal)),
  },
  profile: {
    text: "where CPU time is spent, during ?seconds=30 (a .cpuprofile)",
    answer: async ({ profiles }, seconds, signal) =>
      download("cpu.cpuprofile", await profiles.cpu(seconds(30), usualInterval, signal)),
  },
  symbol: {
    text: "for Go tools, which request it: profiles here already contain function names",
    answer: () => ({ type: textType, body: "num_symbols: 1\n" }),
  },
  trace: {
    text: "like profile, with a finer sampling interval, during ?seconds=1 (a .cpuprofile)",
    answer: async ({ profiles }, seconds, signal) =>
      download("trace.cpuprofile", await profiles.cpu(seconds(1), fineInterval, signal)),
  },
};

/** Responds to a request whose URL begins with /debug/pprof; never rejects. */
export async function serveProfiling(
  profiling: Profiling,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(`http://api${request.url ?? "/"}`);
  const name = pathname.slice(1);
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  response.setHeader("X-Content-Type-Options", "nosniff");
  if (page === undefined) {
    answerIndex(name, response);
    return;
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort(new Error("the client went away")));
  try {
    send(response, await page.answer(profiling, secondsOf(searchParams), gone.signal));
  } catch (error) {
    const status = error instanceof BadSecondsError ? 400 : 500;
    response.writeHead(status, { "Content-Type": textType }).end(`${messageOf(error)}\n`);
  }
}

function answerIndex(name: string, response: ServerResponse): void {
  if (name !== "") {
    response
      .writeHead(404, { "Content-Type": textType })
      .end(`there is no profile named ${JSON.stringify(name)}\n`);
    return;
  }
  const items = Object.entries(pages).map(
    ([page, { text }]) => `<li><a href="${page}">${page}</a>: ${text}</li>`,
  );
  const body = `<!doctype html>\n<title>/debug/pprof/</title>\n<ul>\n${items.join("\n")}\n</ul>\n`;
  send(response, { type: "text/html; charset=utf-8", body });
}

function secondsOf(query: URLSearchParams): Seconds {
  const text = query.get("seconds");
  return (usual) => {
    const seconds = text === null ? usual : Number(text);
    if (!(seconds > 0 && seconds <= longest)) {
      throw new BadSecondsError(text ?? "");
    }
    return seconds * 1000;
  };
}

function download(file: string, body: string): Answer {
  return { type: "application/json; charset=utf-8", body, file };
}

function send(response: ServerResponse, { type, body, file }: Answer): void {
  if (file !== undefined) {
    response.setHeader("Content-Disposition", `attachment; filename="${file}"`);
  }
  response.writeHead(200, { "Content-Type": type }).end(body);
}

function waitedFor(resources: readonly string[]): string {
  const counts = Map.groupBy(resources, (name) => name);
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, all]) => `${all.length} ${name}\n`)
    .join("");
}
