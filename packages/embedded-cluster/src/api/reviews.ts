/** Kinds that are questions: created, answered, and not kept. Whoever has the token may do everything. */
import type { ServedResource } from "../resources/served-resource.ts";
import { ensureTree, type Tree } from "../tree.ts";

const everything = { verbs: ["*"], apiGroups: ["*"], resources: ["*"] };
const user = { username: "admin", groups: ["system:masters", "system:authenticated"] };

/** Answers a review in place; undefined where the kind is no review. */
export function answerReview(resource: ServedResource, review: Tree): Tree | undefined {
  switch (resource.kind) {
    case "SelfSubjectAccessReview":
    case "SubjectAccessReview":
    case "LocalSubjectAccessReview":
      review["status"] = { allowed: true, reason: "the embedded cluster allows everything" };
      return review;
    case "SelfSubjectRulesReview":
      review["status"] = {
        resourceRules: [everything],
        nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
        incomplete: false,
      };
      return review;
    case "SelfSubjectReview":
      review["status"] = { userInfo: user };
      return review;
    case "TokenReview":
      ensureTree(review, "status")["user"] = {};
      ensureTree(review, "status")["error"] = "the embedded cluster reviews no tokens";
      return review;
    default:
      return undefined;
  }
}

/** True for a kind that is answered and not kept. */
export function isReview(resource: ServedResource): boolean {
  return (
    resource.group === "authorization.k8s.io" ||
    resource.kind === "TokenReview" ||
    resource.kind === "SelfSubjectReview"
  );
}
