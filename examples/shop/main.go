package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/listwatch/listwatch/runtime/rest"
	"k8s.io/apimachinery/pkg/labels"

	storagev1 "github.com/listwatch/listwatch/examples/shop/apis/storage/v1"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/informers/externalversions"
	v1informers "github.com/listwatch/listwatch/examples/shop/pkg/generated/informers/externalversions/storage/v1"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	config, err := rest.InClusterConfig() // or &rest.Config{Host: "https://example.com", BearerTokenFile: "token"}
	if err != nil {
		log.Fatal(err)
	}
	client, err := versioned.NewForConfig(config)
	if err != nil {
		log.Fatal(err)
	}
	if err := run(ctx, client); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, client versioned.Interface) error {
	ctx, cancel := context.WithCancel(ctx)
	factory := externalversions.NewSharedInformerFactory(client, 0)
	defer factory.Shutdown() // waits for the informers, which cancel, called before it, stops
	defer cancel()
	databases := factory.Storage().V1().Databases()
	_, err := databases.TypedInformer().AddTypedEventHandler(v1informers.DatabaseHandlerFuncs{
		AddFunc: func(db *storagev1.Database) { fmt.Println("new:", db.Name) },
	})
	if err != nil {
		return err
	}
	factory.StartWithContext(ctx)
	soon, giveUp := context.WithTimeout(ctx, time.Minute)
	defer giveUp()
	if err = factory.WaitForCacheSyncWithContext(soon).AsError(); err != nil {
		return err // describes the cause: for example, that listing is forbidden
	}
	all, err := databases.Lister().List(labels.Everything())
	if err != nil {
		return err
	}
	fmt.Println(len(all), "at the start")
	<-ctx.Done()
	return nil
}
