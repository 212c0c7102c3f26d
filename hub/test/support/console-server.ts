import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, StartedProgram } from "@weir/testing";
import { consoleProgram } from "../../../test/support/programs.ts";
import { TestBrowser } from "./test-browser.ts";

const source = join(import.meta.dirname, "..", "..", "..", "hub", "cmd", "main.ts");

/** Where a console keeps its data, and what it's started with besides. */
export interface ConsoleServerOptions {
  /** For its files. */
  readonly folder: string;
  /** Of PostgreSQL; without one, the data is in the folder. */
  readonly databaseUrl?: string;
  readonly flags?: readonly string[];
  /** Where it listens; a free port without it. */
  readonly port?: number;
  /** The folder with the page; without one, there's an empty page. */
  readonly page?: string;
  /** Runs the built program instead of its sources. */
  readonly built?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** How a command of the program ended. */
export interface ConsoleRun {
  readonly code: number;
  readonly output: string;
}

/** Runs a command of weir-console to its end. */
export async function runConsole(
  args: readonly string[],
  options: ConsoleServerOptions,
): Promise<ConsoleRun> {
  await using console = startProgram([...args, `--data-folder=${options.folder}`], options);
  const { code } = await console.ended();
  return { code: code ?? -1, output: console.output };
}

/** The program weir-console, in a process of its own. */
export class ConsoleServer implements AsyncDisposable {
  readonly url: string;
  readonly #program: StartedProgram;

  private constructor(program: StartedProgram, url: string) {
    this.url = url;
    this.#program = program;
  }

  /** Resolves as soon as it's ready. */
  static async start(options: ConsoleServerOptions): Promise<ConsoleServer> {
    const { folder, flags = [], page = emptyPage(folder) } = options;
    const { port = await freePort() } = options;
    const url = `http://127.0.0.1:${port}`;
    const places = [`--listen=127.0.0.1:${port}`, `--public-url=${url}`, `--data-folder=${folder}`];
    const program = startProgram([...places, `--page-folder=${page}`, ...flags], options);
    try {
      await program.until(
        "the console to be ready",
        async () => (await fetch(`${url}/readyz`)).status === 200,
      );
    } catch (error) {
      await program[Symbol.asyncDispose]();
      throw error;
    }
    return new ConsoleServer(program, url);
  }

  /** Where daemons connect, and where fluxctl finds the API. */
  get flux(): string {
    return `${this.url}/api/flux`;
  }

  /** All that it has said so far. */
  get log(): string {
    return this.#program.stderr;
  }

  /** A browser that isn't logged in. */
  browser(): TestBrowser {
    return new TestBrowser(this.url);
  }

  /** Stops it as an operator does; resolves to its exit code. */
  async stop(): Promise<number | null> {
    const { code } = await this.#program.end("SIGTERM");
    return code;
  }

  /** Ends it without a chance to do anything. */
  async kill(): Promise<void> {
    await this.#program.end("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
  }
}

function emptyPage(folder: string): string {
  const page = join(folder, "page");
  mkdirSync(page, { recursive: true });
  writeFileSync(join(page, "index.html"), "<!doctype html><title>Weir</title>");
  return page;
}

function startProgram(
  args: readonly string[],
  { databaseUrl = "", built = false, env = {} }: ConsoleServerOptions,
): StartedProgram {
  const [program, ...first] = built ? [consoleProgram] : [process.execPath, source];
  return new StartedProgram(program, [...first, ...args], {
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", DATABASE_URL: databaseUrl, ...env },
  });
}
