/** A repository of images: an optional domain and a path, as written (not canonical). */
export interface ImageName {
  readonly domain: string;
  readonly image: string;
}

const dockerHub = "index.docker.io";
const dockerHubDomains: readonly string[] = ["", "docker.io", dockerHub];

/** The text of a name, as it was written; empty where there is no path. */
export function printImageName({ domain, image }: ImageName): string {
  return image === "" || domain === "" ? image : `${domain}/${image}`;
}

/** The host that serves the images: Docker Hub's where none is given. */
export function registryOf({ domain }: ImageName): string {
  return dockerHubDomains.includes(domain) ? dockerHub : domain;
}

/** The path under which the registry knows the images: "library/" is put before Docker Hub's own. */
export function repositoryOf({ domain, image }: ImageName): string {
  return dockerHubDomains.includes(domain) && !image.includes("/") ? `library/${image}` : image;
}

/** The name with nothing left to convention; equal for all ways to write the same repository. */
export function canonicalImageName(name: ImageName): ImageName {
  return { domain: registryOf(name), image: repositoryOf(name) };
}

/** True where two names are of the same repository, however each is written. */
export function isSameRepository(a: ImageName, b: ImageName): boolean {
  return registryOf(a) === registryOf(b) && repositoryOf(a) === repositoryOf(b);
}
