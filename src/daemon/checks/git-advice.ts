/** What helps where the configured branch is not there. */
export const noBranchAdvice = "push that branch, or name another one with --git-branch";

/** What helps where the git host can't be reached, or not in time. */
export const unreachableAdvice =
  "check that the git host can be reached from the cluster; --git-timeout gives it more time";

/**
 * What went wrong with git, as git, ssh, and the hosts of repositories word it, and what helps. The first one counts.
 * Words are all there is to go by: git ends with the same code whatever it is.
 */
const remedies: readonly (readonly [problem: RegExp, remedy: (key: string) => string])[] = [
  [
    /could not resolve host/i,
    () => "check the host in --git-url, and that names outside the cluster can be looked up in it",
  ],
  [
    /host key verification failed|no \S+ host key is known/i,
    () =>
      "the host's SSH key is not known: give fluxd a known_hosts file that has it, in a ConfigMap mounted as the comments in flux-deployment.yaml say",
  ],
  [/marked as read.only|read-only|readonly/i, (key) => `let fluxd's deploy key write, too${keyIn(key)}`],
  [
    /permission denied|publickey|access denied|denied to|not allowed to push/i,
    (key) =>
      key === ""
        ? "check who may write to the repository, and the user of --git-url"
        : `add fluxd's deploy key to the repository, with the right to write${keyIn(key)}`,
  ],
  [
    /authentication failed|could not read username|could not read password|\b40[13]\b/i,
    () => "check user and password of the repository: GIT_AUTHUSER and GIT_AUTHKEY, or what --git-url holds",
  ],
  [
    /not found|does not exist|does not appear to be a git repository|no such file/i,
    (key) =>
      `check --git-url; a repository that is there may also look so to who may not read it${keyIn(key)}`,
  ],
  [/timed? ?out|connection refused|no route to host|network is unreachable/i, () => unreachableAdvice],
];

/** What to do about what git said; `key` is the public SSH key of fluxd, "" where it has none. */
export function adviceFor(error: string, key: string): string {
  const [, remedy] = remedies.find(([problem]) => problem.test(error)) ?? [];
  return remedy?.(key.trim()) ?? "see the log of fluxd for all that git said";
}

/** What git says of itself and of any failure at all. */
const boilerplate =
  /^(Cloning into |fatal: Could not read from remote repository|Please make sure you have the correct|and the repository exists|error: failed to push some refs|To \S+$)/;

/** What went wrong, on one line: of all that git said the line that says why, else what the error begins with. */
export function gistOf(error: string): string {
  const [head = "", output = ""] = error.split(", full output:");
  const lines = output.split("\n").map((line) => line.trim());
  const why = lines.find((line) => line !== "" && !boilerplate.test(line));
  return why ?? head.trim().replaceAll(/\s*\n\s*/g, " ");
}

function keyIn(key: string): string {
  return key === "" ? "" : `; the key is:\n${key}`;
}
