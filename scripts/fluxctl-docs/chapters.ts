/** A chapter of the manual that isn't about a single command. Empty lines separate paragraphs; indented ones are code. */
export interface Chapter {
  readonly title: string;
  readonly text: string;
}

/** A summary of fluxctl. */
export const summary =
  "fluxctl shows what a fluxd runs, makes it sync and release, and controls what it can change automatically.";

/** A summary of fluxd. */
export const fluxdSummary =
  "fluxd keeps a Kubernetes cluster in sync with the manifests in a git repository, and updates images in them.";

/** Terms and their meanings. */
export type Terms = readonly (readonly [name: string, meaning: string])[];

/** The environment variables that fluxctl uses. A flag on the command line takes precedence. */
export const environment: Terms = [
  ["FLUX_URL", "the URL of fluxd's API; same as --url"],
  ["FLUX_FORWARD_NAMESPACE", "the namespace of fluxd's pod; same as --k8s-fwd-ns"],
  ["FLUX_FORWARD_LABELS", "the labels of fluxd's pod; same as --k8s-fwd-labels"],
  [
    "FLUX_SERVICE_TOKEN, WEAVE_CLOUD_TOKEN",
    "a token; same as --token; if both are set, the second one counts",
  ],
  ["FLUX_TIMEOUT", "how long to wait; same as --timeout"],
  ["KUBECONFIG", "the kubeconfig files; the default is ~/.kube/config"],
  ["HTTP_PROXY, HTTPS_PROXY, NO_PROXY", "proxies for connections to fluxd's API and to the cluster"],
  ["NO_COLOR", "any value turns off colors (no-color.org)"],
  [
    "CLICOLOR, CLICOLOR_FORCE",
    "CLICOLOR=0 turns off colors; CLICOLOR_FORCE=1 turns them on even without a terminal",
  ],
  ["TERM", "dumb turns off colors, progress, and lists that are updated in place"],
];

/** The exit statuses of fluxctl. */
export const exitStatus: Terms = [
  [
    "0",
    "the command succeeded; also if a release was committed but not applied in time, which fluxctl then reports",
  ],
  ["1", "the command failed, and stderr says why; for diff: something would change"],
  [
    "2",
    "for diff: the changes can't be determined, a manifest can't be loaded, or the API server would refuse an object; for status: something is wrong; for wait: somebody has to act first",
  ],
  ["3", "for wait: the time limit is over"],
  ["130, 143", "the command was interrupted, by Ctrl-C or SIGTERM"],
];

/** Chapters about what several commands have in common. */
export const chapters: readonly Chapter[] = [
  {
    title: "Connecting",
    text: `With --url, fluxctl connects to the API at that URL. With only a token, it connects to Weave Cloud. Otherwise, it finds fluxd's pod through the cluster in the kubeconfig and forwards a port to it. To use a context other than the current one, use --context. The pod is the only running pod in the namespace --k8s-fwd-ns that has the labels --k8s-fwd-labels, or else whose label "name" is flux, fluxd, or weave-flux-agent. This requires permission to list pods and to create pods/portforward in that namespace.

    fluxctl --k8s-fwd-ns=flux list-workloads
    fluxctl --url=http://localhost:3030/api/flux list-workloads

A workload is named <namespace>:<kind>/<name>, or <kind>/<name>. Without a namespace in the name, fluxctl uses the one in --namespace, or else the namespace of the kubeconfig's context, or else default.`,
  },
  {
    title: "Output",
    text: `Results go to stdout: tables, JSON, YAML, keys, and scripts. Progress and errors go to stderr.

Commands that print lists accept -o. The format tab is Flux's table. wide adds columns: replicas, all policies, labels, and messages, or ages and digests of images. json and yaml print all data in the format of the API. name prints a line for each item, as input for another command:

    fluxctl list-workloads -n prod -o name | xargs -n1 fluxctl lock -w

jsonpath=TEMPLATE prints what a template says, in the language of kubectl's -o jsonpath. The template is applied to what -o json prints, so a list of workloads is the list itself, without .items. What isn't there is printed as nothing; a position outside a list is an error:

    fluxctl list-workloads -A -o jsonpath='{range [*]}{.ID}{"\\t"}{.Containers[*].Current.ID}{"\\n"}{end}'
    fluxctl tree -A -o jsonpath='{.resources[?(@.sync=="OutOfSync")].id}'

There are a few differences from kubectl: the fields of an object come in the order of -o json instead of a random one, an empty list hides no other list behind it, whole numbers and fractions can be compared, and a range without an end is an error.

With --watch, fluxctl shows the list again whenever it changes, until you press Ctrl-C. On a terminal, the new list replaces the old one; in a pipe, it follows the old one. If fluxd becomes unavailable in the meantime, fluxctl waits for it. sync --watch and release --watch follow the rollouts of the workloads that they changed until all are ready. If a rollout has a problem, they exit with status 1.

On a terminal, fluxctl uses colors, shows what it's waiting for, and adds advice to errors. In a pipe or a file, it does none of this.`,
  },
  {
    title: "Completion",
    text: `Shells can complete fluxctl's commands and flags, and the names of workloads, namespaces, containers, and images that fluxd currently knows:

    source <(fluxctl completion bash)                             # ~/.bashrc
    source <(fluxctl completion zsh)                              # ~/.zshrc, after compinit
    fluxctl completion fish | source                              # ~/.config/fish/config.fish
    fluxctl completion powershell | Out-String | Invoke-Expression  # $PROFILE`,
  },
];
