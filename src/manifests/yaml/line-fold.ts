/**
 * The line breaks between two lines of a scalar. A single line feed becomes a space; where empty lines follow,
 * the first goes and the others stay. The Unicode separators always stay.
 */
export class LineFold {
  private readonly first: string;
  private others = "";

  constructor(first: string) {
    this.first = first;
  }

  add(lineBreak: string): void {
    this.others += lineBreak;
  }

  /** What the breaks count as in the value. */
  join(): string {
    if (this.first !== "\n") {
      return this.first + this.others;
    }
    return this.others === "" ? " " : this.others;
  }
}
