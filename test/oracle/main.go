// Answers questions about schedules with robfig/cron v3, a line for each question.
//
// A question is "<expression in hex> <instant in Unix seconds> <count>". The answer is one of
//
//	times <first, RFC 3339 in the schedule's zone, or -> <Unix seconds>...
//	error <text in hex>
//	panic
//	hang
//
// Zones come from the folder of ZONEINFO, and each has one spelling, as zones that are compiled in (Go's time/tzdata) have.
package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/robfig/cron/v3"
)

// v3 never comes back from where clocks are put forward by half a day or more.
const patience = 3 * time.Second

func main() {
	in := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for in.Scan() {
		var encoded string
		var instant int64
		var count int
		// An empty expression is "-", because a field cannot be empty.
		if _, err := fmt.Sscan(in.Text(), &encoded, &instant, &count); err != nil {
			fmt.Fprintln(os.Stderr, "oracle: not a question:", in.Text())
			os.Exit(1)
		}
		expression, err := hex.DecodeString(strings.TrimPrefix(encoded, "-"))
		if err != nil {
			fmt.Fprintln(os.Stderr, "oracle: not in hex:", encoded)
			os.Exit(1)
		}
		fmt.Fprintln(out, answer(string(expression), time.Unix(instant, 0).UTC(), count))
	}
}

func answer(expression string, from time.Time, count int) (text string) {
	defer func() {
		if recover() != nil {
			text = "panic"
		}
	}()
	schedule, err := cron.ParseStandard(expression)
	if zone, found := zoneOf(expression); found && isOnlyPath(zone) {
		err = fmt.Errorf("provided bad location %s: unknown time zone %s", zone, zone)
	}
	if err != nil {
		return "error " + hex.EncodeToString([]byte(err.Error()))
	}
	done := make(chan string, 1)
	go func() { done <- firings(schedule, from, count) }()
	select {
	case text = <-done:
		return text
	case <-time.After(patience):
		return "hang"
	}
}

func zoneOf(expression string) (zone string, found bool) {
	if !strings.HasPrefix(expression, "TZ=") && !strings.HasPrefix(expression, "CRON_TZ=") {
		return "", false
	}
	name, _, found := strings.Cut(expression[strings.Index(expression, "=")+1:], " ")
	return name, found
}

// Reports a zone that is found in a file system and nowhere else ("Europe//Berlin"), or whose error is about files ("UTC/"
// is no directory, "Europe" is one).
func isOnlyPath(zone string) bool {
	if zone == "" || strings.HasPrefix(zone, "/") || strings.HasPrefix(zone, "\\") || strings.Contains(zone, "..") {
		return false
	}
	file, err := os.Stat(filepath.Join(os.Getenv("ZONEINFO"), zone))
	return path.Clean(zone) != zone || errors.Is(err, syscall.ENOTDIR) || err == nil && file.IsDir()
}

func firings(schedule cron.Schedule, from time.Time, count int) string {
	first := "-"
	var rest strings.Builder
	for i := 0; i < count; i++ {
		next := schedule.Next(from)
		if next.IsZero() {
			break
		}
		if i == 0 {
			first = in(schedule, next).Format(time.RFC3339)
		}
		fmt.Fprintf(&rest, " %d", next.Unix())
		from = next
	}
	return "times " + first + rest.String()
}

// The instant in the schedule's own zone; "@every" has no zone.
func in(schedule cron.Schedule, instant time.Time) time.Time {
	fields, ok := schedule.(*cron.SpecSchedule)
	if !ok || fields.Location == time.Local {
		return instant.UTC()
	}
	return instant.In(fields.Location)
}
