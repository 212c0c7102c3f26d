/** How Flux v2 chooses a tag: which tags it considers, and how it sorts them. */
export interface TagPolicy {
  /** In Go's syntax, not anchored; undefined for all tags. */
  readonly filter?: TagFilter;
  readonly order: TagOrder;
}

/** Which tags match, and which part they're sorted by; without `extract`, the whole tag. */
export interface TagFilter {
  readonly pattern: string;
  readonly extract?: string;
}

/** A range of versions, or an order whose last tag is chosen. */
export type TagOrder =
  | { readonly kind: "semver"; readonly range: string }
  | { readonly kind: "numerical" }
  | { readonly kind: "alphabetical" };

/** The name of the group for the glob's only star. */
const part = "part";

/** Turns a glob into a filter in which a star matches `star`: `master-*` becomes `^master-(?P<part>.*)$`. */
export function globFilter(glob: string, star: string): TagFilter | undefined {
  const pieces = glob.split("*").map(quoteForGo);
  if (glob === "*") {
    return star === anything ? undefined : { pattern: `^(?P<${part}>${star})$`, extract: `$${part}` };
  }
  return pieces.length === 2
    ? { pattern: `^${pieces.join(`(?P<${part}>${star})`)}$`, extract: `$${part}` }
    : { pattern: `^${pieces.join(anything)}$` };
}

/** Any run of characters. */
export const anything = ".*";

/** A number. */
export const digits = "[0-9]+";

function quoteForGo(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, (char) => `\\${char}`);
}
