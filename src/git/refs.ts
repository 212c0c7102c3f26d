/** A ref: what it points at, and the object behind it where that is an annotated tag. */
export interface Ref {
  readonly id: string;
  readonly peeled: string;
}

/** The refs of a repository at one moment, by their full names. */
export type Refs = ReadonlyMap<string, Ref>;

/** The format of `git for-each-ref` that parseRefs reads. */
export const refFormat = "%(refname) %(objectname) %(*objectname)";

/** The refs that `git for-each-ref` listed. */
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
