import { syncedFilesWithNamespace } from "./synced-files.ts";

/** The namespace of the many workloads. */
export const crowd = "crowd";

const perFile = 10;

/** So many Deployments beside what is usually synced. One in ten has a pod; the others are scaled to zero. */
export function manyWorkloads(count: number): Readonly<Record<string, string>> {
  const files = Array.from({ length: Math.ceil(count / perFile) }, (_, index) => [
    `crowd/${index}.yaml`,
    Array.from({ length: Math.min(perFile, count - index * perFile) }, (_, at) =>
      workload(`app-${index * perFile + at}`, at === 0 ? 1 : 0),
    ).join("---\n"),
  ]);
  return {
    ...syncedFilesWithNamespace,
    "namespaces/crowd.yaml": `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${crowd}\n`,
    ...(Object.fromEntries(files) as Readonly<Record<string, string>>),
  };
}

function workload(name: string, replicas: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: ${crowd}
spec:
  replicas: ${replicas}
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      containers:
      - name: app
        image: registry.example.test/crowd/app:1.0.0
`;
}
