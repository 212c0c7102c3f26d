const hosts = `
[source.developers.google.com]:2022
bitbucket.org
github.com
gitlab.com
ssh.dev.azure.com
vs-ssh.visualstudio.com
`;

/** Hosts whose keys are in the image. Generated from docker/known_hosts by `npm run generate`. */
export const knownHosts: readonly string[] = hosts.trim().split("\n");
