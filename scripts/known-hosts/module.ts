/** The source of src/switching/takeover/known-hosts.ts: the hosts of a known_hosts file, each once. */
export function knownHostsModule(file: string): string {
  const hosts = file
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .flatMap((line) => line.trim().split(/\s+/)[0]?.split(",") ?? []);
  return `const hosts = \`
${[...new Set(hosts)].toSorted().join("\n")}
\`;

/** Hosts whose keys are in the image. Generated from docker/known_hosts by \`npm run generate\`. */
export const knownHosts: readonly string[] = hosts.trim().split("\\n");
`;
}
