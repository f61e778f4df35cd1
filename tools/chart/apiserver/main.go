// etcd and the API server of Kubernetes in one process. Arguments: etcd's folder, its two addresses, and the flags of
// kube-apiserver.
package main

import (
	"log"
	"net/url"
	"os"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	startEtcd(os.Args[1], address(os.Args[2]), address(os.Args[3]))
	command := app.NewAPIServerCommand()
	command.SetArgs(append([]string{"--etcd-servers", os.Args[2]}, os.Args[4:]...))
	os.Exit(cli.Run(command))
}

func startEtcd(folder string, clients, peers []url.URL) {
	config := embed.NewConfig()
	config.Dir = folder
	config.UnsafeNoFsync = true
	config.LogLevel = "error"
	config.ListenClientUrls, config.AdvertiseClientUrls = clients, clients
	config.ListenPeerUrls, config.AdvertisePeerUrls = peers, peers
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		log.Fatal(err)
	}
	<-etcd.Server.ReadyNotify()
}

func address(text string) []url.URL {
	parsed, err := url.Parse(text)
	if err != nil {
		log.Fatal(err)
	}
	return []url.URL{*parsed}
}
