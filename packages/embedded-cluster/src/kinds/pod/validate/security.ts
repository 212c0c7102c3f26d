/** What containers may do on their node, and as whom. */
import { type FieldError, faults } from "../../../field-errors.ts";
import { maxInt32, repeats } from "../../../validate/checks.ts";
import type { Field } from "../../../validate/field.ts";
import type { TextRule } from "../../../validate/text-rules.ts";

/** The security context of a container. */
export function checkContainerSecurity(context: Field): FieldError[] {
  const forbidsEscalation = context.at("allowPrivilegeEscalation").value === false;
  const isAdmin = context.at("capabilities.add").texts.includes("CAP_SYS_ADMIN");
  const why = "cannot set `allowPrivilegeEscalation` to false and";
  return faults(
    context.all(["runAsUser", "runAsGroup"], checkId),
    checkSeccomp(context.at("seccompProfile")),
    forbidsEscalation && context.at("privileged").isTrue && context.invalid(`${why} \`privileged\` to true`),
    forbidsEscalation && isAdmin && context.invalid(`${why} \`capabilities.Add\` CAP_SYS_ADMIN`),
  );
}

/** The security context of a pod. */
export function checkPodSecurity(context: Field): FieldError[] {
  return [
    ...context.all(["fsGroup", "runAsUser", "runAsGroup"], checkId),
    ...context.at("supplementalGroups").each(checkId),
    ...checkSysctls(context.at("sysctls")),
    ...context.at("fsGroupChangePolicy").check(),
    ...checkSeccomp(context.at("seccompProfile")),
  ];
}

/** The id of a user or group. */
function checkId(id: Field): FieldError[] {
  return id.isSet ? id.between(0, maxInt32) : [];
}

const sysctl = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;

const sysctlMessage =
  "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

const sysctlName: TextRule = (name) => (name.length <= 253 && sysctl.test(name) ? [] : [sysctlMessage]);

function checkSysctls(settings: Field): FieldError[] {
  const isTwice = repeats();
  return settings.each((setting) => {
    const name = setting.at("name");
    return faults(name.check(sysctlName), isTwice(name.text) && name.duplicate());
  });
}

function checkSeccomp(profile: Field): FieldError[] {
  const [type, local] = [profile.at("type"), profile.at("localhostProfile")];
  if (!profile.isSet) {
    return [];
  }
  return type.text === "Localhost"
    ? local.needs(undefined, "must be set when seccomp type is Localhost")
    : faults(
        local.text === "" || local.invalid("can only be set when seccomp type is Localhost", profile.tree),
        type.needs(undefined, "type is required when seccompProfile is set"),
      );
}
