import { EditError } from "./errors.ts";
import type { Node } from "./node.ts";
import { defaultHandles, NodeComposer } from "./node-composer.ts";
import { Scanner } from "./scanner.ts";
import type { TokenKind } from "./token.ts";

/** A document: its root and position, whether it declares YAML 1.1, and whether it contains an anchor. */
export interface ComposedDocument {
  readonly root: Node;
  readonly start: number;
  readonly end: number;
  readonly version11: boolean;
  readonly hasAnchors: boolean;
}

/** Converts text to documents, one after another, as nodes with their comments. */
export class Composer {
  readonly #scanner: Scanner;
  readonly #nodes: NodeComposer;

  constructor(text: string) {
    this.#scanner = new Scanner(text);
    this.#scanner.next();
    this.#nodes = new NodeComposer(this.#scanner);
  }

  /** The first place where not all comments could be kept. */
  get clash(): EditError | undefined {
    return this.#scanner.clash;
  }

  /**
   * The next document; undefined at the end of the stream. After a YAML 1.1 document, each one needs its `---`.
   *
   * @throws EditError if the text isn't valid YAML, or exceeds a limit
   */
  next(): ComposedDocument | undefined {
    const { start } = this.#scanner.peek();
    const explicit = this.#scanner.version11 || startsDocument.has(this.#kind());
    const handles = explicit ? this.#startDocument() : defaultHandles;
    if (handles === undefined) {
      return undefined;
    }
    const isEmpty = explicit && endsDocument.has(this.#kind());
    const root = isEmpty ? this.#nodes.composeNothing() : this.#nodes.composeRoot(handles);
    if (this.#kind() === "document end") {
      this.#scanner.next();
    }
    const { start: end } = this.#scanner.peek();
    return { root, start, end, version11: this.#scanner.version11, hasAnchors: this.#nodes.hasAnchors };
  }

  /** Skips directives and `---`, and returns the tag handles that apply. */
  #startDocument(): ReadonlySet<string> | undefined {
    while (this.#kind() === "document end") {
      this.#scanner.next();
    }
    if (this.#kind() === "stream end") {
      return undefined;
    }
    const handles = this.#processDirectives();
    const token = this.#scanner.next();
    if (token.kind !== "document start") {
      throw new EditError(`expected '---' at the start of a document, found ${token.kind}`, token.line + 1);
    }
    return handles;
  }

  #processDirectives(): ReadonlySet<string> {
    let versionSeen = false;
    const handles = new Set<string>();
    this.#scanner.version11 = false;
    while (this.#kind() === "directive") {
      const { detail, line } = this.#scanner.next();
      if (detail?.version !== undefined) {
        requireKnownVersion(detail.version, versionSeen, line);
        versionSeen = true;
        this.#scanner.version11 = detail.version.minor === 1;
      } else if (detail?.handle !== undefined) {
        if (handles.has(detail.handle)) {
          throw new EditError("a tag handle is declared twice", line + 1);
        }
        handles.add(detail.handle);
      }
    }
    return new Set([...handles, ...defaultHandles]);
  }

  #kind(): TokenKind {
    return this.#scanner.peek().kind;
  }
}

const startsDocument: ReadonlySet<TokenKind> = new Set(["directive", "document start", "stream end"]);

const endsDocument: ReadonlySet<TokenKind> = new Set([...startsDocument, "document end"]);

function requireKnownVersion(
  { major, minor }: { readonly major: number; readonly minor: number },
  seen: boolean,
  line: number,
): void {
  if (seen) {
    throw new EditError("a document has two %YAML directives", line + 1);
  }
  if (major !== 1 || (minor !== 1 && minor !== 2)) {
    throw new EditError("this version of YAML isn't supported", line + 1);
  }
}
