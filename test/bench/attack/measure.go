package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The bars of `scripts/bench attack`.
const (
	barProbes    = 500 * time.Millisecond // p99
	barAdmission = time.Second            // every one
)

const cronjobs = "/apis/batch.tutorial.kubebuilder.io/v1/namespaces/default/cronjobs"

// The settings of a measurement and its subject.
type measurement struct {
	only    string // attacks, separated by commas; empty: all
	lease   string // empty: the subject has none
	starts  string // a file with a line for each start of the subject
	peak    string // the cgroup's files
	limit   int64
	sockets string
	events  string
	token   string // of a scraper with permission to read the metrics
	results string
	bars    bool // whether a missed bar is an error

	api *apiServer
}

func (m *measurement) registerFlags(flags *flag.FlagSet) {
	flags.StringVar(&m.only, "only", "", "attacks to run; empty: all")
	flags.StringVar(&m.lease, "lease", "", "name of the Lease in namespace default")
	flags.StringVar(&m.starts, "starts", "", "a file with a line for each start")
	flags.StringVar(&m.peak, "memory-peak", "", "file of the cgroup's peak memory")
	flags.Int64Var(&m.limit, "memory-limit", 0, "bytes")
	flags.StringVar(&m.sockets, "memory-sockets", "", "file of the peak memory of sockets, if it is not in -memory-peak")
	flags.StringVar(&m.events, "memory-events", "", "file with a line `oom_kill N`")
	flags.StringVar(&m.token, "token", "", "a scraper's")
	flags.StringVar(&m.results, "results", "", "file to write")
	flags.BoolVar(&m.bars, "bars", true, "fail when a bar is missed")
}

// The measurements during one attack. Durations are in milliseconds.
type result struct {
	Name            string
	Title           string
	Sent            string
	AttackError     string // empty: the attack happened
	ProbeP99        float64
	ProbeMax        float64
	ProbeErrors     []string
	Probes          int
	AdmissionP99    float64
	AdmissionMax    float64
	AdmissionErrors []string
	Admissions      int
	APIServerMax    float64 // of requests that reach no webhook
	Scrapes         int
	ScrapeFailures  int
	MemoryPeak      int64
	SocketPeak      int64
	OOMKills        int64
	Restarts        int
	LeaseLost       bool
	LeaseAgeMax     float64
	Missed          []string
}

func (m *measurement) measureAll(at target, length time.Duration) error {
	api, err := newAPIServer(at.kubeconfig)
	if err != nil {
		return err
	}
	m.api = api
	chosen, err := m.chosen()
	if err != nil {
		return err
	}
	var results []result
	missed := 0
	printHeader()
	for _, a := range chosen {
		if err := m.waitUntilHealthy(at, time.Minute); err != nil {
			return fmt.Errorf("before %s: %w", a.name, err)
		}
		one := m.measure(a, at, length)
		one.print()
		results = append(results, one)
		missed += len(one.Missed)
	}
	if m.results != "" {
		text, _ := json.MarshalIndent(results, "", "  ")
		if err := os.WriteFile(m.results, text, 0o644); err != nil {
			return err
		}
	}
	if missed > 0 && m.bars {
		return fmt.Errorf("%d bars missed", missed)
	}
	return nil
}

func (m *measurement) chosen() ([]attack, error) {
	if m.only == "" {
		return attacks, nil
	}
	var found []attack
	for _, name := range strings.Split(m.only, ",") {
		index := slices.IndexFunc(attacks, func(a attack) bool { return a.name == name })
		if index < 0 {
			return nil, fmt.Errorf("there is no attack %q; there are %s", name, names())
		}
		found = append(found, attacks[index])
	}
	return found, nil
}

func names() string {
	var all []string
	for _, a := range attacks {
		all = append(all, a.name)
	}
	return strings.Join(all, ", ")
}

