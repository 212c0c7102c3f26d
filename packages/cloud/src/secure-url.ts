import { isIP } from "node:net";

/** A URL that credentials must not be sent to. The message names the setting, and shows only the host of the URL. */
export class InsecureUrlError extends Error {
  override readonly name = "InsecureUrlError";
}

/** Where clouds serve the credentials of a machine, a task, or a pod, always without TLS. */
const metadataHosts: readonly string[] = [
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "[fd00:ec2::23]",
  "[fd00:ec2::254]",
  "metadata.google.internal",
];

/**
 * Parses a URL to which credentials may be sent: with TLS, or on this machine or its cloud's metadata service. Throws
 * InsecureUrlError for anything else; `setting` names what the URL comes from.
 */
export function secureUrl(text: string, setting: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new InsecureUrlError(`${setting} isn't a valid URL; it must start with https://`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new InsecureUrlError(`${setting} contains a user name or password; remove it from the URL`);
  }
  if (url.protocol === "http:" && !isLoopback(url) && !metadataHosts.includes(url.hostname)) {
    throw new InsecureUrlError(
      `${setting} names ${url.host} without TLS, so credentials could be read on the way; use https://`,
    );
  }
  return url;
}

/** True for a URL on this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === "localhost" || hostname === "[::1]" || (isIP(hostname) === 4 && hostname.startsWith("127."))
  );
}
