import type { KindRules } from "../resources/kind-rules.ts";
import type { Defaulter } from "../schema/apply-defaults.ts";
import type { Cells } from "../tables/cell-text.ts";

/** What objects of a kind, and the types that they are made of, have where they say nothing; by OpenAPI name. */
export type Defaults = Readonly<Record<string, Defaulter>>;

/** What is known of a built-in kind beyond its schema; each folder beside this file holds one, or a few that go together. */
export interface Kind {
  /** Where its objects are kept, e.g. "deployments.apps". */
  readonly bucket: string;
  readonly rules?: KindRules;
  readonly defaults?: Defaults;
  /** The cells of the tables as which lists of it are shown; name and age alone where they are absent. */
  readonly cells?: Cells;
}
