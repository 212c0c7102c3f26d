import { dedent, type PodImage, type PodsKubectl, until } from "@weir/testing";
import { stringify } from "yaml";

/** What a Deployment of the app says. */
export interface AppOptions {
  readonly name?: string;
  readonly image: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Images of an app, whose pods say which one they run: real processes, ready when they have said so. */
export function appImages(repository: string, tags: readonly string[]): readonly PodImage[] {
  const script = 'trap "exit 0" TERM; echo "running $VERSION" > /tmp/version; sleep infinity & wait';
  return tags.map((tag) => ({
    match: `${repository}:${tag}`,
    command: ["sh", "-c", script],
    env: { VERSION: tag },
  }));
}

/** An image whose pods run, and are never ready. */
export function unreadyImage(match: string): PodImage {
  return { match, command: ["sh", "-c", 'trap "exit 0" TERM; sleep infinity & wait'] };
}

/** A Deployment of the app in the namespace demo. */
export function app({ name = "app", image, annotations = {} }: AppOptions): string {
  const lines = Object.entries(annotations).map(([key, value]) => `    ${stringify({ [key]: value })}`);
  return dedent(`
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: ${name}
      namespace: demo
    ANNOTATIONSspec:
      replicas: 1
      selector:
        matchLabels:
          app: ${name}
      template:
        metadata:
          labels:
            app: ${name}
        spec:
          containers:
            - name: main
              image: ${image}
              readinessProbe:
                exec:
                  command: [test, -s, /tmp/version]
                periodSeconds: 1
  `).replace("ANNOTATIONS", lines.length === 0 ? "" : `  annotations:\n${lines.join("")}`);
}

/** Resolves when the running pods of the app are all of one version. */
export async function runs(kubectl: PodsKubectl, tag: string, name = "app"): Promise<void> {
  const workload = { namespace: "demo", name: `deployment/${name}` };
  await until(`${name} ${tag} to be asked for`, async () => {
    const image = "jsonpath={.spec.template.spec.containers[0].image}";
    const { stdout } = await kubectl.run(["get", workload.name, "-n", workload.namespace, "-o", image]);
    return stdout.endsWith(`:${tag}`);
  });
  await kubectl.rolledOut(workload);
  await until(`${name} to run ${tag} alone`, async () => {
    const said = await versions(kubectl, name);
    return said.length > 0 && said.every((version) => version === `running ${tag}`);
  });
}

/** What the pods of the app say that they run. */
async function versions(kubectl: PodsKubectl, name: string): Promise<readonly string[]> {
  const here = ["-n", "demo"];
  const pods = await kubectl.must(["get", "pods", ...here, `--selector=app=${name}`, "-o", "name"]);
  const said = pods
    .split("\n")
    .filter(Boolean)
    .map((pod) => kubectl.must(["exec", ...here, pod, "--", "cat", "/tmp/version"]));
  return (await Promise.all(said)).map((text) => text.trim());
}
