/** What a manifest can be, by its media type. */
export const mediaTypes = {
  schema1: "application/vnd.docker.distribution.manifest.v1+json",
  signedSchema1: "application/vnd.docker.distribution.manifest.v1+prettyjws",
  schema2: "application/vnd.docker.distribution.manifest.v2+json",
  dockerList: "application/vnd.docker.distribution.manifest.list.v2+json",
  ociManifest: "application/vnd.oci.image.manifest.v1+json",
  ociIndex: "application/vnd.oci.image.index.v1+json",
} as const;

/**
 * What we read, the better first. Unlike Flux v1 this has OCI manifests; and the order is always the same, so
 * that a registry that converts between formats gives the same digest each time.
 */
export const acceptedManifests: string = [
  mediaTypes.schema2,
  mediaTypes.ociManifest,
  mediaTypes.dockerList,
  mediaTypes.ociIndex,
  `${mediaTypes.signedSchema1};q=0.5`,
  `${mediaTypes.schema1};q=0.4`,
].join(", ");
