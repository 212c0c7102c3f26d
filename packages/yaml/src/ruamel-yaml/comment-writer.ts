import { EditError } from "./errors.ts";
import type { LayoutNode } from "./layout.ts";
import type { Output } from "./output.ts";
import type { Comment } from "./token.ts";

/** Writes the comments of a document's nodes, each in its original column if that's still free. */
export class CommentWriter {
  readonly #out: Output;
  /** The comments of collections that were already written. */
  readonly #done = new Set<Comment>();

  constructor(out: Output) {
    this.#out = out;
  }

  /** Before a sequence: after the `:` or `-` above it, if it's a block; then on separate lines. */
  sequenceStart(node: LayoutNode): void {
    const { indention } = this.#out;
    const post = node.flow ? undefined : node.comment?.post;
    if (post !== undefined) {
      this.after(post);
      this.#out.indention = false;
      this.#out.noNewline = true;
    }
    if (node.comment?.pre !== undefined) {
      this.before(node);
      this.#out.indention = indention;
      this.#out.noNewline = !indention;
    }
  }

  /** Before a mapping: after the `:` above it, if it's a block; then on separate lines. */
  mappingStart(node: LayoutNode): void {
    this.after(node.flow ? undefined : node.comment?.post);
    this.before(node);
  }

  /** Before a node. The comments of a collection are written once, where it occurs first: as an entry, or by itself. */
  before(node: LayoutNode): void {
    const pre = node.comment?.pre;
    if (node.kind === "scalar") {
      this.onLines(pre);
      return;
    }
    this.onLines(pre?.filter((comment) => !this.#done.has(comment)));
    for (const comment of pre ?? []) {
      this.#done.add(comment);
    }
  }

  /**
   * Writes comments on separate lines.
   *
   * @throws EditError for the comment on the first line of a block scalar, which must not move elsewhere
   */
  onLines(comments: readonly Comment[] | undefined): void {
    for (const comment of comments ?? []) {
      if (comment.header) {
        throw new EditError("the comment after a '|' or '>' cannot be kept here", comment.line + 1);
      }
      if (this.#out.column !== 0) {
        this.#out.lineBreak();
      }
      this.#put(comment, comment.text);
    }
  }

  /** At the end of the line, which this ends. */
  after(comment: Comment | undefined): void {
    if (comment !== undefined) {
      this.#put(comment, comment.text.replace(/\n$/, ""));
      this.#out.lineBreak();
    }
  }

  /**
   * Writes a comment in its column if that's still free, or else after one space. Blank lines start at the end of the
   * line.
   */
  #put(comment: Comment, text: string): void {
    const { column } = this.#out;
    const beginsBlank = text.startsWith("\n");
    const wanted = comment.text.startsWith("\n") ? 0 : comment.column - column;
    const least = column > 0 && !beginsBlank && text.trim() !== "" ? 1 : 0;
    this.#out.put(" ".repeat(Math.max(wanted, least)) + text);
  }
}
