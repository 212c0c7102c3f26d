/** True where the user said of the host, or of all its ports, that it may be asked without verified TLS. */
export function isInsecureHost(domain: string, insecureHosts: readonly string[]): boolean {
  const withoutPort = domain.replace(/:\d+$/, "");
  return insecureHosts.includes(domain) || insecureHosts.includes(withoutPort);
}
