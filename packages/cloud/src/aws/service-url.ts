/** The domains of the partitions other than the public one, by the prefix of their regions. */
const domains: readonly (readonly [prefix: string, domain: string])[] = [
  ["cn-", "amazonaws.com.cn"],
  ["us-iso-", "c2s.ic.gov"],
  ["us-isob-", "sc2s.sgov.gov"],
  ["us-isof-", "csp.hci.ic.gov"],
  ["eu-isoe-", "cloud.adc-e.uk"],
  ["eusc-", "amazonaws.eu"],
];

/**
 * The URL of a service in a region.
 * https://docs.aws.amazon.com/general/latest/gr/rande.html
 */
export function awsServiceUrl(service: string, region: string): string {
  const [, domain = "amazonaws.com"] = domains.find(([prefix]) => region.startsWith(prefix)) ?? [];
  return `https://${service}.${region}.${domain}/`;
}
