import { objectIn, parseJsonObject, textIn } from "@weir/http";
import { parseXml } from "./parse-xml.ts";
import type { AwsKeys } from "./signature.ts";

const what = "the response of the AWS security token service";

/**
 * The temporary keys in a response of the security token service; "" for missing values. The service responds in XML,
 * or in JSON of the same shape if it respects the Accept header. Throws WireError for anything else.
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
