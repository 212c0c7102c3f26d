import type { Sign, Told } from "@weir/demo";
import { layOut } from "./narration/lay-out.ts";

/** As wide as a terminal that doesn't say how wide it is. */
const usualWidth = 80;
/** Longer lines are hard to read. */
const mostWidth = 100;

const colours = { "+": "32", "~": "33", "-": "31", "=": "36", ">": "1", "!": "31" } as const;

/** Prints what happens, no wider than the terminal; uses colors only on one that supports them. */
export class Narrator {
  readonly #colours =
    process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb";
  #chapter = 0;

  /** Begins a new part of the demo. */
  chapter(title: string): void {
    this.#chapter += 1;
    console.log(`\n${this.#paint("1", `${this.#chapter}. ${title}`)}`);
  }

  /** Something that the demo does, or says. */
  say(text: string): void {
    this.#print("   ", text);
  }

  /** Something that was observed. */
  saw(sign: Sign, text: string): void {
    this.tell([{ sign, text }]);
  }

  /** The same for several, with what to do about them. */
  tell(told: readonly Told[]): void {
    for (const { sign, text, remedy } of told) {
      this.#print("     ", text, `   ${this.#paint(colours[sign], sign)} `);
      if (remedy !== undefined) {
        this.#print("       ", remedy, `     ${this.#paint("33", "→")} `);
      }
    }
  }

  /** A command to type. */
  command(line: string): void {
    console.log(`     ${this.#paint("1", line)}`);
  }

  /** Output of a program. */
  quote(text: string): void {
    for (const line of text.trimEnd().split("\n")) {
      console.log(`     ${line}`);
    }
  }

  /** An empty line. */
  gap(): void {
    console.log();
  }

  #print(indent: string, text: string, first = indent): void {
    const width =
      Math.min(process.stdout.isTTY ? process.stdout.columns : usualWidth, mostWidth) - indent.length;
    layOut(text, Math.max(width, 20)).forEach((line, index) => {
      console.log(`${index === 0 ? first : indent}${line}`);
    });
  }

  #paint(code: string, text: string): string {
    return this.#colours ? `\u001b[${code}m${text}\u001b[0m` : text;
  }
}
