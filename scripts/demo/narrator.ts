/** Prints what happens; uses colors only on a terminal that supports them. */
export class Narrator {
  readonly #colours = process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "";
  #chapter = 0;

  /** Begins a new part of the demo. */
  chapter(title: string): void {
    this.#chapter += 1;
    console.log(`\n${this.#paint("1", `${this.#chapter}. ${title}`)}`);
  }

  /** Something that the demo does. */
  say(text: string): void {
    console.log(`   ${text}`);
  }

  /** Something that was observed in the cluster. */
  saw(sign: "+" | "~" | "-" | "=", text: string): void {
    const colours = { "+": "32", "~": "33", "-": "31", "=": "36" } as const;
    console.log(`   ${this.#paint(colours[sign], sign)} ${text}`);
  }

  /** Output of a program, or commands to copy. */
  quote(text: string): void {
    for (const line of text.trimEnd().split("\n")) {
      console.log(`     ${line}`);
    }
  }

  #paint(code: string, text: string): string {
    return this.#colours ? `\u001b[${code}m${text}\u001b[0m` : text;
  }
}
