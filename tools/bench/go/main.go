// Sends notifications from 1,000 goroutines over one connection, for tools/bench/compare. Built with the tag apns2 it
// sends with github.com/sideshow/apns2, otherwise with net/http alone.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

type options struct {
	url, authorization, key, keyID, teamID, topic string
	tls                                           *tls.Config
	payload                                       []byte
}

// A sender sends one notification to a device token and returns the status of the answer.
type sender interface {
	send(deviceToken string) (int, error)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

func main() {
	var o options
	flag.StringVar(&o.url, "url", "", "the gateway, https://HOST:PORT")
	flag.StringVar(&o.authorization, "authorization", "", "the value of the header")
	flag.StringVar(&o.key, "key", "", "the .p8 file")
	flag.StringVar(&o.keyID, "key-id", "", "the id of the key")
	flag.StringVar(&o.teamID, "team-id", "", "the team of the key")
	flag.StringVar(&o.topic, "topic", "", "the bundle id")
	ca := flag.String("ca", "", "the authorities, PEM")
	payload := flag.String("payload", "", "the file to send")
	tokens := flag.Int("device-tokens", 1000, "how many different ones")
	count := flag.Int64("count", 1000, "how many to send")
	tasks := flag.Int("tasks", 1000, "how many goroutines send")
	flag.Parse()

	pem, err := os.ReadFile(*ca)
	if err != nil {
		fail(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	o.tls = &tls.Config{RootCAs: pool}
	if o.payload, err = os.ReadFile(*payload); err != nil {
		fail(err)
	}
	client, err := newSender(o)
	if err != nil {
		fail(err)
	}
	deviceTokens := make([]string, *tokens)
	for i := range deviceTokens {
		deviceTokens[i] = fmt.Sprintf("%064x", i+1)
	}

	// Only the first one opens the connection; otherwise each goroutine would open another.
	var next int64
	var refused int64
	one := func(index int64) {
		status, err := client.send(deviceTokens[index%int64(len(deviceTokens))])
		if err != nil {
			fail(err)
		}
		if status != 200 {
			atomic.AddInt64(&refused, 1)
		}
	}
	one(0)
	next = 1
	var group sync.WaitGroup
	for i := 0; i < *tasks; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				index := atomic.AddInt64(&next, 1) - 1
				if index >= *count {
					return
				}
				one(index)
			}
		}()
	}
	group.Wait()
	if refused > 0 {
		fmt.Fprintln(os.Stderr, refused, "were not accepted")
		os.Exit(1)
	}
}
