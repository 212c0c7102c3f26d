import { errorCode, type JsonObject, messageOf, TimeoutError } from "@weir/base";
import {
  askCloudForJson,
  CloudError,
  type CloudRequest,
  describeCloudFailure,
  withRetries,
} from "@weir/cloud";
import { type HttpTransport, OversizedBodyError, WireError } from "@weir/http";
import type { KeyServiceContext } from "./context.ts";
import { KeyServiceError } from "./errors.ts";

/** A request to decrypt. */
export interface DecryptRequest {
  /** The name of the service for people, such as "AWS KMS". */
  readonly service: string;
  /** Creates the request for each attempt, because signatures are valid for a short time. */
  readonly request: () => CloudRequest;
  readonly transport: HttpTransport;
  /** What must not be in a message. */
  readonly secrets: readonly string[];
  /** What a person can do about a response with this status, beyond what the service says. */
  readonly remedyFor: (status: number, answer: string) => string;
  /** How a person makes the certificate of the service trusted. */
  readonly trustRemedy?: string;
  /** Called if the service doesn't accept the credentials. */
  readonly onRefusedCredentials: () => void;
}

/** Sends a request to decrypt, up to four times. Rejects with KeyServiceError. */
export async function askToDecrypt(
  asked: DecryptRequest,
  { clock, random }: Pick<KeyServiceContext, "clock" | "random">,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { request, transport } = asked;
  try {
    return await withRetries(
      () => askCloudForJson(request(), { transport, clock }, signal),
      { clock, random },
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    throw refusalOf(error, asked);
  }
}

function refusalOf(
  error: unknown,
  { service, secrets, remedyFor, trustRemedy, onRefusedCredentials }: DecryptRequest,
): KeyServiceError {
  const reason = describeCloudFailure(error, secrets);
  if (!(error instanceof CloudError)) {
    return new KeyServiceError(
      `can't decrypt with ${service}: ${untrusted(error) ?? reason}${networkRemedy(error, trustRemedy)}`,
    );
  }
  if (areCredentialsRefused(error)) {
    onRefusedCredentials();
  }
  return new KeyServiceError(
    `can't decrypt with ${service}: ${reason}; ${remedyFor(error.status, error.answer) || usualRemedy(error)}`,
  );
}

/** The problem with a certificate, without Node's advice, which doesn't apply; undefined for other errors. */
function untrusted(error: unknown): string | undefined {
  const isAboutTrust = /CERT|SIGNATURE|ISSUER/.test(errorCode(error) ?? "");
  return isAboutTrust ? messageOf(error).replace(/;.*/s, "") : undefined;
}

/** Errors of connections have codes; responses that can't be parsed come from something other than the service. */
function networkRemedy(
  error: unknown,
  trustRemedy = "add the authority that issued it to the machine's certificates",
): string {
  if (untrusted(error) !== undefined) {
    return `; ${trustRemedy}`;
  }
  if (errorCode(error) !== undefined || error instanceof TimeoutError) {
    return "; check that this host can reach the service";
  }
  return error instanceof WireError || error instanceof OversizedBodyError
    ? "; check whether a proxy responds in place of the service"
    : "";
}

function areCredentialsRefused({ status, answer }: CloudError): boolean {
  return (
    status === 401 ||
    /\b(?:ExpiredToken|UnrecognizedClient|InvalidClientTokenId|InvalidSignature)/.test(answer)
  );
}

function usualRemedy({ status }: CloudError): string {
  if (status >= 300 && status < 400) {
    return "redirects aren't followed, because credentials would be sent elsewhere; check the address";
  }
  return status === 429 || status >= 500
    ? "the service is overloaded or down, try again later"
    : "check the key and its permissions";
}

/** The credentials that a request needs. */
export interface CredentialRequest<T> {
  /** The name of the service for people. */
  readonly service: string;
  readonly get: () => Promise<T>;
  /** What a person can set up so that credentials are found. */
  readonly remedy: string;
}

/** Gets credentials, in up to four attempts. Rejects with KeyServiceError. */
export async function findCredentials<T>(
  { service, get, remedy }: CredentialRequest<T>,
  { clock, random }: Pick<KeyServiceContext, "clock" | "random">,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await withRetries(get, { clock, random }, signal);
  } catch (error) {
    signal.throwIfAborted();
    const isFound = !(error instanceof CloudError) && networkRemedy(error) === "";
    const reason = describeCloudFailure(error);
    throw new KeyServiceError(`no credentials for ${service}: ${reason}${isFound ? "" : `; ${remedy}`}`);
  }
}
