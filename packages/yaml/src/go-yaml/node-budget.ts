import { manifestLimits } from "@weir/base";
import { tooLargeRemedy, YamlError } from "./errors.ts";

/** A document with fewer nodes than this may come from aliases nearly whole. */
const small = 400_000;

/** A document with more nodes than this may come from aliases to a tenth. */
const large = 4_000_000;

/**
 * How large a document is, and how much of it comes from aliases. As yaml.v2, a small one may be nearly all aliases, a large one not:
 * a short text cannot stand for a value of any size.
 */
export class NodeBudget {
  /** Set when the document is over what is allowed. */
  problem: YamlError | undefined;
  #total = 1;
  #fromAliases = 0;

  /** The nodes of the document up to here, the document itself included. */
  get total(): number {
    return this.#total;
  }

  /** Counts nodes that stand in the text. Throws YamlError where there are too many. */
  count(nodes: number): void {
    this.#total += nodes;
    if (this.#total - this.#fromAliases > manifestLimits.nodes) {
      throw new YamlError(`document has more than ${manifestLimits.nodes} nodes; ${tooLargeRemedy}`);
    }
    this.#check();
  }

  /** Counts the nodes that an alias stands for. */
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