func (m *measurement) measure(a attack, at target, length time.Duration) result {
	one := result{Name: a.name, Title: a.title}
	startsBefore, killsBefore := m.countStarts(), m.oomKills()
	holderBefore, _ := m.api.holder(m.lease)
	peak, sockets := resetPeak(m.peak), resetPeak(m.sockets)
	defer peak.Close()
	defer sockets.Close()

	ctx, cancel := context.WithCancel(context.Background())
	probes := sample(ctx, 50*time.Millisecond, 100, func() error { return probe(at.health) })
	admissions := sample(ctx, 500*time.Millisecond, 20, m.api.admit)
	alone := sample(ctx, 500*time.Millisecond, 20, m.api.answer)
	scrapes := sample(ctx, time.Second, 10, scraper(at.metrics, m.token))
	ages := sample(ctx, time.Second, 2, func() error {
		if _, age := m.api.holder(m.lease); age > 0 {
			one.LeaseAgeMax = max(one.LeaseAgeMax, age.Seconds()*1000)
		}
		return nil
	})
	time.Sleep(time.Second)
	var err error
	one.Sent, err = runApart(at, a.name, length)
	if err != nil {
		one.AttackError = err.Error()
	}
	time.Sleep(time.Second)
	cancel()

	taken := probes()
	one.ProbeP99, one.ProbeMax, one.Probes = taken.percentile(99), taken.percentile(100), len(taken.milliseconds)
	one.ProbeErrors = taken.errors
	taken = admissions()
	one.AdmissionP99, one.AdmissionMax, one.Admissions = taken.percentile(99), taken.percentile(100), len(taken.milliseconds)
	one.AdmissionErrors = taken.errors
	taken = alone()
	one.APIServerMax = taken.percentile(100)
	taken = scrapes()
	one.Scrapes, one.ScrapeFailures = len(taken.milliseconds), len(taken.errors)
	ages()
	one.MemoryPeak, one.SocketPeak = readNumber(peak), readNumber(sockets)
	one.OOMKills = m.oomKills() - killsBefore
	one.Restarts = m.countStarts() - startsBefore
	holderAfter, _ := m.api.holder(m.lease)
	one.LeaseLost = holderAfter != holderBefore
	one.Missed = one.missedBars(m.limit)
	return one
}

func (r result) missedBars(limit int64) []string {
	var missed []string
	if r.AttackError != "" {
		missed = append(missed, "attack")
	}
	// A failed request does not count as answered in time.
	if r.ProbeP99 > float64(barProbes.Milliseconds()) || len(r.ProbeErrors)*100 > r.Probes {
		missed = append(missed, "probes")
	}
	if r.AdmissionMax > float64(barAdmission.Milliseconds()) || len(r.AdmissionErrors) > 0 {
		missed = append(missed, "admission")
	}
	if r.OOMKills > 0 || r.MemoryPeak+r.SocketPeak >= limit {
		missed = append(missed, "memory")
	}
	if r.LeaseLost || r.Restarts > 0 {
		missed = append(missed, "in office")
	}
	return missed
}

// runApart runs an attack in its own process that yields to the measurement: the subject is the server, not the
// competition of the attacker with the measurement for a core.
func runApart(at target, name string, length time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), length+15*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, "nice", append([]string{"-n", "5", os.Args[0]}, at.arguments(name, length)...)...)
	command.Stderr = os.Stderr
	output, err := command.Output()
	return strings.TrimSpace(string(output)), err
}

type samples struct {
	milliseconds []float64
	errors       []string
}

func (s samples) percentile(percent int) float64 {
	if len(s.milliseconds) == 0 {
		return 0
	}
	slices.Sort(s.milliseconds)
	return s.milliseconds[min(len(s.milliseconds)-1, len(s.milliseconds)*percent/100)]
}

// sample calls `what` once a period, whether or not the last call has ended, until the context ends. Thus every request
// during a pause of the server counts. The returned function waits for the last calls.
func sample(ctx context.Context, period time.Duration, atOnce int, what func() error) func() samples {
	var all samples
	var mutex sync.Mutex
	var group sync.WaitGroup
	places := make(chan struct{}, atOnce)
	group.Add(1)
	go func() {
		defer group.Done()
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			due := time.Now()
			group.Add(1)
			go func() {
				defer group.Done()
				places <- struct{}{}
				err := what()
				<-places
				mutex.Lock()
				defer mutex.Unlock()
				all.milliseconds = append(all.milliseconds, float64(time.Since(due).Microseconds())/1000)
				if err != nil {
					all.errors = append(all.errors, err.Error())
				}
			}()
		}
	}()
	return func() samples { group.Wait(); return all }
}

// As a kubelet does: each on its own connection.
var prober = &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

func probe(address string) error { return get(prober, "http://"+address+"/healthz", "") }

// As Prometheus does: one connection, kept alive.
func scraper(address, token string) func() error {
	client := &http.Client{Timeout: 10 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	return func() error { return get(client, "https://"+address+"/metrics", token) }
}

func get(client *http.Client, url, token string) error {
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	reply, err := client.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	_, _ = io.Copy(io.Discard, reply.Body)
	if reply.StatusCode != http.StatusOK {
		return errors.New(reply.Status)
	}
	return nil
}

func (m *measurement) waitUntilHealthy(at target, within time.Duration) error {
	var err error
	for deadline := time.Now().Add(within); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		if err = probe(at.health); err != nil {
			continue
		}
		if err = m.api.admit(); err != nil {
			continue
		}
		if err = get(&http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true,
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}, "https://"+at.metrics+"/metrics", m.token); err != nil {
			continue
		}
		if holder, age := m.api.holder(m.lease); m.lease != "" && (holder == "" || age > 5*time.Second) {
			err = errors.New("no replica holds the lease")
			continue
		}
		if !m.isCalm() {
			err = errors.New("what an earlier attack sent is still being processed")
			continue
		}
		return nil
	}
	return err
}

