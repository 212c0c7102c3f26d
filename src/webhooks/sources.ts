/**
 * The services that webhooks can come from, by their names in the configuration: those of flux-recv, and additional
 * ones.
 */
import type { HookSource } from "./hook.ts";
import { amazonEcr } from "./sources/amazon-ecr.ts";
import { azureContainerRegistry } from "./sources/azure-container-registry.ts";
import { bitbucketCloud } from "./sources/bitbucket-cloud.ts";
import { bitbucketServer } from "./sources/bitbucket-server.ts";
import { distribution } from "./sources/distribution.ts";
import { dockerHub } from "./sources/docker-hub.ts";
import { generic } from "./sources/generic.ts";
import { gitea } from "./sources/gitea.ts";
import { github } from "./sources/github.ts";
import { gitlab } from "./sources/gitlab.ts";
import { googleContainerRegistry } from "./sources/google-container-registry.ts";
import { harbor } from "./sources/harbor.ts";
import { nexus } from "./sources/nexus.ts";
import { quay } from "./sources/quay.ts";

export const hookSources: ReadonlyMap<string, HookSource> = new Map([
  ["AmazonECR", amazonEcr],
  ["AzureContainerRegistry", azureContainerRegistry],
  ["BitbucketCloud", bitbucketCloud],
  ["BitbucketServer", bitbucketServer],
  ["Distribution", distribution],
  ["DockerHub", dockerHub],
  ["Generic", generic],
  ["GitHub", github],
  ["GitLab", gitlab],
  ["Gitea", gitea],
  ["GoogleContainerRegistry", googleContainerRegistry],
  ["Harbor", harbor],
  ["Nexus", nexus],
  ["Quay", quay],
]);
