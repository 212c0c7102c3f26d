/** A URL that Flux v2 fetches from. */
export interface Flux2Url {
  readonly url: string;
  readonly access: "ssh" | "password" | "open";
  /** Without the port. */
  readonly host: string;
  readonly port: string;
  /** The last part of the path, without ".git". */
  readonly repository: string;
}

/**
 * Converts a URL for Flux v2: `git@host:path` becomes `ssh://git@host/path`, and a password is left out. Throws
 * GitUrlError.
 */
export function toFlux2Url(url: string): Flux2Url {
  const short = /^(?:([^@/:]+)@)?([^@/:]+):(?!\/\/)\/?(.+)$/.exec(url);
  if (short) {
    const [, user = "git", host = "", path = ""] = short;
    return sshUrl({ user, host, port: "", path });
  }
  const [, scheme = "", userinfo, host = "", port = "", path = "", query] =
    /^([a-z][a-z0-9+.-]*):\/\/(?:([^/]*)@)?([^/:@]*|\[[^\]]*\])(?::(\d+))?(?:\/([^?#]*))?([?#].*)?$/i.exec(
      url,
    ) ?? [];
  switch (scheme.toLowerCase()) {
    case "ssh":
    case "git+ssh":
    case "ssh+git":
      return sshUrl({ user: userinfo?.split(":")[0] || "git", host, port, path });
    case "http":
    case "https": {
      const place = port === "" ? host : `${host}:${port}`;
      return {
        url: `${scheme.toLowerCase()}://${place}/${path}`,
        access: userinfo === undefined && query === undefined ? "open" : "password",
        host,
        port,
        repository: repositoryIn(path),
      };
    }
    default:
      throw new GitUrlError(scheme === "" && url !== "" ? "a path" : scheme === "" ? "" : `${scheme}://`);
  }
}

/** Flux v2 can't fetch from the URL; the message never contains a password. */
export class GitUrlError extends Error {
  override readonly name = "GitUrlError";
  readonly advice = [
    "Flux v2 fetches over http, https, and ssh. Use --git-url to specify the URL that it should use, such as ssh://git@example.com/org/repo.",
  ];

  constructor(scheme: string) {
    super(
      scheme === ""
        ? "fluxd has no --git-url"
        : `Flux v2 cannot fetch from a git URL that starts with ${scheme}`,
    );
  }
}

interface SshPlace {
  readonly user: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
}

function sshUrl({ user, host, port, path }: SshPlace): Flux2Url {
  const place = port === "" ? host : `${host}:${port}`;
  return { url: `ssh://${user}@${place}/${path}`, access: "ssh", host, port, repository: repositoryIn(path) };
}

function repositoryIn(path: string): string {
  return (
    path
      .replace(/\/+$/, "")
      .replace(/\.git$/, "")
      .split("/")
      .at(-1) ?? ""
  );
}