// isCalm reports whether admissions are fast again: an attack leaves data in the sockets' buffers.
func (m *measurement) isCalm() bool {
	for range 20 {
		began := time.Now()
		if m.api.admit() != nil || time.Since(began) > 100*time.Millisecond {
			return false
		}
		time.Sleep(50 * time.Millisecond)
	}
	return true
}

func (m *measurement) countStarts() int {
	text, _ := os.ReadFile(m.starts)
	return bytes.Count(text, []byte("\n"))
}

func (m *measurement) oomKills() int64 {
	text, _ := os.ReadFile(m.events)
	for _, line := range strings.Split(string(text), "\n") {
		if count, found := strings.CutPrefix(line, "oom_kill "); found {
			number, _ := strconv.ParseInt(count, 10, 64)
			return number
		}
	}
	return 0
}

// resetPeak opens a file of a peak and resets it, if the kernel can: with cgroup v2 only for readers of the same
// descriptor, since Linux 6.12.
func resetPeak(path string) *os.File {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		file, _ = os.Open(path)
		return file
	}
	_, _ = file.WriteString("0")
	return file
}

func readNumber(file *os.File) int64 {
	if file == nil {
		return 0
	}
	text := make([]byte, 32)
	n, _ := file.ReadAt(text, 0)
	number, _ := strconv.ParseInt(strings.TrimSpace(string(text[:n])), 10, 64)
	return number
}

// A client of the API server with an administrator's certificate.
type apiServer struct {
	url    string
	client *http.Client
}

func newAPIServer(path string) (*apiServer, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var config struct {
		Clusters []struct {
			Cluster struct {
				Server string `json:"server"`
				CA     string `json:"certificate-authority-data"`
			} `json:"cluster"`
		} `json:"clusters"`
		Users []struct {
			User struct {
				Certificate string `json:"client-certificate-data"`
				Key         string `json:"client-key-data"`
			} `json:"user"`
		} `json:"users"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return nil, err
	}
	if len(config.Clusters) != 1 || len(config.Users) != 1 {
		return nil, errors.New("a kubeconfig with one cluster and one user is needed")
	}
	ca, _ := base64.StdEncoding.DecodeString(config.Clusters[0].Cluster.CA)
	certificate, _ := base64.StdEncoding.DecodeString(config.Users[0].User.Certificate)
	key, _ := base64.StdEncoding.DecodeString(config.Users[0].User.Key)
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	return &apiServer{config.Clusters[0].Cluster.Server, &http.Client{Timeout: 15 * time.Second, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}}, ForceAttemptHTTP2: true}}}, nil
}

// admit makes the API server call the webhooks, as `kubectl create --dry-run=server` does.
func (a *apiServer) admit() error {
	body := `{"apiVersion":"batch.tutorial.kubebuilder.io/v1","kind":"CronJob","metadata":{"generateName":"attack-"},` +
		`"spec":{"schedule":"*/5 * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"OnFailure",` +
		`"containers":[{"name":"main","image":"busybox"}]}}}}}}`
	reply, err := a.client.Post(a.url+cronjobs+"?dryRun=All", "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	text, _ := io.ReadAll(reply.Body)
	if reply.StatusCode != http.StatusCreated {
		return fmt.Errorf("%s: %.300s", reply.Status, text)
	}
	return nil
}

// answer requests an object that the API server has in memory. A slow reply is the machine's fault, not the webhook's.
func (a *apiServer) answer() error {
	reply, err := a.client.Get(a.url + "/version")
	if err != nil {
		return err
	}
	return reply.Body.Close()
}

// holder of a Lease and the time since its last renewal.
func (a *apiServer) holder(lease string) (string, time.Duration) {
	if lease == "" {
		return "", 0
	}
	reply, err := a.client.Get(a.url + "/apis/coordination.k8s.io/v1/namespaces/default/leases/" + lease)
	if err != nil {
		return "", 0
	}
	defer reply.Body.Close()
	var object struct {
		Spec struct {
			HolderIdentity   string    `json:"holderIdentity"`
			LeaseTransitions int       `json:"leaseTransitions"`
			RenewTime        time.Time `json:"renewTime"`
		} `json:"spec"`
	}
	if json.NewDecoder(reply.Body).Decode(&object) != nil {
		return "", 0
	}
	return fmt.Sprint(object.Spec.HolderIdentity, " ", object.Spec.LeaseTransitions), time.Since(object.Spec.RenewTime)
}
