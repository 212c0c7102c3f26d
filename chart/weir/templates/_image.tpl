{{/*
The image of fluxd. An upgrade with --reuse-values brings along the image that the chart of Flux v1 had by default:
Flux's repositories stand for Weir's, and tags of Flux's for the version of this chart. Flux ends with 1.25.
*/}}
{{- define "weir.image" -}}
{{- $image := .Values.image | default dict -}}
{{- $own := "docker.io/weirdev/weir" -}}
{{- $repository := $image.repository | default $own -}}
{{- $tag := include "weir.text" $image.tag -}}
{{- $isOfFlux := or (not (regexMatch `^v?\d+\.\d+\.\d+` $tag)) (regexMatch `^v?1\.(1?\d|2[0-5])\.\d` $tag) -}}
{{- if regexMatch `^((index\.)?docker\.io/|quay\.io/)?(fluxcd|weaveworks)/flux(-prerelease)?$` $repository -}}
{{- $repository = $own -}}
{{- $tag = $isOfFlux | ternary "" $tag -}}
{{- else if and $tag $isOfFlux (regexMatch `(^|/)flux(-prerelease)?$` $repository) (regexMatch `^v?1\.` $tag) -}}
{{- printf "image.repository=%s and image.tag=%s look like a copy of Flux v1's image. This chart runs Weir: set image.repository to your copy of %s, and image.tag to %s" $repository $tag $own .Chart.AppVersion | fail -}}
{{- end -}}
{{- printf "%s:%s" $repository ($tag | default .Chart.AppVersion) -}}
{{- end -}}
