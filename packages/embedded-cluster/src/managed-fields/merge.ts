import { isTree, own, put, type Tree, type TreeNode } from "../tree.ts";
import { elementOfItem, indexItems } from "./list-items.ts";
import { type Atom, formOf, type ListAtom, type MapAtom } from "./merge-schema.ts";
import type { PathElement } from "./path-element.ts";

/** The live object with all that a configuration sets. Neither is changed; the result may share parts. */
export function mergeTyped(atom: Atom, live: TreeNode, config: TreeNode): TreeNode {
  return merge(atom, live, config) ?? {};
}

type Side = TreeNode | undefined;

function merge(atom: Atom, live: Side, config: Side): Side {
  const form = formOf(atom, config ?? live);
  if (form.map !== undefined && !form.map.atomic) {
    return mergeMap(form.map, live, config);
  }
  if (form.list !== undefined && form.scalar === undefined && !form.list.atomic) {
    return mergeList(form.list, live, config);
  }
  return config === undefined ? live : config;
}

function mergeMap(map: MapAtom, live: Side, config: Side): Side {
  const old = isTree(live) ? live : {};
  const wanted = isTree(config) ? config : {};
  const keys = new Set([...Object.keys(old), ...Object.keys(wanted)]);
  if (keys.size === 0) {
    return config === undefined ? live : config;
  }
  const merged: Tree = {};
  for (const key of keys) {
    const atom = map.field(key) ?? map.values();
    const value = atom === undefined ? own(old, key) : merge(atom, own(old, key), own(wanted, key));
    if (value !== undefined) {
      put(merged, key, value);
    }
  }
  return Object.keys(merged).length === 0 ? undefined : merged;
}

/**
 * Items of both sides in the configuration's order, items of the live list alone where they stand among them:
 * as structured-merge-diff orders them.
 */
function mergeList(list: ListAtom, live: Side, config: Side): Side {
  const old = Array.isArray(live) ? live : [];
  const wanted = Array.isArray(config) ? config : [];
  if (old.length === 0 && wanted.length === 0) {
    return config === undefined ? live : config;
  }
  const merged = new ListMerge(list, old, wanted).run();
  return merged.length === 0 ? undefined : merged;
}

class ListMerge {
  readonly #list: ListAtom;
  readonly #live: readonly { element: PathElement; item: TreeNode }[];
  readonly #config: readonly PathElement[];
  readonly #liveItems: Map<PathElement, TreeNode[]>;
  readonly #configItems: Map<PathElement, TreeNode[]>;
  readonly #shared: PathElement[];
  readonly #done = new Set<PathElement>();
  readonly #merged: TreeNode[] = [];

  constructor(list: ListAtom, live: readonly TreeNode[], config: readonly TreeNode[]) {
    this.#list = list;
    this.#live = live.flatMap((item) => {
      const found = elementOfItem(list, item);
      return "element" in found ? [{ element: found.element, item }] : [];
    });
    this.#liveItems = indexItems(list, live);
    this.#configItems = indexItems(list, config);
    this.#config = [...this.#configItems.keys()];
    this.#shared = this.#config.filter((element) => this.#liveItems.has(element));
  }

  run(): TreeNode[] {
    let l = 0;
    let c = 0;
    while (l < this.#live.length || c < this.#config.length) {
      const live = this.#live[l];
      const config = this.#config[c];
      if (live !== undefined && live.element === config) {
        this.#take(config);
        this.#shared.shift();
        l++;
        c++;
      } else if (live !== undefined && config !== undefined && this.#isOutOfTurn(live.element)) {
        l++;
      } else if (live !== undefined && !this.#configItems.has(live.element)) {
        this.#push(merge(this.#list.items(), live.item, undefined));
        l++;
      } else {
        if (live !== undefined && this.#done.has(live.element)) {
          l++;
        }
        c += this.#takeNext(config);
      }
    }
    return this.#merged;
  }

  /** A live item that the configuration has too, but later: it waits for its turn there. */
  #isOutOfTurn(element: PathElement): boolean {
    const [next] = this.#shared;
    return this.#configItems.has(element) && next !== undefined && next !== element;
  }

  #takeNext(config: PathElement | undefined): number {
    if (config === undefined) {
      return 0;
    }
    this.#take(config);
    if (this.#shared[0] === config) {
      this.#shared.shift();
    }
    return 1;
  }

  #take(element: PathElement): void {
    const live = this.#liveItems.get(element);
    this.#done.add(element);
    this.#push(
      merge(
        this.#list.items(),
        live?.length === 1 ? live[0] : undefined,
        this.#configItems.get(element)?.[0],
      ),
    );
  }

  #push(item: Side): void {
    if (item !== undefined) {
      this.#merged.push(item);
    }
  }
}
