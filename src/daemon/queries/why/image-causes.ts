/** Decides why a container doesn't get another image. Pure. */

import {
  allowsTag,
  parseTagPattern,
  printImageName,
  printImageRef,
  type ResourceId,
  withTag,
} from "@weir/flux";
import type { WhyCause } from "@weir/flux/api";
import { brief, cause, quote, run, tell } from "./cause.ts";
import type { ImageState } from "./image-states.ts";

/** What holds for all images. */
export interface Automation {
  readonly workload: ResourceId;
  /** False if git is read-only or images aren't scanned. */
  readonly isOn: boolean;
  /** Nothing can be pushed. */
  readonly isReadonly: boolean;
  /** The sentence that says since when and why automation is suspended; "" if it isn't. */
  readonly suspended: string;
}

/** What keeps a container from the newest image: first what concerns its workload, then its filter and the scan. */
export function imageCauses(state: ImageState, automation: Automation): readonly WhyCause[] {
  const { newest, excluded } = state;
  return [
    ...(state.isLocked ? [locked(state, newest, automation)] : []),
    ...scanCauses(state),
    ...(newest === undefined || state.isLocked ? [] : notReleased(state, newest, automation)),
    ...(excluded === undefined ? [] : [filtered(state, excluded, automation)]),
  ];
}

/** What keeps a container from one image; empty if automation releases it. */
export function causesAgainst(tag: string, state: ImageState, automation: Automation): readonly WhyCause[] {
  const isAllowed = allowsTag(parseTagPattern(state.filter), tag);
  return [
    ...(state.isLocked ? [locked(state, tag, automation)] : []),
    ...scanCauses(state, true),
    ...(isAllowed ? [] : [filtered(state, tag, automation)]),
    ...(state.isLocked || !isAllowed ? [] : notAutomated(state, tag, automation)),
    ...(isAllowed ? overtaken(state, tag) : []),
  ];
}

function locked(
  { container, current, lockedBy, lockMessage }: ImageState,
  tag: string | undefined,
  { workload }: Automation,
): WhyCause {
  const who = lockedBy === "" ? "" : ` by ${lockedBy}`;
  const why = lockMessage === "" ? "" : ` (${brief(lockMessage, 200)})`;
  const what =
    tag === undefined
      ? "no release changes it"
      : `container ${container} stays at ${tagOf(current)} instead of ${tag}`;
  return cause("locked", "images", {
    message: `locked${who}${why}: ${what}`,
    remedies: [run(`fluxctl unlock --workload=${quote(workload)}`, "to allow releases again")],
  });
}

function scanCauses(
  { current, scan, unknown, isAutomated }: ImageState,
  isAsked = false,
): readonly WhyCause[] {
  const name = printImageName(current);
  switch (scan.state) {
    case "failed":
      return [
        cause("scan-error", "images", {
          message: `fluxd cannot scan ${name}: ${brief(scan.error)}`,
          remedies: [
            tell("check the name, the connection to the registry, and the workload's pull secret"),
            run("fluxctl check", "to see all registries with problems"),
          ],
        }),
      ];
    case "stale":
      return [
        cause("scan-stale", "images", {
          message: `the last scan of ${name} failed, so newer images may be missing: ${brief(scan.error)}`,
          remedies: [
            tell("check the connection to the registry, and the workload's pull secret"),
            run("fluxctl check", "to see all registries with problems"),
          ],
        }),
        ...unknownImage(name, unknown, isAutomated),
      ];
    case "waiting":
      return isAutomated || isAsked
        ? [
            cause("not-scanned", "images", {
              message: `fluxd has not scanned ${name} yet, or --registry-exclude-image excludes it`,
              remedies: [run("fluxctl check", "to see which repositories are scanned")],
            }),
          ]
        : [];
    case "off":
      return isAutomated || isAsked
        ? [
            cause("scan-off", "images", {
              message:
                "fluxd does not scan images (--registry-disable-scanning), so it knows of no newer ones",
            }),
          ]
        : [];
    case "scanned":
      return unknownImage(name, unknown, isAutomated);
  }
}

function unknownImage(name: string, unknown: string, isAutomated: boolean): readonly WhyCause[] {
  return unknown === "" || !isAutomated
    ? []
    : [
        cause("image-unknown", "images", {
          message: `nothing can be said of the newest image of ${name}: ${unknown}`,
          remedies: [
            tell("as soon as the image can be read, fluxd compares it; a filter can exclude the tag"),
          ],
        }),
      ];
}

function notReleased(state: ImageState, tag: string, automation: Automation): readonly WhyCause[] {
  const { container, current, isAutomated } = state;
  const others = notAutomated(state, tag, automation);
  return others.length > 0 || !isAutomated
    ? others
    : [
        cause("release-due", "images", {
          message: `container ${container} runs ${tagOf(current)}; automation releases ${tag} at its next round`,
        }),
      ];
}

function notAutomated(
  { container, current, isAutomated, isIgnored }: ImageState,
  tag: string,
  { workload, isOn, isReadonly, suspended }: Automation,
): readonly WhyCause[] {
  const what = `container ${container} runs ${tagOf(current)}, and ${tag} is allowed`;
  if (isReadonly) {
    return [
      cause("read-only", "images", {
        message: `${what}, but fluxd cannot write to git (--git-readonly)`,
        remedies: [tell("change the image in git yourself")],
      }),
    ];
  }
  if (isIgnored) {
    return [cause("ignored", "images", { message: `${what}, but automation leaves out what is ignored` })];
  }
  const id = quote(workload);
  const image = quote(printImageRef(withTag(current, tag)));
  const release = run(`fluxctl release --workload=${id} --update-image=${image}`, "to release it once");
  if (!isAutomated) {
    return [
      cause("not-automated", "images", {
        message: `${what}, but nobody releases it: the workload is not automated`,
        remedies: [release, run(`fluxctl automate --workload=${id}`, "to release new images by themselves")],
      }),
    ];
  }
  if (suspended !== "") {
    return [
      cause("automation-suspended", "images", {
        message: `${what}, but ${suspended}`,
        remedies: [run("fluxctl resume automation", "to release new images by themselves again"), release],
      }),
    ];
  }
  return isOn
    ? []
    : [cause("automation-off", "images", { message: `${what}, but automation is off`, remedies: [release] })];
}

function filtered({ container, filter }: ImageState, tag: string, { workload }: Automation): WhyCause {
  const policy = quote(`${container}=${filter.startsWith("semver:") ? "semver:*" : "glob:*"}`);
  return cause("filtered", "images", {
    message: `the tag filter ${filter} of container ${container} excludes the newer image ${tag}`,
    remedies: [
      run(
        `fluxctl policy --workload=${quote(workload)} --tag=${policy}`,
        "to allow every tag; a narrower filter is safer",
      ),
    ],
  });
}

/** Automation only ever releases the newest image that's allowed. */
function overtaken({ newest, current, scan }: ImageState, tag: string): readonly WhyCause[] {
  const best = newest ?? current.tag;
  return best === tag || !hasImages(scan)
    ? []
    : [
        cause("not-newest", "images", {
          message: `${best} is allowed too, and is newer: automation never goes to an older image`,
        }),
      ];
}

function tagOf(image: ImageState["current"]): string {
  return image.sha === "" ? image.tag : `@sha256:${image.sha.slice(0, 12)}`;
}

function hasImages({ state }: ImageState["scan"]): boolean {
  return state === "scanned" || state === "stale";
}
