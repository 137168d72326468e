// Attacks the servers of a running manager and measures the effect on its users. scripts/bench attack starts it.
//
//	attack NAME [flags]        one attack, until -seconds have passed; prints what it sent
//	attack measure [flags]     each attack in turn, as its own process; prints a line each, and writes -results
//	attack table FILE...       the results of several subjects side by side, as Markdown
//
// It only connects to loopback addresses, and each attack is bounded in time, connections and memory.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// An attack sends until the context ends, and returns a summary of what it sent. An error means that it did not happen.
type attack struct {
	name  string
	title string
	run   func(ctx context.Context, at target) (string, error)
}

// The number groups attacks on the same limit.
var attacks = append([]attack{
	{"none", "none", sending(func(ctx context.Context, _ target) string { <-ctx.Done(); return "" })},
	{"key-updates", "1. KeyUpdate records, 400,000 a connection", sending(keyUpdates)},
	{"key-updates-between-data", "1. 16 KeyUpdate records for each byte of data", sending(keyUpdatesBetweenData)},
	{"one-byte-records", "2. bodies of 6 MB in records of one byte, 24 connections", sending(oneByteRecords)},
	{"hellos", "3. a P-384 ClientHello replayed at 40 kB/s", sending(replayedHellos)},
	{"hellos-of-many", "3. the same from 200 addresses", sending(replayedHellosOfMany)},
	{"ffdhe8192", "3. ClientHellos for ffdhe8192 at 40 kB/s", sending(ffdheHellos)},
	{"large-reviews", "4. nine AdmissionReviews of the largest size at once", sending(largeReviews)},
	{"long-schedules", "4. AdmissionReviews with a schedule of 7 MB", sending(longSchedules)},
	{"incomplete-hellos", "5. 512 ClientHellos of 131 KB, incomplete", sending(incompleteHellos)},
	{"incomplete-bodies", "5. 20 incomplete bodies of 7 MB on each server", sending(incompleteBodies)},
	{"tokens", "6. random tokens, 32 connections", sending(randomTokens)},
	{"mutations", "7. mutated requests", sending(mutatedRequests)},
}, tenantAttacks()...)

func sending(run func(ctx context.Context, at target) string) func(context.Context, target) (string, error) {
	return func(ctx context.Context, at target) (string, error) { return run(ctx, at), nil }
}

// The servers under attack, all on loopback, the API server of a tenant, and the limits of an attack.
type target struct {
	health     string
	webhook    string
	metrics    string
	kubeconfig string // as JSON
	count      int
	seed       uint64
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "attack: error:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 0 {
		return fmt.Errorf("no attack named; see scripts/bench --help")
	}
	verb := arguments[0]
	if verb == "table" {
		return printTable(arguments[1:])
	}
	var at target
	flags := flag.NewFlagSet(verb, flag.ContinueOnError)
	flags.StringVar(&at.health, "health", "", "address of the health server")
	flags.StringVar(&at.webhook, "webhook", "", "address of the webhook server")
	flags.StringVar(&at.metrics, "metrics", "", "address of the metrics server")
	flags.StringVar(&at.kubeconfig, "kubeconfig", "", "kubeconfig as JSON")
	flags.IntVar(&at.count, "count", 20000, "mutated requests")
	flags.Uint64Var(&at.seed, "seed", 1, "of the mutations")
	seconds := flags.Int("seconds", 20, "how long each attack lasts, at most")
	var m measurement
	m.registerFlags(flags)
	if err := flags.Parse(arguments[1:]); err != nil {
		return err
	}
	for _, address := range []string{at.health, at.webhook, at.metrics} {
		if err := requireLoopback(address); err != nil {
			return err
		}
	}
	if *seconds < 1 || *seconds > 600 || at.count < 1 || at.count > 10_000_000 {
		return fmt.Errorf("-seconds is 1 to 600, -count 1 to 10,000,000")
	}
	length := time.Duration(*seconds) * time.Second
	if verb == "measure" {
		return m.measureAll(at, length)
	}
	for _, a := range attacks {
		if a.name == verb {
			ctx, cancel := context.WithTimeout(context.Background(), length)
			defer cancel()
			sent, err := a.run(ctx, at)
			fmt.Println(sent)
			return err
		}
	}
	return fmt.Errorf("there is no attack %q; there are %s", verb, names())
}

func requireLoopback(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("%s is not a loopback address", address)
	}
	return nil
}

// arguments of a process that runs a single attack.
func (at target) arguments(name string, length time.Duration) []string {
	return []string{name, "-health", at.health, "-webhook", at.webhook, "-metrics", at.metrics,
		"-kubeconfig", at.kubeconfig, "-count", strconv.Itoa(at.count), "-seed", strconv.FormatUint(at.seed, 10),
		"-seconds", strconv.Itoa(int(length.Seconds()))}
}

func join(parts ...string) string { return strings.Join(parts, ", ") }
