import { objectIn, parseJsonObject, textIn } from "../../wire/parse-json.ts";
import { parseXml } from "../../wire/parse-xml.ts";
import type { AwsKeys } from "./signature.ts";

const what = "the answer of the security token service";

/**
 * The keys that the security token service lends for an action; "" for what it does not say. It answers in XML, or in
 * JSON of the same shape where it heeds what is accepted. Throws WireError for what is neither.
 */
export function lentKeys(answer: string, action: string): AwsKeys {
  const isJson = answer.trimStart().startsWith("{");
  const document = isJson ? parseJsonObject(answer, what) : parseXml(answer, what);
  const result = objectIn(objectIn(document, `${action}Response`), `${action}Result`);
  const credentials = objectIn(result, "Credentials");
  return {
    accessKeyId: textIn(credentials, "AccessKeyId"),
    secretAccessKey: textIn(credentials, "SecretAccessKey"),
    sessionToken: textIn(credentials, "SessionToken"),
  };
}
