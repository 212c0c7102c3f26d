import type { Fluxd } from "./fluxd.ts";

/** How many requests a fluxd has sent to the API server so far, by method, or as WATCH. */
export async function requestCounts(fluxd: Fluxd): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(`${fluxd.baseUrl}/metrics`)).text();
  const lines = text.matchAll(/^weir_kube_requests_total\{method="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, method = "", count]) => [method, Number(count)]));
}

/** The value of one sample, given with its labels as it is printed; 0 where there is none. */
export async function sampleOf(fluxd: Fluxd, sample: string): Promise<number> {
  const text = await (await fetch(`${fluxd.baseUrl}/metrics`)).text();
  const line = text.split("\n").find((each) => each.startsWith(`${sample} `));
  return Number(line?.slice(sample.length + 1) ?? 0);
}
