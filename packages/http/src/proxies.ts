import type { Environment } from "@weir/base";
import type { ProxySettings } from "./undici-transport.ts";

/** The proxies in the environment, read like in Go, with upper-case or lower-case names. */
export function proxiesOf(env: Environment): ProxySettings {
  const read = (name: string): string => env[name] ?? env[name.toLowerCase()] ?? "";
  return { http: read("HTTP_PROXY"), https: read("HTTPS_PROXY"), no: read("NO_PROXY") };
}
