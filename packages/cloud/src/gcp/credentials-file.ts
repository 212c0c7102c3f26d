/**
 * Parses the JSON of Google's credentials. Pure.
 * https://cloud.google.com/docs/authentication/application-default-credentials
 */
import type { JsonObject } from "@weir/base";
import { objectIn, parseJsonObject, textIn } from "@weir/http";
import { secureUrl } from "../secure-url.ts";

/** Credentials, by where their tokens come from. */
export type GoogleCredentials =
  | ServiceAccount
  | {
      readonly kind: "user";
      readonly clientId: string;
      readonly clientSecret: string;
      readonly refreshToken: string;
      readonly tokenUrl: URL;
    }
  | ExternalAccount
  /** Takes on the identity of a service account. */
  | {
      readonly kind: "impersonated";
      readonly source: GoogleCredentials;
      readonly url: URL;
      readonly delegates: readonly string[];
    };

/** A service account, which signs its own requests for tokens. */
export interface ServiceAccount {
  readonly kind: "service-account";
  readonly email: string;
  /** In PEM. */
  readonly privateKey: string;
  readonly keyId: string;
  readonly tokenUrl: URL;
}

/** An identity of another provider, whose token Google exchanges. */
export interface ExternalAccount {
  readonly kind: "external";
  readonly audience: string;
  readonly tokenType: string;
  readonly tokenUrl: URL;
  readonly subject: SubjectToken;
}

/** Where the token of the other provider is. */
export interface SubjectToken {
  readonly from:
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "url"; readonly url: URL; readonly headers: Readonly<Record<string, string>> };
  /** The member of a JSON object that has the token; "" if the token isn't in JSON. */
  readonly member: string;
}

/** Credentials can't be used. The message names their file and the remedy, and contains no secret. */
export class GoogleCredentialsError extends Error {
  override readonly name = "GoogleCredentialsError";
}

const usualTokenUrl = "https://oauth2.googleapis.com/token";
/** How deep impersonated credentials can be nested. */
const maxDepth = 3;

/** Parses credentials. `what` names them in errors. Throws GoogleCredentialsError, InsecureUrlError, or WireError. */
export function parseGoogleCredentials(text: string, what: string): GoogleCredentials {
  return credentialsIn(parseJsonObject(text, what), what, 0);
}

function credentialsIn(json: JsonObject, what: string, depth: number): GoogleCredentials {
  const type = textIn(json, "type");
  switch (type) {
    case "service_account":
      return {
        kind: "service-account",
        email: required(json, "client_email", what),
        privateKey: required(json, "private_key", what),
        keyId: textIn(json, "private_key_id"),
        tokenUrl: urlIn(json, "token_uri", what),
      };
    case "authorized_user":
      return {
        kind: "user",
        clientId: required(json, "client_id", what),
        clientSecret: required(json, "client_secret", what),
        refreshToken: required(json, "refresh_token", what),
        tokenUrl: urlIn(json, "token_uri", what),
      };
    case "external_account":
      return impersonated(externalAccount(json, what), json, what);
    case "impersonated_service_account":
      if (depth >= maxDepth) {
        throw new GoogleCredentialsError(`${what} has too many levels of source_credentials`);
      }
      required(json, "service_account_impersonation_url", what);
      return impersonated(credentialsIn(objectIn(json, "source_credentials"), what, depth + 1), json, what);
    default:
      throw new GoogleCredentialsError(
        `${what} has ${type === "" ? "no type" : `the type ${JSON.stringify(type)}, which isn't supported`}; use the key of a service account, or workload identity`,
      );
  }
}

function externalAccount(json: JsonObject, what: string): ExternalAccount {
  const source = objectIn(json, "credential_source");
  const format = objectIn(source, "format");
  const [file, url] = [textIn(source, "file"), textIn(source, "url")];
  if (file === "" && (url === "" || textIn(source, "environment_id") !== "")) {
    throw new GoogleCredentialsError(
      `${what} has a credential_source other than a file or a URL, which isn't supported; mount a token as a file`,
    );
  }
  return {
    kind: "external",
    audience: required(json, "audience", what),
    tokenType: required(json, "subject_token_type", what),
    tokenUrl: secureUrl(required(json, "token_url", what), `token_url in ${what}`),
    subject: {
      from:
        file === ""
          ? {
              kind: "url",
              url: secureUrl(url, `credential_source.url in ${what}`),
              headers: textsIn(objectIn(source, "headers")),
            }
          : { kind: "file", path: file },
      member: textIn(format, "type") === "json" ? textIn(format, "subject_token_field_name") : "",
    },
  };
}

function impersonated(source: GoogleCredentials, json: JsonObject, what: string): GoogleCredentials {
  const url = textIn(json, "service_account_impersonation_url");
  const delegates = json["delegates"];
  return url === ""
    ? source
    : {
        kind: "impersonated",
        source,
        url: secureUrl(url, `service_account_impersonation_url in ${what}`),
        delegates: Array.isArray(delegates) ? delegates.filter((each) => typeof each === "string") : [],
      };
}

function urlIn(json: JsonObject, key: string, what: string): URL {
  return secureUrl(textIn(json, key) || usualTokenUrl, `${key} in ${what}`);
}

function required(json: JsonObject, key: string, what: string): string {
  const text = textIn(json, key);
  if (text === "") {
    throw new GoogleCredentialsError(`${what} has no ${key}; download the credentials again`);
  }
  return text;
}

function textsIn(json: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])),
  );
}
