import assert from "node:assert/strict";
import type { Finding } from "@weir/base";
import { until } from "@weir/testing";
import { runFluxctl } from "./fluxctl.ts";
import type { Fluxd } from "./fluxd.ts";

/** What fluxctl check found. */
export interface Checked {
  readonly exit: number;
  readonly stderr: string;
  readonly findings: readonly Finding[];
  /** "subject verdict" of each. */
  readonly verdicts: readonly string[];
}

/** Runs fluxctl check. */
export async function check(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Checked> {
  const { exit, stdout, stderr } = await runFluxctl(["check", "-o", "json", ...args], env);
  const findings = JSON.parse(stdout) as readonly Finding[];
  return { exit, stderr, findings, verdicts: findings.map((each) => `${each.subject} ${each.verdict}`) };
}

/** What was found of one thing. */
export function findingOf({ findings }: Checked, subject: string): Finding {
  const found = findings.find((each) => each.subject === subject);
  assert.ok(found, `nothing was found of ${subject}: ${JSON.stringify(findings)}`);
  return found;
}

/** Checks by the API of a fluxd until a finding is as it should be, or time is up. */
export async function checkUntil(
  fluxd: Fluxd,
  subject: string,
  verdict: Finding["verdict"],
): Promise<Checked> {
  await fluxd.ready();
  let checked: Checked | undefined;
  await until(`${subject} to have ${verdict}`, async () => {
    checked = await check([], { FLUX_URL: fluxd.apiUrl });
    return checked.verdicts.includes(`${subject} ${verdict}`);
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}; found: ${JSON.stringify(checked?.findings)}`, { cause: error });
  });
  assert.ok(checked);
  return checked;
}
