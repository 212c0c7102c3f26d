/** A repository of images: an optional domain and a path, as written (not canonical). */
export interface ImageName {
  readonly domain: string;
  readonly image: string;
}

const dockerHub = "index.docker.io";
const dockerHubDomains: readonly string[] = ["", "docker.io", dockerHub];

/** The text of a name, as it was written; empty if there's no path. */
export function printImageName({ domain, image }: ImageName): string {
  return image === "" || domain === "" ? image : `${domain}/${image}`;
}

/** The host that serves the images; by default, Docker Hub's. */
export function registryOf({ domain }: ImageName): string {
  return dockerHubDomains.includes(domain) ? dockerHub : domain;
}

/** The path of the repository in its registry; for Docker Hub's official images, starts with "library/". */
export function repositoryOf({ domain, image }: ImageName): string {
  return dockerHubDomains.includes(domain) && !image.includes("/") ? `library/${image}` : image;
}

/** The name with all defaults filled in; the same for all spellings of a repository. */
export function canonicalImageName(name: ImageName): ImageName {
  return { domain: registryOf(name), image: repositoryOf(name) };
}

/** True if two names are spellings of the same repository. */
export function isSameRepository(a: ImageName, b: ImageName): boolean {
  return registryOf(a) === registryOf(b) && repositoryOf(a) === repositoryOf(b);
}
