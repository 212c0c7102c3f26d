import { orAborted } from "@weir/base";
import type { CommandContext } from "../command.ts";
import { tints } from "../output/paint.ts";
import type { LogLine } from "./place.ts";

/** A container whose log is printed. */
export interface LogSource {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** What is printed beside the text of a line. */
export interface LineLook {
  readonly prefix: boolean;
  readonly timestamps: boolean;
}

/** How many characters are written at a time. */
const usualWrite = 64 * 1024;

/** The name of a container in messages and prefixes. */
export function nameOfSource({ pod, container }: LogSource): string {
  return `${pod}/${container}`;
}

/**
 * Prints lines of logs, each whole. On a terminal, each pod has a color, and characters that the terminal would interpret
 * are made visible; into a pipe, lines go as they are.
 */
export class LogPrinter {
  readonly #look: LineLook;
  readonly #context: CommandContext;
  readonly #tints: readonly ((text: string) => string)[];
  readonly #tintOf = new Map<string, number>();
  #waiting = "";

  constructor(look: LineLook, context: CommandContext) {
    const { screen, env, door } = context;
    this.#look = look;
    this.#context = context;
    this.#tints = screen === undefined ? [] : tints(screen, env, door);
  }

  /** Prints a line; resolves when more can be printed. */
  async line(source: LogSource, { time, text }: LogLine): Promise<void> {
    const { prefix, timestamps } = this.#look;
    const begin = prefix ? `${this.#tint(source)} ` : "";
    if (this.#waiting === "") {
      // Lines that arrive together are written together.
      setImmediate(() => this.flush());
    }
    this.#waiting += `${begin}${timestamps && time !== "" ? `${time} ` : ""}${text}\n`;
    if (this.#waiting.length > usualWrite) {
      this.flush();
      const { drained, signal } = this.#context;
      await orAborted(drained?.() ?? Promise.resolve(), signal);
    }
  }

  /** Writes what was printed. */
  flush(): void {
    const text = this.#waiting;
    this.#waiting = "";
    if (text !== "") {
      this.#context.outDocument(text);
    }
  }

  /** Tells a person something on stderr, below the lines so far. */
  tell(text: string): void {
    this.flush();
    this.#context.err(`${text}\n`);
  }

  #tint(source: LogSource): string {
    const number = this.#tintOf.get(source.pod) ?? this.#tintOf.size;
    this.#tintOf.set(source.pod, number);
    const name = nameOfSource(source);
    return this.#tints[number % this.#tints.length]?.(name) ?? name;
  }
}
