import { createPrivateKey, type KeyObject, randomUUID, X509Certificate } from "node:crypto";
import { AzureIdentityError } from "./errors.ts";

/** Who signs in, and where. */
export interface AssertionRequest {
  /** The token endpoint, which the assertion is for. */
  readonly url: URL;
  readonly clientId: string;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

const lifeSeconds = 600;

/**
 * A statement that's signed with the key of a certificate, in place of a client secret. `pem` contains both; `path` is
 * its file, for errors. Rejects with AzureIdentityError.
 * https://learn.microsoft.com/entra/identity-platform/certificate-credentials
 */
export async function certificateAssertion(
  pem: string,
  path: string,
  { url, clientId, now }: AssertionRequest,
): Promise<string> {
  const { key, thumbprint } = parsePem(pem, path);
  const { SignJWT } = await import("jose");
  const seconds = Math.floor(now / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: "RS256", typ: "JWT", x5t: thumbprint })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(url.href)
    .setJti(randomUUID())
    .setNotBefore(seconds)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + lifeSeconds)
    .sign(key);
}

function parsePem(pem: string, path: string): { readonly key: KeyObject; readonly thumbprint: string } {
  try {
    const certificate = new X509Certificate(pem);
    const thumbprint = Buffer.from(certificate.fingerprint.replaceAll(":", ""), "hex").toString("base64url");
    return { key: createPrivateKey(pem), thumbprint };
  } catch {
    throw new AzureIdentityError(
      `${path} has no certificate with an unencrypted RSA key in PEM; PKCS #12 isn't supported, convert it with "openssl pkcs12 -nodes"`,
    );
  }
}
