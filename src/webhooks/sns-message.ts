/** Messages of Amazon SNS and their signatures, as described in "Verifying the signatures of Amazon SNS messages". */
import { verify, X509Certificate } from "node:crypto";
import type { JsonReader } from "@weir/base";
import { HookRefusedError, type Trust } from "./hook.ts";
import { TrustError } from "./trust-error.ts";

/** The signed fields, in order; Subject only if there is one. */
const notificationFields = ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"];
const confirmationFields = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];

const hashOf: ReadonlyMap<string, string> = new Map([
  ["1", "RSA-SHA1"],
  ["2", "RSA-SHA256"],
]);

/** The host of the SNS API in one of the regions. */
const snsHost = /^sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/;
const certificatePath = /^\/SimpleNotificationService-[0-9a-f]+\.pem$/;
const snsSubject = /^CN=sns[a-z0-9.-]*\.amazonaws\.com(?:\.cn)?$/m;

/**
 * Throws HookRefusedError for a message that SNS didn't sign for the topic. TLS guarantees that the certificate is
 * Amazon's: it comes from one of Amazon's hosts, and the message can choose only among the hosts of SNS.
 */
export async function requireSnsSignature(
  message: JsonReader,
  topicArn: string,
  trust: Trust,
): Promise<void> {
  if (topicArn === "" || message.text("TopicArn") !== topicArn) {
    throw new HookRefusedError("unauthorized", "the message isn't from the topic in ecr.topicArn");
  }
  const hash = hashOf.get(message.text("SignatureVersion"));
  if (hash === undefined) {
    throw new HookRefusedError("unauthorized", "the signature has an unknown version");
  }
  const certificate = await certificateAt(message.text("SigningCertURL"), trust);
  const signature = Buffer.from(message.text("Signature"), "base64");
  if (!verify(hash, Buffer.from(signedText(message)), certificate.publicKey, signature)) {
    throw new HookRefusedError("unauthorized", "the signature isn't from SNS");
  }
}

/** Parses a URL of SNS. Throws HookRefusedError for any other, which must never be requested. */
export function snsUrl(text: string): URL {
  const url = URL.parse(text);
  const isPlain = url?.port === "" && url.username === "" && url.password === "";
  if (url === null || !isPlain || url.protocol !== "https:" || !snsHost.test(url.hostname)) {
    throw new HookRefusedError("unauthorized", "a URL in the message isn't a URL of SNS");
  }
  return url;
}

async function certificateAt(text: string, trust: Trust): Promise<X509Certificate> {
  const url = snsUrl(text);
  if (!certificatePath.test(url.pathname) || url.search !== "") {
    throw new HookRefusedError("unauthorized", "the certificate isn't from SNS");
  }
  const certificate = parseCertificate(await certificateFrom(url, trust));
  const now = trust.now();
  const isValid = certificate.validFromDate.getTime() <= now && now <= certificate.validToDate.getTime();
  if (!isValid || !snsSubject.test(certificate.subject)) {
    throw new HookRefusedError("unauthorized", "the certificate isn't from SNS, or isn't valid at this time");
  }
  return certificate;
}

async function certificateFrom(url: URL, trust: Trust): Promise<string> {
  try {
    return await trust.snsCertificate(url);
  } catch (error) {
    if (error instanceof TrustError) {
      throw new HookRefusedError("unavailable", error.message, { cause: error });
    }
    throw error;
  }
}

function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new HookRefusedError("unavailable", "the response from SNS isn't a certificate", { cause: error });
  }
}

function signedText(message: JsonReader): string {
  const fields = message.text("Type") === "Notification" ? notificationFields : confirmationFields;
  return fields
    .filter((field) => field !== "Subject" || message.text(field) !== "")
    .map((field) => `${field}\n${message.text(field)}\n`)
    .join("");
}
