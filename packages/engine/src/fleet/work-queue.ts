/**
 * A queue of names, each at most once. Adding a name that is waiting has no effect; a name that is added
 * while it's being processed is processed again afterwards, never at the same time.
 */
export class WorkQueue {
  readonly #waiting = new Set<string>();
  readonly #active = new Set<string>();
  readonly #idle = new Set<() => void>();
  readonly #drained = new Set<() => void>();

  add(name: string): void {
    this.#waiting.add(name);
    this.#wake();
  }

  /** Resolves when no name is waiting or being processed. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained.add(resolve);
      this.#tellIfDrained();
    });
  }

  /** Processes names with this many workers until the signal is aborted. `work` must not reject. */
  async run(workers: number, work: (name: string) => Promise<void>, signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#wake();
    signal.addEventListener("abort", stop);
    await Promise.all(Array.from({ length: workers }, () => this.#worker(work, signal)));
    signal.removeEventListener("abort", stop);
  }

  async #worker(work: (name: string) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const name = this.#take();
      if (name === undefined) {
        await new Promise<void>((resolve) => this.#idle.add(resolve));
      } else {
        await work(name);
        this.#active.delete(name);
        this.#wake();
        this.#tellIfDrained();
      }
    }
  }

  #take(): string | undefined {
    const name = this.#waiting.values().find((waiting) => !this.#active.has(waiting));
    if (name !== undefined) {
      this.#waiting.delete(name);
      this.#active.add(name);
    }
    return name;
  }

  #tellIfDrained(): void {
    if (this.#waiting.size === 0 && this.#active.size === 0) {
      this.#drained.forEach((resolve) => resolve());
      this.#drained.clear();
    }
  }

  #wake(): void {
    const idle = [...this.#idle];
    this.#idle.clear();
    for (const resolve of idle) {
      resolve();
    }
  }
}
