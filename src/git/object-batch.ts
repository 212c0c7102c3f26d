/** An object of git, as stored. */
export interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly content: Buffer;
}

/** Parses the output of `git cat-file --batch`: one entry for each requested name, undefined if there's no such object. */
export function parseObjects(output: Buffer): readonly (GitObject | undefined)[] {
  const objects: (GitObject | undefined)[] = [];
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf("\n", at);
    const start = (end < 0 ? output.length : end) + 1;
    const [, id, type, size] =
      /^([0-9a-f]{40}|[0-9a-f]{64}) (\w+) (\d+)$/.exec(output.toString("latin1", at, start - 1)) ?? [];
    if (id === undefined || type === undefined || size === undefined) {
      objects.push(undefined);
      at = start;
    } else {
      const length = Number(size);
      objects.push({ id, type, content: output.subarray(start, start + length) });
      // A line break follows the content.
      at = start + length + 1;
    }
  }
  return objects;
}
