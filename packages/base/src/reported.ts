/** What was said of each subject last, so that what goes on is told once and not each time that it is met. */
export class Reported {
  readonly #before = new Map<string, string>();
  readonly #now = new Map<string, string>();

  /** True where this is not what was said of the subject last. */
  isNew(subject: string, message = ""): boolean {
    const isNew = (this.#now.get(subject) ?? this.#before.get(subject)) !== message;
    this.#now.set(subject, message);
    return isNew;
  }

  /** The subject is well again, or gone: the next thing is news. True where something had been said of it. */
  clear(subject: string): boolean {
    const [before, now] = [this.#before.delete(subject), this.#now.delete(subject)];
    return before || now;
  }

  /** For who goes over all subjects again and again: what did not go wrong in this pass counts as well again. */
  endPass(): void {
    this.#before.clear();
    this.#now.forEach((message, subject) => this.#before.set(subject, message));
    this.#now.clear();
  }
}
