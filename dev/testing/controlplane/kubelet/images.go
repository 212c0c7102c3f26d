package kubelet

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"
)

// Image says what stands for the images whose name matches a glob.
type Image struct {
	Match   string            `json:"match"`   // glob; * matches anything, slashes too
	Command []string          `json:"command"` // the image's ENTRYPOINT; a container's command replaces it
	Args    []string          `json:"args"`    // the image's CMD; a container's args replace it
	Env     map[string]string `json:"env"`     // the image's ENV
	Dir     string            `json:"dir"`     // the image's WORKDIR
	Root    string            `json:"root"`    // a folder copied over the host's files
	Rootfs  string            `json:"rootfs"`  // the folder with all of the image's files, instead of the host's
	User    *int64            `json:"user"`    // the image's USER, which is its group's number too
	Mounts  map[string]string `json:"mounts"`  // files and folders of the machine, by the path at which the image has them
	Pause   bool              `json:"pause"`   // runs nothing: always up and ready, or done at once where it is an init container
	pattern *regexp.Regexp
}

func readImages(file string) ([]Image, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var document struct {
		Images []Image `json:"images"`
	}
	if err := yaml.UnmarshalStrict(text, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for i := range document.Images {
		image := &document.Images[i]
		image.pattern = regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(image.Match), `\*`, ".*") + "$")
	}
	return document.Images, nil
}

// image is what stands for an image; the file may have changed since the last time.
func (k *Kubelet) image(name string) (*Image, error) {
	images, err := readImages(k.imagesFile)
	if err != nil {
		return nil, err
	}
	for i := range images {
		if images[i].pattern.MatchString(name) {
			return &images[i], nil
		}
	}
	return nil, fmt.Errorf("the images file has no program for %q", name)
}
