/** A ref that a push couldn't update, from git's output. */
export interface PushRefusal {
  /** The ref's name as git prints it: without refs/heads/ and refs/tags/. */
  readonly ref: string;
  /** Upstream refused it, or git didn't even send it. */
  readonly by: "git" | "upstream";
  readonly reason: string;
}

/** The refused refs of a push, from lines such as " ! [rejected]  main -> main (fetch first)". */
export function parsePushRefusals(output: string): readonly PushRefusal[] {
  return output.split("\n").flatMap((line) => {
    const [, remote, ref, reason] = /^ ! \[(remote )?rejected\]\s+\S+ -> (\S+) \((.*)\)$/.exec(line) ?? [];
    return ref === undefined || reason === undefined
      ? []
      : [{ ref, reason, by: remote === undefined ? "git" : "upstream" } as const];
  });
}

const moved = /^cannot lock ref '.*': is at [0-9a-f]+ but expected [0-9a-f]+$/;

/**
 * True if a ref couldn't be updated only because somebody else had pushed to it: before git asked for its value, or
 * between that and the update. False for anything that a hook or the server's rules refuse.
 */
export function isOvertaken(refusals: readonly PushRefusal[], ref: string, output: string): boolean {
  const short = shortRef(ref);
  const refusal = refusals.find((each) => each.ref === short);
  if (refusal === undefined) {
    return false;
  }
  if (refusal.by === "git") {
    return ["fetch first", "non-fast-forward"].includes(refusal.reason);
  }
  // What git itself says on a server; a hook's refusal always has the reason "hook declined".
  const isLost = refusal.reason === "failed to update ref" && hasMoved(output, ref);
  return isLost || refusal.reason === "incorrect old value provided" || moved.test(refusal.reason);
}

/** The ref's name as git prints it. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(heads|tags)\//, "");
}

function hasMoved(output: string, ref: string): boolean {
  return output.split("\n").some((line) => {
    const said = /^remote: error: (.*?)\s*$/.exec(line)?.[1] ?? "";
    return moved.test(said) && said.startsWith(`cannot lock ref '${ref}'`);
  });
}
