import { automatedRelease } from "../flux-stand-in/automated-release.ts";

/** The namespace of everything that is synced. */
export const team = "team-a";

/** What a repository holds that Flux v1 has synced: automated, locked, and ignored objects among others. */
export const syncedFiles: Readonly<Record<string, string>> = {
  "workloads/auto.yaml": workload("Deployment", "auto", {
    annotations: `
    fluxcd.io/automated: "true"
    fluxcd.io/tag.app: semver:~1.0`,
    image: automatedRelease.image,
  }),
  "workloads/locked.yaml": workload("StatefulSet", "locked", {
    annotations: `
    fluxcd.io/locked: "true"
    fluxcd.io/locked_msg: wait for the audit
    fluxcd.io/locked_user: Ann <ann@example.test>`,
    image: "registry.example.test/team-a/store:3.1.4",
  }),
  "workloads/job.yaml": `# Runs by hand.
apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: ${team}}
spec:
  schedule: "0 4 * * 1"
  suspend: true
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - {name: report, image: "registry.example.test/team-a/report:7"}
`,
  "workloads/rest.yaml": `apiVersion: v1
kind: Service
metadata: {name: auto, namespace: ${team}}
spec:
  selector: {app: auto}
  ports: [{port: 80}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: ${team}}
data: {level: debug, "on": "yes"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: edited, namespace: ${team}}
data: {level: debug}
---
apiVersion: v1
kind: Secret
metadata: {name: password, namespace: ${team}}
data: {password: aHVudGVyMg==}
`,
};

/** The same with a file that makes the namespace. */
export const syncedFilesWithNamespace: Readonly<Record<string, string>> = {
  ...syncedFiles,
  "namespaces/team.yaml": `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${team}\n`,
};

/** A generator that an extra volume brings. */
export const generatorScript =
  "#!/bin/sh\ncat ../namespaces/*.yaml && for file in *.yaml; do echo ---; cat $file; done\n";

/** The same behind that generator, with what updates the images in it. */
export const scriptedFiles: Readonly<Record<string, string>> = {
  ...syncedFilesWithNamespace,
  "workloads/.flux.yaml": `version: 1
commandUpdated:
  generators:
  - command: sh /opt/scripts/generate.sh
  updaters:
  - containerImage:
      command: sed -i "s|$FLUX_IMG:.*|$FLUX_IMG:$FLUX_TAG|" auto.yaml
    policy:
      command: "false"
`,
};

/** What people did to live objects that Flux v1 leaves alone: kubectl commands. */
export const manualChanges: readonly (readonly string[])[] = [
  ["scale", "deployment/auto", "--replicas=2"],
  ["label", "statefulset/locked", "on-call=ann"],
  ["annotate", "configmap/edited", "fluxcd.io/ignore=true"],
  ["patch", "configmap/edited", "--patch", '{"data":{"level":"trace"}}'],
];

function workload(
  kind: string,
  name: string,
  { annotations, image }: { readonly annotations: string; readonly image: string },
): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata:
  name: ${name}
  namespace: ${team}
  annotations:${annotations}
spec:
  ${kind === "StatefulSet" ? `serviceName: ${name}\n  ` : ""}selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      containers:
      - name: app
        image: ${image}
`;
}
