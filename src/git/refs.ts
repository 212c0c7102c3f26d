/** A ref: the object that it points to, and for an annotated tag, the tagged object. */
export interface Ref {
  readonly id: string;
  readonly peeled: string;
}

/** The refs of a repository at one moment, by full name. */
export type Refs = ReadonlyMap<string, Ref>;

/** The format of `git for-each-ref` that parseRefs parses. */
export const refFormat = "%(refname) %(objectname) %(*objectname)";

/** Parses the output of `git for-each-ref`. */
export function parseRefs(output: string): Refs {
  const lines = output.split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const [name = "", id = "", peeled = ""] = line.split(" ");
      return [name, { id, peeled: peeled === "" ? id : peeled }];
    }),
  );
}

/** The full name of a branch. */
export function branchRef(branch: string): string {
  return `refs/heads/${branch}`;
}

/** The full name of a tag. */
export function tagRef(tag: string): string {
  return `refs/tags/${tag}`;
}
