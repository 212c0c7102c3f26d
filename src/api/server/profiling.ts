/**
 * What Go's net/http/pprof has at /debug/pprof/, as far as it makes sense of a JavaScript program: the same paths,
 * with V8's profiles. A request for one takes as long as it asks to be watched.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "@weir/base";

/** Takes the profiles; `ms` is how long to watch, and both reject when aborted. */
export interface ProfileSource {
  /** The JSON of a .cpuprofile, looked at every `intervalUs` microseconds. */
  cpu(ms: number, intervalUs: number, signal: AbortSignal): Promise<string>;
  /** The JSON of a .heapprofile. */
  heap(ms: number, signal: AbortSignal): Promise<string>;
}

/** What is told of the process. */
export interface Profiling {
  readonly profiles: ProfileSource;
  /** How it was started, without secrets. */
  readonly commandLine: readonly string[];
}

/** One of the pages; `text` says on the index what it is. */
interface Page {
  readonly text: string;
  readonly answer: (profiling: Profiling, seconds: Seconds, signal: AbortSignal) => Answer | Promise<Answer>;
}

interface Answer {
  readonly type: string;
  readonly body: string;
  readonly file?: string;
}

/** How long a request asks to watch, in milliseconds, or else what is usual for it. */
type Seconds = (usual: number) => number;

/** The request asks to watch for a time that is none, or too long. */
class BadSecondsError extends Error {
  override readonly name = "BadSecondsError";

  constructor(text: string) {
    super(`seconds=${JSON.stringify(text)}: give a number above 0, of up to ${longest}`);
  }
}

/** In seconds. */
const longest = 300;
const textType = "text/plain; charset=utf-8";
/** In microseconds: V8's own, and a finer one. */
const usualInterval = 1000;
const fineInterval = 100;

const pages: Readonly<Record<string, Page>> = {
  cmdline: {
    text: "how the process was started, without secrets",
    answer: ({ commandLine }) => ({ type: textType, body: commandLine.join("\0") }),
  },
  goroutine: {
    text: "what the process waits for: timers, connections, child processes, by their number",
    answer: () => ({ type: textType, body: waitedFor(process.getActiveResourcesInfo()) }),
  },
  heap: {
    text: "which functions allocate what stays, in ?seconds=10 (a .heapprofile)",
    answer: async ({ profiles }, seconds, signal) =>
      download("heap.heapprofile", await profiles.heap(seconds(10), signal)),
  },
  profile: {
    text: "where the processor's time goes, in ?seconds=30 (a .cpuprofile)",
    answer: async ({ profiles }, seconds, signal) =>
      download("cpu.cpuprofile", await profiles.cpu(seconds(30), usualInterval, signal)),
  },
  symbol: {
    text: "for tools of Go, which ask for it: profiles have their names in them",
    answer: () => ({ type: textType, body: "num_symbols: 1\n" }),
  },
  trace: {
    text: "the same as profile in finer steps, in ?seconds=1 (a .cpuprofile)",
    answer: async ({ profiles }, seconds, signal) =>
      download("trace.cpuprofile", await profiles.cpu(seconds(1), fineInterval, signal)),
  },
};

/** Answers a request whose URL begins below /debug/pprof; never rejects. */
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
      .end(`no profile is called ${JSON.stringify(name)}\n`);
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
