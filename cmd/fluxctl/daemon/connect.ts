import { AdvisedError } from "@weir/base";
import { ApiClient } from "@weir/flux/client";
import { cloudUrl, fillFromEnvironment, type GlobalFlags } from "../flags/globals.ts";
import type { Terminal } from "../terminal.ts";

/** A connection to a daemon; closed when it's disposed. */
export interface Connection extends AsyncDisposable {
  readonly client: ApiClient;
}

/**
 * Connects to the daemon like Flux v1: with --url, with only a token to Weave Cloud, or else by forwarding a
 * port of the daemon's pod. Rejects with ApiUrlError, or if the cluster or the pod isn't found.
 */
export async function connect(
  flags: GlobalFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Connection> {
  fillFromEnvironment(flags, terminal);
  const token = flags.token.value;
  const url = flags.url.value !== "" || token === "" ? flags.url.value : cloudUrl;
  if (url !== "") {
    return connectionTo(parseApiUrl(url), token, terminal);
  }
  const { forwardToDaemon } = await import("./forward.ts");
  const forward = await forwardToDaemon(flags, terminal.env, signal);
  return connectionTo(new URL(`http://127.0.0.1:${forward.localPort}/api/flux`), token, terminal, forward);
}

/** The URL of the API is invalid; the message hides a password in it. */
export class ApiUrlError extends AdvisedError {
  override readonly name = "ApiUrlError";

  constructor(url: string, reason: string) {
    super(`parsing URL: parse "${url.replace(/\/\/[^@/]*@/, "//***@")}": ${reason}`, [
      "The URL of fluxd's API looks like http://localhost:3030/api/flux.",
    ]);
  }
}

function connectionTo(url: URL, token: string, { env }: Terminal, way?: AsyncDisposable): Connection {
  const client = new ApiClient({ url, token, env });
  return {
    client,
    async [Symbol.asyncDispose]() {
      client.close();
      await way?.[Symbol.asyncDispose]();
    },
  };
}

function parseApiUrl(url: string): URL {
  if (/[\0-\x1f\x7f]/.test(url)) {
    throw new ApiUrlError(encodeURI(url), "net/url: invalid control character in URL");
  }
  if (url.startsWith(":")) {
    throw new ApiUrlError(url, "missing protocol scheme");
  }
  const [escape] = /%(?![0-9a-f]{2}).{0,2}/i.exec(url) ?? [];
  if (escape !== undefined) {
    throw new ApiUrlError(url, `invalid URL escape "${escape}"`);
  }
  // As Flux v1, an unsupported scheme is reported when a request is sent.
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) {
    throw new ApiUrlError(url, "it should begin with http:// or https://");
  }
  if (!URL.canParse(url)) {
    throw new ApiUrlError(url, "invalid URL");
  }
  return new URL(url);
}
