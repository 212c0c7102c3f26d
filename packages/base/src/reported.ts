/** Remembers the last message for each subject, so that an ongoing problem is logged once and not each time. */
export class Reported {
  readonly #before = new Map<string, string>();
  readonly #now = new Map<string, string>();

  /** True if this differs from the last message for the subject. */
  isNew(subject: string, message = ""): boolean {
    const isNew = (this.#now.get(subject) ?? this.#before.get(subject)) !== message;
    this.#now.set(subject, message);
    return isNew;
  }

  /** The subject is fine again, or gone: its next message is new. True if there was a message for it. */
  clear(subject: string): boolean {
    const [before, now] = [this.#before.delete(subject), this.#now.delete(subject)];
    return before || now;
  }

  /** For callers that check all subjects repeatedly: subjects without a problem in this pass count as fine again. */
  endPass(): void {
    this.#before.clear();
    this.#now.forEach((message, subject) => this.#before.set(subject, message));
    this.#now.clear();
  }
}
