package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Requests that two readers could understand differently: a server that accepts one can be used to smuggle another.
var ambiguousRequests = []string{
	"POST /healthz HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
	"GET /healthz HTTP/1.1\r\n\r\n",
	"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
	"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
	"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc",
	"POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
	"POST /healthz HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nContent-Length: 3\r\n\r\nabc",
}

// The seeds of mutations: requests that the servers know.
func templates() []string {
	body := string(review("*/5 * * * *", "[", "1", "]", 2048))
	post := func(path string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			path, len(body), body)
	}
	return append([]string{
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /readyz?verbose HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n",
		"GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer abc.def.ghi\r\nAccept-Encoding: gzip\r\n\r\n",
		"POST " + validatePath + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n2\r\n1}\r\n0\r\n\r\n",
		post(validatePath), post("/mutate-batch-tutorial-kubebuilder-io-v1-cronjob"),
	}, ambiguousRequests...)
}

// The health server gets most of them, because each mutated request costs its connection, and handshakes are limited.
func mutatedRequests(ctx context.Context, at target) string {
	accepted := 0
	for _, request := range ambiguousRequests {
		if code := exchange(ctx, at.health, false, []byte(request)); strings.HasPrefix(code, "2") {
			accepted++
		}
	}
	var replies counts
	var next atomic.Int64
	var group sync.WaitGroup
	models := templates()
	for worker := range 16 {
		group.Add(1)
		go func() {
			defer group.Done()
			overTLS := worker < 2
			for ctx.Err() == nil {
				number := next.Add(1)
				if number > int64(at.count) {
					return
				}
				random := rand.New(rand.NewPCG(at.seed, uint64(number)))
				request := mutate(random, models)
				address := at.health
				if overTLS {
					address = []string{at.webhook, at.metrics}[number%2]
				}
				replies.add(exchange(ctx, address, overTLS, request))
			}
		}()
	}
	group.Wait()
	return fmt.Sprintf("%d of %d ambiguous requests accepted; %s", accepted, len(ambiguousRequests), replies.String())
}

func mutate(random *rand.Rand, models []string) []byte {
	text := []byte(models[random.IntN(len(models))])
	for range 1 + random.IntN(6) {
		at := random.IntN(len(text) + 1)
		length := random.IntN(min(64, len(text)-at) + 1)
		switch random.IntN(6) {
		case 0:
			if at < len(text) {
				text[at] ^= 1 << random.IntN(8)
			}
		case 1:
			text = slices.Delete(text, at, at+length)
		case 2:
			text = slices.Insert(text, at, slices.Clone(text[at:at+length])...)
		case 3:
			other := models[random.IntN(len(models))]
			from := random.IntN(len(other))
			text = slices.Insert(text, at, []byte(other[from:min(len(other), from+64)])...)
		case 4:
			pieces := []string{"\r\n", "\x00", ": ", "\r\n\r\n", "99999999999999999999", "-1", "0x10", "chunked", "{", "[", "\"", "\\u0000", " ", "\t", "\xff\xfe"}
			text = slices.Insert(text, at, []byte(pieces[random.IntN(len(pieces))])...)
		default:
			if at < len(text) {
				text[at] = byte(random.IntN(256))
			}
		}
	}
	return text
}

// exchange sends a request and nothing after it; the status of the first reply.
func exchange(ctx context.Context, address string, overTLS bool, request []byte) string {
	var conn interface {
		net.Conn
		CloseWrite() error
	}
	if overTLS {
		client, err := dialTLS(ctx, address, 1)
		if err != nil {
			return "no connection"
		}
		conn = client
	} else {
		plain, err := dial(ctx, address, 1)
		if err != nil {
			return "no connection"
		}
		conn = plain.(*net.TCPConn)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := conn.Write(request); err != nil {
		return "closed"
	}
	_ = conn.CloseWrite()
	reply, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF || strings.Contains(err.Error(), "reset") {
			return "closed"
		}
		return "unreadable reply"
	}
	return fmt.Sprint(reply.StatusCode)
}

// counts of words, for a summary.
type counts struct {
	mutex sync.Mutex
	of    map[string]int
}

func (c *counts) add(word string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.of == nil {
		c.of = map[string]int{}
	}
	c.of[word]++
}

func (c *counts) String() string {
	var parts []string
	for word, count := range c.of {
		parts = append(parts, fmt.Sprintf("%s: %d", word, count))
	}
	sort.Strings(parts)
	return join(parts...)
}
