import type { Environment } from "@weir/base";

/** The environment variables for git. */
export type GitEnvironment = Readonly<Record<string, string>>;

/**
 * The variables that git inherits, same as in Flux v1: proxies (git uses curl, so no HTTP_PROXY), where git, ssh, and
 * GPG find their files, what helpers of cloud providers and of git-secret need, and the library that gives a name to a
 * user without one. PATH is for finding git and its helpers.
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

/** The transports that git may use, whatever a URL or a redirect says. Git's own list includes more helpers. */
const transports = "file:ftp:ftps:git:http:https:ssh";

/** The environment for git, derived from the program's own. Git never prompts. */
export function gitEnvironment(own: Environment): GitEnvironment {
  const passed = inherited.flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), GIT_TERMINAL_PROMPT: "0", GIT_ALLOW_PROTOCOL: transports };
}
