import { KeyServiceError } from "./errors.ts";

const apiUrl = "https://cloudkms.googleapis.com/v1/";
/** Names have these characters; project IDs can be in a domain, as in example.com:project. */
const name = "[A-Za-z0-9_-][A-Za-z0-9_.:-]*";
const resource = new RegExp(`^projects/${name}/locations/${name}/keyRings/${name}/cryptoKeys/${name}$`);

/** The URL that decrypts with a key. Throws KeyServiceError for an invalid resource ID. */
export function gcpDecryptUrl(resourceId: string): URL {
  if (!resource.test(resourceId)) {
    throw new KeyServiceError(
      "this isn't the resource ID of a key in Google Cloud KMS, such as projects/<id>/locations/global/keyRings/<ring>/cryptoKeys/<key>; correct the file's sops metadata",
    );
  }
  return new URL(`${resourceId}:decrypt`, apiUrl);
}
