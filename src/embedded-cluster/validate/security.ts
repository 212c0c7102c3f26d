import { type FieldError, invalid } from "../field-errors.ts";
import { isTrueAt, nodeAt, stringAt, stringsAt, type Tree, treeAt } from "../tree.ts";
import { below, checkChoice, checkRequiredText } from "./checks.ts";
import { checkId } from "./ids.ts";

/** The security context of a container. */
export function checkContainerSecurity(path: string, context: Tree | undefined): FieldError[] {
  if (context === undefined) {
    return [];
  }
  const forbidsEscalation = nodeAt(context, "allowPrivilegeEscalation") === false;
  const isAdmin = stringsAt(context, "capabilities", "add").includes("CAP_SYS_ADMIN");
  return [
    ...checkId(path, context, "runAsUser"),
    ...checkId(path, context, "runAsGroup"),
    ...checkSeccomp(below(path, "seccompProfile"), treeAt(context, "seccompProfile")),
    ...(forbidsEscalation && isTrueAt(context, "privileged")
      ? [invalid(path, context, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true")]
      : []),
    ...(forbidsEscalation && isAdmin
      ? [
          invalid(
            path,
            context,
            "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN",
          ),
        ]
      : []),
  ];
}

/** The security context of a pod. */
export function checkPodSecurity(path: string, context: Tree | undefined): FieldError[] {
  const groups = Array.isArray(context?.["supplementalGroups"]) ? context["supplementalGroups"] : [];
  return [
    ...checkId(path, context, "fsGroup"),
    ...checkId(path, context, "runAsUser"),
    ...checkId(path, context, "runAsGroup"),
    ...groups.flatMap((group, index) =>
      checkId(path, { [`supplementalGroups[${index}]`]: group }, `supplementalGroups[${index}]`),
    ),
    ...checkPolicy(below(path, "fsGroupChangePolicy"), stringAt(context, "fsGroupChangePolicy")),
    ...checkSeccomp(below(path, "seccompProfile"), treeAt(context, "seccompProfile")),
  ];
}

function checkPolicy(path: string, policy: string): FieldError[] {
  return policy === "" ? [] : checkChoice(path, policy, ["Always", "OnRootMismatch"]);
}

function checkSeccomp(path: string, profile: Tree | undefined): FieldError[] {
  if (profile === undefined) {
    return [];
  }
  const type = stringAt(profile, "type");
  const localhost = stringAt(profile, "localhostProfile");
  if (type === "Localhost") {
    return localhost === ""
      ? checkRequiredText(
          below(path, "localhostProfile"),
          "",
          undefined,
          "must be set when seccomp type is Localhost ",
        )
      : [];
  }
  return [
    ...(localhost === ""
      ? []
      : [
          invalid(
            below(path, "localhostProfile"),
            localhost,
            "can only be set when seccomp type is Localhost",
          ),
        ]),
    ...(type === ""
      ? checkRequiredText(below(path, "type"), "", undefined, "type is required when seccompProfile is set")
      : checkChoice(below(path, "type"), type, ["Localhost", "RuntimeDefault", "Unconfined"])),
  ];
}
