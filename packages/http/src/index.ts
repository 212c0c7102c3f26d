/** Sends HTTP requests with limits, and parses JSON from outside. */
export { guardedLookup, isForbiddenAddress, isPrivateAddress, type LookUp } from "./addresses.ts";
export { objectIn, parseJsonObject, textIn, WireError } from "./parse-json.ts";
export { proxiesOf } from "./proxies.ts";
export { retryAfterMs } from "./retry-after.ts";
export {
  type AddressRefusal,
  ForbiddenAddressError,
  type HttpAnswer,
  type HttpRequest,
  type HttpTransport,
  OversizedBodyError,
  safeUrl,
} from "./transport.ts";
export {
  createTransport,
  type Network,
  type ProxySettings,
  type TlsSettings,
  type TransportOptions,
} from "./undici-transport.ts";
