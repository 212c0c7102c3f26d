/** Asks the API server whether fluxd, or a service account for it, has the permissions that fluxd needs. */
import { type Checkup, type Finding, failed, isJsonObject, passed } from "@weir/base";
import { identityOf, printRight, type Right, type ServiceAccount } from "@weir/kube";
import type { Discovery, RestClient } from "@weir/kube/rest";
import {
  type KindInUse,
  lackingVerbs,
  neededRights,
  type RbacRule,
  readRules,
  type Undertaking,
} from "./rights.ts";
import { workloadGroupKinds } from "./workloads.ts";

const subject = "permissions";
const reviews = "/apis/authorization.k8s.io/v1";
/** How many missing permissions to show; whoever grants them has to look at the Roles anyway. */
const told = 10;

/** Checks that fluxd can read and write what's in git, and list workloads. */
export function accessCheckup(options: AccessOptions): Checkup {
  return { subject, look: (signal) => look(options, signal) };
}

export interface AccessOptions extends Undertaking {
  readonly client: RestClient;
  readonly discovery: Discovery;
  /** The kinds that were in git at the last sync. */
  readonly kindsInUse: () => readonly KindInUse[];
  /** Whose permissions to check; by default, those of the client's own account. */
  readonly account?: ServiceAccount;
}

async function look(options: AccessOptions, signal: AbortSignal): Promise<readonly Finding[]> {
  const { allowedNamespaces } = options;
  const everything = { group: "*", resource: "*", namespace: "", verbs: ["*"] };
  if ((await lackingByReview(everything, options, signal)).length === 0) {
    return [passed(subject, "fluxd has full access to the cluster")];
  }
  const lacks = await missingRights(options, signal);
  if (lacks.length > 0) {
    return [failed(subject, `fluxd doesn't have permission to ${listOf(lacks)}`, advice)];
  }
  const where = allowedNamespaces.size === 0 ? "" : `, in ${[...allowedNamespaces].join(", ")}`;
  return [passed(subject, `fluxd has the permissions that it needs to sync${where}`)];
}

const advice =
  "grant these permissions to fluxd's service account in a Role; `fluxctl install --least-privilege` prints Roles with the usual permissions, and --grant adds more kinds";

function listOf(lacks: readonly Right[]): string {
  const shown = lacks.slice(0, told).map(printRight).join("; ");
  return lacks.length > told ? `${shown}; and ${lacks.length - told} more` : shown;
}

/** The permissions that fluxd needs but doesn't have, each with the missing verbs. */
async function missingRights(options: AccessOptions, signal: AbortSignal): Promise<readonly Right[]> {
  const { client, account } = options;
  const rules = new Map<string, Promise<readonly RbacRule[]>>();
  const rulesIn = (namespace: string): Promise<readonly RbacRule[]> => {
    const asked = rules.get(namespace) ?? askRules(namespace, client, signal);
    rules.set(namespace, asked);
    return asked;
  };
  const rights = await rightsOf(options);
  const lacking = await Promise.all(
    rights.map(async (right) =>
      // A SelfSubjectRulesReview answers only for a namespace, and only for the client's own account.
      right.namespace === "" || account !== undefined
        ? lackingByReview(right, options, signal)
        : lackingVerbs(right, await rulesIn(right.namespace)),
    ),
  );
  return rights.flatMap((right, index) => {
    const verbs = lacking[index] ?? [];
    return verbs.length === 0 ? [] : [{ ...right, verbs }];
  });
}

/** Kinds that the server doesn't serve need no permissions. */
async function rightsOf(options: AccessOptions): Promise<readonly Right[]> {
  const { discovery, kindsInUse } = options;
  const synced = await Promise.all(
    kindsInUse().map(async ({ namespace, ...gvk }) => {
      const resource = await discovery.resourceFor(gvk);
      return resource === undefined ? [] : [{ resource, namespace: resource.namespaced ? namespace : "" }];
    }),
  );
  const listed = (await discovery.kinds())
    .map(({ versions }) => versions[0])
    .filter(({ group, kind }) =>
      workloadGroupKinds.some((each) => each.group === group && each.kind === kind),
    );
  return neededRights(synced.flat(), listed, options);
}

async function askRules(
  namespace: string,
  client: RestClient,
  signal: AbortSignal,
): Promise<readonly RbacRule[]> {
  const body = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } };
  return readRules(
    await client.json({ method: "POST", path: `${reviews}/selfsubjectrulesreviews`, body, signal }),
  );
}

/** The verbs of a right that fluxd doesn't have, with a separate request for each. */
async function lackingByReview(
  { group, resource, namespace, verbs }: Right,
  options: AccessOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const place = namespace === "" ? {} : { namespace };
  const allowed = await Promise.all(
    verbs.map((verb) => may({ group, resource, verb, ...place }, options, signal)),
  );
  return verbs.filter((_, index) => allowed[index] !== true);
}

async function may(
  resourceAttributes: Readonly<Record<"group" | "resource" | "verb", string>>,
  { client, account }: Pick<AccessOptions, "client" | "account">,
  signal: AbortSignal,
): Promise<boolean> {
  const kind = account === undefined ? "SelfSubjectAccessReview" : "SubjectAccessReview";
  const body = {
    apiVersion: "authorization.k8s.io/v1",
    kind,
    spec: { resourceAttributes, ...(account === undefined ? {} : identityOf(account)) },
  };
  const path = `${reviews}/${kind.toLowerCase()}s`;
  const answer = await client.json({ method: "POST", path, body, signal });
  const status = isJsonObject(answer) ? answer["status"] : undefined;
  return isJsonObject(status) && status["allowed"] === true;
}
