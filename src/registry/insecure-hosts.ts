/** True if the user allows the host, or all its ports, without verified TLS. */
export function isInsecureHost(domain: string, insecureHosts: readonly string[]): boolean {
  const withoutPort = domain.replace(/:\d+$/, "");
  return insecureHosts.includes(domain) || insecureHosts.includes(withoutPort);
}
