import { type JsonObject, kubernetesLimits, messageOf } from "@weir/base";
import { filledText, KubeConfigError } from "./kube-config-file.ts";
import { readSmallFile } from "./small-file.ts";

/** Reads a file of a certificate or a key. Rejects with KubeConfigError, which names it. */
export async function readCredentialFile(path: string): Promise<Buffer> {
  return readSmallFile(path, kubernetesLimits.credentialFile).catch((error: unknown) => {
    throw new KubeConfigError(`cannot read ${path}: ${messageOf(error)}`, { cause: error });
  });
}

/** The certificate or key in `field-data` or in the file that `field` names; as client-go, data counts before the file. */
export async function dataOrFile(entry: JsonObject, field: string): Promise<Buffer | undefined> {
  const data = filledText(entry, `${field}-data`);
  const file = filledText(entry, field);
  if (data !== undefined) {
    return Buffer.from(data, "base64");
  }
  return file === undefined ? undefined : readCredentialFile(file);
}
