import { makeVisible } from "@weir/base";
import { dump } from "js-yaml";
import type { DaemonPod } from "../running-install/daemon-pod.ts";
import type { Flux2Export } from "./export.ts";
import type { ExportedObject, LeftOut, NeededSecret } from "./exported-object.ts";
import type { Marker } from "./markers.ts";

/** How wide comments are. */
const width = 110;

/** Prints YAML documents, with the notes as comments. */
export function printExport(exported: Flux2Export, pod: DaemonPod): string {
  return [comment(printNotes(exported, pod)), ...exported.objects.map(printDocument)].join("");
}

/** The notes, in lines: what a person has to do. They go with objects in JSON, too. */
export function printNotes(exported: Flux2Export, pod: DaemonPod): readonly string[] {
  const sections = [
    ["Steps", printSteps(exported, pod)],
    ["Secrets", exported.secrets.flatMap(printSecret)],
    ["Markers", printMarkers(exported.markers)],
    ["Not carried over", exported.leftOut.flatMap(printLeftOut)],
  ] as const;
  return [
    `Objects of Flux v2 for Deployment ${pod.deployment} in namespace ${pod.namespace}.`,
    "For details, see docs/leaving-for-flux-v2.md in the repository of Weir.",
    ...sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : ["", `${title}:`, "", ...lines])),
  ].map(inOneLine);
}

function printSteps({ source, objects, secrets }: Flux2Export, pod: DaemonPod): readonly string[] {
  const { namespace } = source;
  const namesOf = (kind: string): readonly string[] =>
    objects.filter(({ object }) => object.kind === kind).map(({ object }) => object.metadata.name);
  const hasImages = namesOf("ImageRepository").length > 0;
  const resume = namesOf("Kustomization").map((name) => `flux resume kustomization ${name} -n ${namespace}`);
  const automations = namesOf("ImageUpdateAutomation");
  const steps: readonly (readonly [text: string, ...commands: string[]])[] = [
    [
      "Install Flux v2 2.7 or newer, if it isn't there.",
      `flux install --namespace=${namespace}${hasImages ? " --components-extra=image-reflector-controller,image-automation-controller" : ""}`,
    ],
    ...(secrets.length === 0 ? [] : [['Create the Secrets listed under "Secrets".'] as const]),
    ["Apply this file. Everything in it that would change the cluster or git is suspended."],
    [
      "Check that all of these are ready.",
      `kubectl get gitrepositories${hasImages ? ",imagerepositories,imagepolicies" : ""} -n ${namespace}`,
    ],
    ...(automations.length === 0
      ? []
      : [["Add the markers to the manifests, and push. For fluxd, they are only comments."] as const]),
    [
      "Stop fluxd, and wait until its pod is gone.",
      `kubectl scale deployment/${pod.deployment} -n ${pod.namespace} --replicas=0`,
    ],
    ["Let Flux v2 apply the manifests.", ...resume],
    ...automations.map(
      (name) =>
        [
          "Let Flux v2 update images, if each ImagePolicy has chosen the image that runs.",
          `flux resume image update ${name} -n ${namespace}`,
        ] as const,
    ),
  ];
  return steps.flatMap(([text, ...commands], index) => [
    `${index + 1}. ${text}`,
    ...commands.map((command) => `    ${command}`),
  ]);
}

function printSecret({ name, purpose, commands }: NeededSecret): readonly string[] {
  return [`- ${name}: ${purpose}.`, ...commands.map((command) => `    ${command}`)];
}

function printMarkers(markers: readonly Marker[]): readonly string[] {
  const byWorkload = Map.groupBy(markers, ({ workload }) => workload);
  const lines = [...byWorkload].flatMap(([workload, each]) => [
    `- ${workload}`,
    ...each.map(({ image, comment: text }) => `    image: ${image} ${text}`),
  ]);
  return lines.length === 0
    ? []
    : [
        "To add them to a clone of the repository, use `fluxctl export --for=flux2 --mark=DIRECTORY`.",
        "",
        ...lines,
      ];
}

function printLeftOut({ subject, reason, remedy }: LeftOut): readonly string[] {
  return [`- ${subject}: ${reason}.`, `    To do: ${remedy}.`];
}

function printDocument({ object, comments }: ExportedObject): string {
  const text = dump(object, { noRefs: true, lineWidth: -1 });
  // JSON is also YAML, and escapes what would control a terminal.
  const safe = makeVisible(text) === text ? text : `${makeVisible(JSON.stringify(object, undefined, 2))}\n`;
  return `---\n${comment(comments.map(inOneLine))}${safe}`;
}

/** Names and messages come from the cluster, and must not end a comment. */
function inOneLine(text: string): string {
  return makeVisible(text).replaceAll(/[\r\n\u0085\u2028\u2029]+/g, " ");
}

function comment(lines: readonly string[]): string {
  return lines
    .flatMap(wrap)
    .map((line) => (line === "" ? "#\n" : `# ${line}\n`))
    .join("");
}

/** Wraps sentences, but not commands and markers, which are indented. */
function wrap(line: string): readonly string[] {
  if (line.startsWith("    ") && !line.startsWith("    To do:")) {
    return [line];
  }
  const lead = /^ *(?:- |\d+\. )?/.exec(line)?.[0] ?? "";
  const lines: string[] = [];
  let current = lead;
  let isStart = true;
  for (const word of line.slice(lead.length).split(" ")) {
    const longer = isStart ? current + word : `${current} ${word}`;
    if (longer.length > width && !isStart) {
      lines.push(current);
      current = " ".repeat(lead.length) + word;
    } else {
      current = longer;
    }
    isStart = false;
  }
  return [...lines, current];
}
