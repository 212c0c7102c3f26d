/** What helps if the configured branch doesn't exist. */
export const noBranchAdvice = "push that branch, or set --git-branch to another one";

/** What helps if the git host can't be reached, or not in time. */
export const unreachableAdvice =
  "check that the cluster can reach the git host; if the host is slow, raise --git-timeout";

/**
 * Problems with git, by the messages of git, ssh, and repository hosts, and their remedies. The first match counts. git
 * exits with the same code for all of them, so only the messages tell them apart.
 */
const remedies: readonly (readonly [problem: RegExp, remedy: (key: string) => string])[] = [
  [
    /could not resolve host/i,
    () => "check the host in --git-url, and make sure that the cluster's DNS resolves external names",
  ],
  [
    /host key verification failed|no \S+ host key is known/i,
    () =>
      "fluxd doesn't know the host's SSH key; add it to a known_hosts file in a ConfigMap, and mount that as described in the comments in flux-deployment.yaml",
  ],
  [/marked as read.only|read-only|readonly/i, (key) => `give fluxd's deploy key write access${keyIn(key)}`],
  [
    /permission denied|publickey|access denied|denied to|not allowed to push/i,
    (key) =>
      key === ""
        ? "check the permissions of the repository, and the user name in --git-url"
        : `add fluxd's deploy key to the repository, with write access${keyIn(key)}`,
  ],
  [
    /authentication failed|could not read username|could not read password|\b40[13]\b/i,
    () =>
      "check the user name and password for the repository, in GIT_AUTHUSER and GIT_AUTHKEY or in --git-url",
  ],
  [
    /not found|does not exist|does not appear to be a git repository|no such file/i,
    (key) =>
      `check --git-url, and that fluxd can read the repository: without read access, some hosts say that it doesn't exist${keyIn(key)}`,
  ],
  [/timed? ?out|connection refused|no route to host|network is unreachable/i, () => unreachableAdvice],
];

/** The remedy for an error from git; `key` is fluxd's public SSH key, "" if it has none. */
export function adviceFor(error: string, key: string): string {
  const [, remedy] = remedies.find(([problem]) => problem.test(error)) ?? [];
  return remedy?.(key.trim()) ?? "see fluxd's log for the full output of git";
}

/** Lines that git prints about itself, or for every failure. */
const boilerplate =
  /^(Cloning into |fatal: Could not read from remote repository|Please make sure you have the correct|and the repository exists|error: failed to push some refs|To \S+$)/;

/** The cause of an error on one line: the line of git's output that names it, or else the start of the error. */
export function gistOf(error: string): string {
  const [head = "", output = ""] = error.split(", full output:");
  const lines = output.split("\n").map((line) => line.trim());
  const why = lines.find((line) => line !== "" && !boilerplate.test(line));
  return why ?? head.trim().replaceAll(/\s*\n\s*/g, " ");
}

function keyIn(key: string): string {
  return key === "" ? "" : `; the key is:\n${key}`;
}
