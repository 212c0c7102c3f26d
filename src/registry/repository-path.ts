import { type ImageName, printImageName } from "../image/name.ts";
import { RegistryError } from "./errors.ts";

const hostPattern = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const pathPattern = /^[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)*(?:\/[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)*)*$/;

/**
 * Throws RegistryError for an invalid name. Names come from manifests that anybody may have written, and become part of
 * a URL.
 */
export function checkRepositoryName(name: ImageName): void {
  const text = printImageName(name);
  if (!hostPattern.test(name.domain) || !URL.canParse(`https://${name.domain}/`)) {
    throw new RegistryError({
      image: text,
      failure: "refused",
      why: "the registry in its name isn't a valid host name",
    });
  }
  if (!pathPattern.test(name.image) || name.image.length > 255) {
    throw new RegistryError({
      image: text,
      failure: "refused",
      why: "this isn't a valid repository name",
    });
  }
}
