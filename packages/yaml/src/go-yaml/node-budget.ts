import { manifestLimits } from "@weir/base";
import { tooLargeRemedy, YamlError } from "./errors.ts";

/** A document with fewer nodes than this may consist almost entirely of aliases. */
const small = 400_000;

/** In a document with more nodes than this, a tenth may come from aliases. */
const large = 4_000_000;

/**
 * The size of a document, and how much of it comes from aliases. As in yaml.v2, a small document may consist almost
 * entirely of aliases, but a large one may not, so a short text can't stand for a value of any size.
 */
export class NodeBudget {
  /** Set when the document exceeds a limit. */
  problem: YamlError | undefined;
  #total = 1;
  #fromAliases = 0;

  /** The number of nodes so far, including the document itself. */
  get total(): number {
    return this.#total;
  }

  /** Counts nodes in the text. Throws YamlError if there are too many. */
  count(nodes: number): void {
    this.#total += nodes;
    if (this.#total - this.#fromAliases > manifestLimits.nodes) {
      throw new YamlError(`document has more than ${manifestLimits.nodes} nodes; ${tooLargeRemedy}`);
    }
    this.#check();
  }

  /** Counts the nodes that an alias refers to. */
  countAlias(nodes: number): void {
    this.#fromAliases += nodes;
    this.count(nodes);
  }

  #check(): void {
    const isWatched = this.#fromAliases > 100 && this.#total > 1000;
    if (isWatched && this.#fromAliases / this.#total > allowedShare(this.#total)) {
      this.problem ??= new YamlError("document contains excessive aliasing");
    }
  }
}

function allowedShare(total: number): number {
  const position = Math.min(Math.max((total - small) / (large - small), 0), 1);
  return 0.99 - 0.89 * position;
}
