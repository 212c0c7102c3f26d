import { Parser } from "./parser.ts";
import { Scanner } from "./scanner.ts";
import type { NodeProperties, NodeSink } from "./sink.ts";
import { checkSource } from "./source-text.ts";
import { finish } from "./steps.ts";

/** Where a node begins, and the nodes in it. */
interface Place {
  readonly line: number;
  readonly children: ReadonlyMap<string | number, Place>;
}

/** What is no collection has none. */
const noChildren: Place["children"] = new Map();

/** Finds the lines on which the parts of a document stand; the document has no aliases. */
export class LineFinder {
  readonly #root: Place;

  /** Takes the text of one document. Throws YamlError where it is none. */
  constructor(text: string) {
    const places = new PlaceSink();
    finish(new Parser(new Scanner(checkSource(text)), places).parseDocument());
    this.#root = places.root;
  }

  /** The line of a part, counted from 1; where there is none, that of the last part on the way to it. */
  lineOf(path: readonly (string | number)[]): number {
    let place = this.#root;
    for (const step of path) {
      place = place.children.get(step) ?? place;
    }
    return place.line + 1;
  }
}

/** A collection whose end has not come yet. */
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
