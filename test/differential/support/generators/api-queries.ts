import { fc } from "@weir/testing/property";

/** The parameters of a query, in order. */
export type Query = readonly (readonly [key: string, value: string])[];

const workload = fc.constantFrom(
  "default:deployment/web",
  "default:Deployment/Web",
  "<cluster>:namespace/x",
  "a/old",
  "<all>",
  "no id",
  "",
);
const image = fc.constantFrom(
  "<all latest>",
  "example.test/app:1",
  "app:2",
  "app",
  "app@sha256:0123",
  "app:1@sha256:0123",
  "a:b:c",
  "/app:1",
  "",
);

/** A release as old clients ask for it. */
export const oldReleaseQuery: fc.Arbitrary<Query> = fc
  .record({
    service: fc.array(workload, { minLength: 1, maxLength: 2 }),
    image: fc.array(image, { minLength: 1, maxLength: 1 }),
    kind: fc.array(fc.constantFrom("plan", "execute", "Plan", ""), { minLength: 1, maxLength: 1 }),
    exclude: fc.array(workload, { maxLength: 2 }),
    user: fc.array(fc.constantFrom("Ann <a@b.test>"), { maxLength: 1 }),
    message: fc.array(fc.constantFrom("why not"), { maxLength: 1 }),
  })
  .map(asQuery);

/** A question for workloads. */
export const servicesQuery: fc.Arbitrary<Query> = fc
  .record({
    namespace: fc.array(fc.constantFrom("", "default"), { maxLength: 1 }),
    services: fc.array(
      fc.array(workload, { maxLength: 3 }).map((ids) => ids.join(",")),
      { maxLength: 1 },
    ),
  })
  .map(asQuery);

function asQuery(values: Readonly<Record<string, readonly string[]>>): Query {
  return Object.entries(values).flatMap(([key, all]) => all.map((value) => [key, value] as const));
}
