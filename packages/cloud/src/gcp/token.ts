/** Tokens for Google's APIs, from any kind of credentials. */
import { createPrivateKey, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseJsonObject, textIn, WireError } from "@weir/http";
import { askCloud, askCloudForJson, type CloudAccess } from "../request.ts";
import type { AccessToken } from "../token.ts";
import { requestToken } from "../token-request.ts";
import {
  type ExternalAccount,
  type GoogleCredentials,
  GoogleCredentialsError,
  type ServiceAccount,
  type SubjectToken,
} from "./credentials-file.ts";

const scope = "https://www.googleapis.com/auth/cloud-platform";
const lifeSeconds = 3_600;

/** Gets a token. Rejects with CloudError if Google refuses, and with GoogleCredentialsError if a key is invalid. */
export async function tokenOf(
  credentials: GoogleCredentials,
  access: CloudAccess,
  signal: AbortSignal,
): Promise<AccessToken> {
  switch (credentials.kind) {
    case "service-account": {
      const form = {
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: await signedAssertion(credentials, access.clock.now()),
      };
      return requestToken({ url: credentials.tokenUrl, form }, access, signal);
    }
    case "user": {
      const form = {
        grant_type: "refresh_token",
        client_id: credentials.clientId,
        client_secret: credentials.clientSecret,
        refresh_token: credentials.refreshToken,
      };
      return requestToken({ url: credentials.tokenUrl, form }, access, signal);
    }
    case "external":
      return exchangedToken(credentials, access, signal);
    case "impersonated":
      return impersonatedToken(credentials, access, signal);
  }
}

/** https://developers.google.com/identity/protocols/oauth2/service-account#jwt-auth */
async function signedAssertion(
  { email, privateKey, keyId, tokenUrl }: ServiceAccount,
  now: number,
): Promise<string> {
  const { SignJWT } = await import("jose");
  const seconds = Math.floor(now / 1000);
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(keyId === "" ? {} : { kid: keyId }) })
    .setIssuer(email)
    .setAudience(tokenUrl.href)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + lifeSeconds)
    .sign(keyOf(privateKey, email));
}

function keyOf(pem: string, email: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new GoogleCredentialsError(
      `the private_key of ${email} isn't a valid key in PEM; download the credentials again`,
    );
  }
}

/** https://cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token */
async function exchangedToken(
  { audience, tokenType, tokenUrl, subject }: ExternalAccount,
  access: CloudAccess,
  signal: AbortSignal,
): Promise<AccessToken> {
  const form = {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
    subject_token_type: tokenType,
    subject_token: await subjectToken(subject, access, signal),
    audience,
    scope,
  };
  return requestToken({ url: tokenUrl, form }, access, signal);
}

async function subjectToken(
  { from, member }: SubjectToken,
  access: CloudAccess,
  signal: AbortSignal,
): Promise<string> {
  const [what, text] =
    from.kind === "file"
      ? [from.path, await readFile(from.path, { encoding: "utf8", signal })]
      : [
          `the response of ${from.url.host}`,
          await askCloud({ method: "GET", url: from.url, headers: from.headers }, access, signal),
        ];
  const token = member === "" ? text.trim() : textIn(parseJsonObject(text, what), member);
  if (token === "") {
    throw new GoogleCredentialsError(`${what} contains no token`);
  }
  return token;
}

/** https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken */
async function impersonatedToken(
  { source, url, delegates }: Extract<GoogleCredentials, { kind: "impersonated" }>,
  access: CloudAccess,
  signal: AbortSignal,
): Promise<AccessToken> {
  const { text } = await tokenOf(source, access, signal);
  const headers = { authorization: `Bearer ${text}`, "content-type": "application/json" };
  const body = JSON.stringify({ delegates, scope: [scope], lifetime: `${lifeSeconds}s` });
  const answer = await askCloudForJson({ method: "POST", url, headers, body }, access, signal);
  const token = textIn(answer, "accessToken");
  if (token === "") {
    throw new WireError(`${url.host} issued no token`);
  }
  return { text: token, expires: Date.parse(textIn(answer, "expireTime")) || access.clock.now() };
}
