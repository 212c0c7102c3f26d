// Package install stands in for the templates of `fluxctl install`: they are a module of their own, at a path that
// fluxctl's go.mod replaces with a folder of Flux's repository, and that no module proxy has. Everything else is as it
// was released.
package install

import "errors"

// TemplateParameters are what `fluxctl install` fills its templates with.
type TemplateParameters struct {
	GitURL                  string
	GitBranch               string
	GitPaths                []string
	GitLabel                string
	GitUser                 string
	GitEmail                string
	GitReadOnly             bool
	RegistryDisableScanning bool
	Namespace               string
	ManifestGeneration      bool
	AdditionalFluxArgs      []string
	AddSecurityContext      bool
	ConfigAsConfigMap       bool
	ConfigFileContent       string
}

// FillInTemplates always fails.
func FillInTemplates(TemplateParameters) (map[string][]byte, error) {
	return nil, errors.New("this build of fluxctl has no templates: its command install does nothing")
}
