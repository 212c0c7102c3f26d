import type { Lesson } from "./lesson.ts";

/**
 * What there is to try, in the order of suggestions. Only what the built fluxctl has is suggested, so that the table may
 * be ahead of it.
 */
export const lessons: readonly Lesson[] = [
  {
    topic: "See what runs, in which version, and who may change it",
    lines: ["fluxctl list-workloads -a"],
    look: "POLICY says that collector is automated: fluxd releases its new images. cart is locked: nobody can release it.",
    tried: { command: "list-workloads" },
  },
  {
    topic: "See each object in git, and what it made in the cluster",
    lines: ["fluxctl tree -n shop"],
    look: "Everything is Synced and Healthy. Below a Deployment are the pods that it owns.",
    tried: { command: "tree" },
  },
  {
    topic: "Ask how fluxd is, in a line",
    lines: ["fluxctl status"],
    look: "The revision is the newest commit in git, and nothing is in the way.",
    tried: { command: "status" },
  },
  {
    topic: "Change something the GitOps way: with a commit",
    lines: [
      "perl -i -pe 's/replicas: 2/replicas: 3/' shop/web.yaml",
      "git commit -qam 'A third web' && git pull -q --rebase && git push -q",
    ],
    look: "fluxd has fetched the commit and applied it: web has three pods now.",
    tried: { seen: "push" },
    leadsTo: "push",
  },
  {
    topic: "Ask why an object is as it is",
    lines: ["fluxctl why shop:deployment/web"],
    look: "It names the file, the line, the commit and its author: the one that you have just pushed.",
    tried: { command: "why" },
  },
  {
    topic: "Wait until everything is synced and healthy, as a script would",
    lines: ["fluxctl wait -A"],
    look: "It returns as soon as it's so. Its exit status tells a script how it went.",
    tried: { command: "wait" },
  },
  {
    topic: "Change the cluster behind git's back",
    lines: ["kubectl -n shop scale deployment/cart --replicas=5"],
    look: "Git says 1, so fluxd has put it back: git is what counts.",
    tried: { seen: "drift" },
    leadsTo: "drift",
  },
  {
    topic: "See what a branch would change, before you merge it",
    lines: [
      "git checkout -q -B preview",
      "perl -i -pe 's/15 2/30 4/' shop/nightly-report.yaml",
      "git commit -qam 'Report later' && git push -qf origin preview",
      "git checkout -q main",
      "fluxctl diff --ref preview",
    ],
    look: "A dry run on the API server says what would change. Nothing did. The exit status is 1 if there is a difference.",
    tried: { command: "diff" },
    statuses: [0, 1],
  },
  {
    topic: "See what your files would change, before you commit them",
    lines: [
      "perl -i -pe 's/15 2/45 5/' shop/nightly-report.yaml",
      "fluxctl diff --local .",
      "git checkout -q shop/nightly-report.yaml",
    ],
    look: "The same as for a branch, of files that nobody else has seen.",
    tried: { command: "diff", flag: "--local" },
    statuses: [0, 1],
  },
  {
    topic: "See which images there are",
    lines: ["fluxctl list-images -n shop"],
    look: "The arrow is at the image that runs. Above it are newer ones: cart could have 3.2.0.",
    tried: { command: "list-images" },
  },
  {
    topic: "Unlock cart, so that it can be released",
    lines: ["fluxctl unlock -n shop --workload=deployment/cart -m Ready"],
    look: "The lock is an annotation in git, so fluxd has made a commit in your name.",
    tried: { command: "unlock" },
  },
  {
    topic: "Release the newest image of cart",
    lines: ["fluxctl release -n shop --workload=deployment/cart --update-all-images"],
    look: "fluxd has committed the new image to git, and applied that commit.",
    tried: { command: "release" },
  },
  {
    topic: "Look back: who changed what",
    lines: ["fluxctl history"],
    look: "The commits, the release and the unlocking, with their authors.",
    tried: { command: "history" },
  },
  {
    topic: "Undo the release of cart",
    lines: ["fluxctl undo shop:deployment/cart"],
    look: "A new commit has brought the old image back.",
    tried: { command: "undo" },
  },
  {
    topic: "Lock web, so that nobody releases it",
    lines: ["fluxctl lock -n shop --workload=deployment/web -m Sale"],
    look: "That's a commit too. From now on, releases leave web out.",
    tried: { command: "lock" },
  },
  {
    topic: "Push a new image of collector, which is automated",
    lines: ["touch $REGISTRY/collector/2.7.3"],
    look: "The registry has told fluxd, and fluxd has committed the new image by itself.",
    tried: { seen: "automated release" },
    leadsTo: "automated release",
  },
  {
    topic: "Stop syncing for a while",
    lines: ["fluxctl suspend sync --reason=Maintenance"],
    look: "From now on, commits stay where they are.",
    tried: { command: "suspend" },
  },
  {
    topic: "Go on syncing",
    lines: ["fluxctl resume sync"],
    look: "fluxd catches up with git at once.",
    tried: { command: "resume" },
  },
  {
    topic: "See what fluxd did",
    lines: ["fluxctl events"],
    look: "All that you have seen here, and when it was. With --watch, it goes on.",
    tried: { command: "events" },
  },
  {
    topic: "Check that fluxd has all it needs",
    lines: ["fluxctl check"],
    look: "Whatever isn't as it should be is named, with the remedy.",
    tried: { command: "check" },
  },
  {
    topic: "Read what the pods of a workload log",
    lines: ["fluxctl logs shop:deployment/web"],
    look: "Here it says that this cluster runs no containers. In a real one, you see the lines of all pods of web.",
    tried: { command: "logs" },
    statuses: [0, 1],
  },
  {
    topic: "Watch everything on one screen",
    lines: ["fluxctl top"],
    look: "? shows the keys, and q ends it.",
    tried: { command: "top" },
    needsKeys: true,
  },
];
