/** The media types of manifests. */
export const mediaTypes = {
  schema1: "application/vnd.docker.distribution.manifest.v1+json",
  signedSchema1: "application/vnd.docker.distribution.manifest.v1+prettyjws",
  schema2: "application/vnd.docker.distribution.manifest.v2+json",
  dockerList: "application/vnd.docker.distribution.manifest.list.v2+json",
  ociManifest: "application/vnd.oci.image.manifest.v1+json",
  ociIndex: "application/vnd.oci.image.index.v1+json",
} as const;

/**
 * The media types that we read, in order of preference. Unlike in Flux v1, this includes OCI manifests. The order never
 * changes, so that a registry that converts between formats sends the same digest each time.
 */
export const acceptedManifests: string = [
  mediaTypes.schema2,
  mediaTypes.ociManifest,
  mediaTypes.dockerList,
  mediaTypes.ociIndex,
  `${mediaTypes.signedSchema1};q=0.5`,
  `${mediaTypes.schema1};q=0.4`,
].join(", ");
