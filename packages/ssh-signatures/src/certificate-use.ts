import type { Certificate } from "./certificate.ts";
import { printName, printTime } from "./print.ts";

/** Why a certificate can't be used at a time, in seconds since 1970; undefined if it can. */
export function certificateProblem(certificate: Certificate, at: number): string | undefined {
  const { kind, principals, validAfter, validBefore } = certificate;
  if (kind === "host") {
    return "the certificate is for a host, and only certificates for users can sign";
  }
  if (BigInt(at) < validAfter) {
    return `the certificate isn't valid before ${printTime(validAfter)}`;
  }
  if (BigInt(at) >= validBefore) {
    return `the certificate expired at ${printTime(validBefore)}`;
  }
  return principals.length === 0 ? "the certificate names no principal" : undefined;
}

/** Why none of a certificate's principals may sign. */
export function unlistedPrincipals({ principals }: Certificate): string {
  return `the certificate is for ${principals.map(printName).join(", ")}, which the line doesn't list`;
}
