module github.com/fluxcd/flux/pkg/install

go 1.16
