/** What a person types, a line at a time. Nothing is read in between, so that other programs can have the keys. */
export class Keys {
  readonly #input = process.stdin;

  /** Undefined if there's no terminal to ask at. */
  static atTerminal(): Keys | undefined {
    return process.stdin.isTTY && process.stdout.isTTY ? new Keys() : undefined;
  }

  /** Resolves to the line, or to "q" if there are no more. Rejects if aborted. */
  ask(prompt: string, signal: AbortSignal): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const read = (chunk: Buffer): void => resolve(chunk.toString().trim().toLowerCase());
    const ended = (): void => resolve("q");
    const stop = (): void => reject(signal.reason as Error);
    process.stdout.write(`   ${prompt}`);
    this.#input.on("data", read).on("end", ended).resume();
    signal.addEventListener("abort", stop);
    return promise.finally(() => {
      this.#input.pause().off("data", read).off("end", ended);
      signal.removeEventListener("abort", stop);
    });
  }
}
