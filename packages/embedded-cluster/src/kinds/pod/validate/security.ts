import { duplicate, type FieldError, faults, invalid, required } from "../../../field-errors.ts";
import { isTrueAt, nodeAt, stringAt, stringsAt, type Tree, treeAt, treesAt } from "../../../tree.ts";
import { below, checkEach, checkEnum, checkRequiredText } from "../../../validate/tree-checks.ts";
import { checkId } from "./ids.ts";

/** The security context of a container. */
export function checkContainerSecurity(path: string, context: Tree | undefined): FieldError[] {
  if (context === undefined) {
    return [];
  }
  const forbidsEscalation = nodeAt(context, "allowPrivilegeEscalation") === false;
  const isAdmin = stringsAt(context, "capabilities", "add").includes("CAP_SYS_ADMIN");
  return faults(
    checkId(path, context, "runAsUser"),
    checkId(path, context, "runAsGroup"),
    checkSeccomp(below(path, "seccompProfile"), treeAt(context, "seccompProfile")),
    forbidsEscalation &&
      isTrueAt(context, "privileged") &&
      invalid(path, context, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"),
    forbidsEscalation &&
      isAdmin &&
      invalid(
        path,
        context,
        "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN",
      ),
  );
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
    ...checkSysctls(below(path, "sysctls"), context),
    ...checkEnum(path, context, "core.v1.PodSecurityContext.fsGroupChangePolicy"),
    ...checkSeccomp(below(path, "seccompProfile"), treeAt(context, "seccompProfile")),
  ];
}

const sysctl = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;

const sysctlMessage =
  "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

function checkSysctls(path: string, context: Tree | undefined): FieldError[] {
  const names = new Set<string>();
  return checkEach(path, treesAt(context, "sysctls"), (at, setting) => {
    const name = stringAt(setting, "name");
    const isTwice = names.has(name);
    names.add(name);
    if (name === "") {
      return [required(below(at, "name"))];
    }
    const isGood = name.length <= 253 && sysctl.test(name);
    return faults(
      isGood || invalid(below(at, "name"), name, sysctlMessage),
      isTwice && duplicate(below(at, "name"), name),
    );
  });
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
  return faults(
    localhost === "" ||
      invalid(below(path, "localhostProfile"), localhost, "can only be set when seccomp type is Localhost"),
    type === ""
      ? checkRequiredText(below(path, "type"), "", undefined, "type is required when seccompProfile is set")
      : checkEnum(path, profile, "core.v1.SeccompProfile.type"),
  );
}
