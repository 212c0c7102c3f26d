/** Remembers which errors of one repository were logged, so that what goes on failing is told once. */
export class ToldErrors {
  #before: ReadonlyMap<string, string> = new Map();
  #now = new Map<string, string>();

  /** True where this was not said of the subject in this pass or the one before. */
  isNew(subject: string, message: string): boolean {
    const isNew = (this.#now.get(subject) ?? this.#before.get(subject)) !== message;
    this.#now.set(subject, message);
    return isNew;
  }

  /** What did not go wrong in this pass is news when it goes wrong again. */
  endPass(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }
}
