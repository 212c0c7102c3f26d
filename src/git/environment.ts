import type { Environment } from "@weir/base";

/** The variables that git is started with. */
export type GitEnvironment = Readonly<Record<string, string>>;

/**
 * What git gets of our own environment, as Flux v1 has it: proxies (git follows curl, so no HTTP_PROXY), where
 * git, ssh and GPG find their files, what helpers of cloud providers and of git-secret need, and the library
 * that gives a name to a user without one. PATH is for finding git and what it runs.
 */
const inherited: readonly string[] = [
  "PATH",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "HTTPS_PROXY",
  "NO_PROXY",
  "GIT_PROXY_COMMAND",
  "HOME",
  "GNUPGHOME",
  "SECRETS_DIR",
  "SECRETS_EXTENSION",
  "CLOUDSDK_CONFIG",
  "CLOUDSDK_PYTHON",
  "NSS_WRAPPER_PASSWD",
  "NSS_WRAPPER_GROUP",
  "LD_PRELOAD",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_ROLE_ARN",
];

/** The transports that git may use, whatever a URL or a redirect says; git's own list of helpers is longer. */
const transports = "file:ftp:ftps:git:http:https:ssh";

/** The environment that git is run in, of the one that the program was started in. Git never asks anybody. */
export function gitEnvironment(own: Environment): GitEnvironment {
  const passed = inherited.flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), GIT_TERMINAL_PROMPT: "0", GIT_ALLOW_PROTOCOL: transports };
}
