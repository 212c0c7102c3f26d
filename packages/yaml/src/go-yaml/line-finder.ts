import { Parser } from "./parser.ts";
import { Scanner } from "./scanner.ts";
import type { NodeProperties, NodeSink } from "./sink.ts";
import { checkSource } from "./source-text.ts";
import { finish } from "./steps.ts";

/** Where a node starts, and its child nodes. */
interface Place {
  readonly line: number;
  readonly children: ReadonlyMap<string | number, Place>;
}

/** A node that isn't a collection has no children. */
const noChildren: Place["children"] = new Map();

/** Finds the lines of the parts of a document; the document has no aliases. */
export class LineFinder {
  readonly #root: Place;

  /** Takes the text of one document. Throws YamlError if it's invalid. */
  constructor(text: string) {
    const places = new PlaceSink();
    finish(new Parser(new Scanner(checkSource(text)), places).parseDocument());
    this.#root = places.root;
  }

  /** The line of a part, counted from 1; if it doesn't exist, the line of the last existing part on the path to it. */
  lineOf(path: readonly (string | number)[]): number {
    let place = this.#root;
    for (const step of path) {
      place = place.children.get(step) ?? place;
    }
    return place.line + 1;
  }
}

/** A collection whose end hasn't been read yet. */
interface OpenPlace {
  readonly children: Map<string | number, Place>;
  readonly isMapping: boolean;
  /** The key whose value comes next. */
  key: string | undefined;
}

class PlaceSink implements NodeSink {
  root: Place = { line: 0, children: noChildren };
  readonly #open: OpenPlace[] = [];

  scalar(text: string, _plain: boolean, { line }: NodeProperties): void {
    const around = this.#open.at(-1);
    if (around?.isMapping === true && around.key === undefined) {
      around.key = text;
    } else {
      this.#add({ line, children: noChildren });
    }
  }

  alias(): void {
    this.#add({ line: 0, children: noChildren });
  }

  startSequence({ line }: NodeProperties): void {
    this.#start(line, false);
  }

  startMapping({ line }: NodeProperties): void {
    this.#start(line, true);
  }

  end(): void {
    this.#open.pop();
  }

  #start(line: number, isMapping: boolean): void {
    const children: OpenPlace["children"] = new Map();
    this.#add({ line, children });
    this.#open.push({ children, isMapping, key: undefined });
  }

  #add(place: Place): void {
    const around = this.#open.at(-1);
    if (around === undefined) {
      this.root = place;
    } else {
      around.children.set(around.key ?? around.children.size, place);
      around.key = undefined;
    }
  }
}
