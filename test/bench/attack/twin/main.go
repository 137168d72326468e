// A Go server for comparison: net/http with controller-runtime's limits, and no more. It has no caches, controllers or
// lease, which makes it smaller than a real manager.
package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// controller-runtime: pkg/internal/httpserver, pkg/webhook/admission.
const (
	maxHeaderBytes    = 1 << 20
	idleTimeout       = 90 * time.Second
	readHeaderTimeout = 32 * time.Second
	maxRequestSize    = 7 << 20
)

func main() {
	health := flag.String("health", "", "address")
	webhook := flag.String("webhook", "", "address")
	metrics := flag.String("metrics", "", "address")
	certificate := flag.String("certificate", "", "file of the certificate and its key; made when there is none")
	api := flag.String("api-server", "", "URL of the API server")
	credentials := flag.String("token", "", "what TokenReviews are created with")
	flag.Parse()

	pair := loadCertificate(*certificate)
	// As the scaffold does by default, without HTTP/2.
	config := &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"http/1.1"}}

	probes := http.NewServeMux()
	probes.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })
	hooks := http.NewServeMux()
	hooks.HandleFunc("/mutate-batch-tutorial-kubebuilder-io-v1-cronjob", func(w http.ResponseWriter, r *http.Request) { answer(w, r, true) })
	hooks.HandleFunc("/validate-batch-tutorial-kubebuilder-io-v1-cronjob", func(w http.ResponseWriter, r *http.Request) { answer(w, r, false) })
	guard := &tokenGuard{url: *api, token: *credentials, known: map[[32]byte]verdict{}, client: &http.Client{Timeout: 10 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}}
	scrapes := http.NewServeMux()
	scrapes.HandleFunc("/metrics", guard.serve)

	go func() { log.Fatal(server(probes).Serve(listen(*health, nil))) }()
	go func() { log.Fatal(server(scrapes).Serve(listen(*metrics, config))) }()
	log.Fatal(server(hooks).Serve(listen(*webhook, config)))
}

func server(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler, MaxHeaderBytes: maxHeaderBytes, IdleTimeout: idleTimeout, ReadHeaderTimeout: readHeaderTimeout}
}

func listen(address string, config *tls.Config) net.Listener {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	if config != nil {
		listener = tls.NewListener(listener, config)
	}
	return listener
}

type object struct {
	Kind     string         `json:"kind,omitempty"`
	Version  string         `json:"apiVersion,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
	Spec     struct {
		Schedule          string         `json:"schedule"`
		ConcurrencyPolicy string         `json:"concurrencyPolicy,omitempty"`
		JobTemplate       map[string]any `json:"jobTemplate,omitempty"`
	} `json:"spec"`
}

type review struct {
	Kind    string `json:"kind"`
	Version string `json:"apiVersion"`
	Request *struct {
		UID       string          `json:"uid"`
		Kind      map[string]any  `json:"kind"`
		Resource  map[string]any  `json:"resource"`
		Name      string          `json:"name"`
		Namespace string          `json:"namespace"`
		Operation string          `json:"operation"`
		UserInfo  map[string]any  `json:"userInfo"`
		Object    json.RawMessage `json:"object"`
		OldObject json.RawMessage `json:"oldObject"`
	} `json:"request,omitempty"`
	Response *response `json:"response,omitempty"`
}

type response struct {
	UID       string         `json:"uid"`
	Allowed   bool           `json:"allowed"`
	Status    map[string]any `json:"status,omitempty"`
	Patch     []byte         `json:"patch,omitempty"`
	PatchType string         `json:"patchType,omitempty"`
}

// As admission.Webhook.ServeHTTP with a CustomDefaulter or CustomValidator.
func answer(w http.ResponseWriter, r *http.Request, defaulting bool) {
	limited := &io.LimitedReader{R: r.Body, N: maxRequestSize}
	body, err := io.ReadAll(limited)
	if err != nil {
		write(w, review{Response: denied("", err.Error())})
		return
	}
	if limited.N <= 0 {
		write(w, review{Response: denied("", fmt.Sprintf("request entity is too large; limit is %d bytes", maxRequestSize))})
		return
	}
	if r.Header.Get("Content-Type") != "application/json" {
		write(w, review{Response: denied("", "contentType is not application/json")})
		return
	}
	var question review
	if err := json.Unmarshal(body, &question); err != nil || question.Request == nil {
		write(w, review{Response: denied("", fmt.Sprint("cannot decode: ", err))})
		return
	}
	reply := review{Kind: "AdmissionReview", Version: question.Version, Response: decide(question.Request.UID, question.Request.Object, defaulting)}
	write(w, reply)
}

func decide(uid string, raw json.RawMessage, defaulting bool) *response {
	var subject object
	if err := json.Unmarshal(raw, &subject); err != nil {
		return denied(uid, err.Error())
	}
	if !defaulting {
		if fields := strings.Fields(subject.Spec.Schedule); len(fields) != 5 {
			return denied(uid, fmt.Sprintf("spec.schedule: Invalid value: %q: expected exactly 5 fields, found %d: %s", subject.Spec.Schedule,
				len(fields), subject.Spec.Schedule))
		}
		return &response{UID: uid, Allowed: true}
	}
	missing := subject.Spec.ConcurrencyPolicy == ""
	if missing {
		subject.Spec.ConcurrencyPolicy = "Allow"
	}
	// jsonpatch.CreatePatch: both documents as trees.
	marshaled, _ := json.Marshal(subject)
	var before, after any
	_ = json.Unmarshal(raw, &before)
	_ = json.Unmarshal(marshaled, &after)
	allowed := &response{UID: uid, Allowed: true}
	if missing {
		allowed.Patch, allowed.PatchType = []byte(`[{"op":"add","path":"/spec/concurrencyPolicy","value":"Allow"}]`), "JSONPatch"
	}
	return allowed
}

func denied(uid, message string) *response {
	return &response{UID: uid, Status: map[string]any{"code": 422, "message": message}}
}

func write(w http.ResponseWriter, reply review) { _ = json.NewEncoder(w).Encode(reply) }

// As filters.WithAuthenticationAndAuthorization: a TokenReview for each token that is not in its cache. Here an
// authenticated user is authorized.
type tokenGuard struct {
	url, token string
	client     *http.Client
	mutex      sync.Mutex
	known      map[[32]byte]verdict
}

type verdict struct {
	good  bool
	until time.Time
}

func (g *tokenGuard) serve(w http.ResponseWriter, r *http.Request) {
	token, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !found {
		http.Error(w, "Unauthorized", http.StatusUnauthorized)
		return
	}
	good, err := g.authenticate(token)
	switch {
	case err != nil:
		http.Error(w, "Authentication failed", http.StatusInternalServerError)
	case !good:
		http.Error(w, "Unauthorized", http.StatusUnauthorized)
	default:
		fmt.Fprint(w, strings.Repeat("controller_runtime_reconcile_total{controller=\"cronjob\",result=\"success\"} 1\n", 500))
	}
}

func (g *tokenGuard) authenticate(token string) (bool, error) {
	key := sha256.Sum256([]byte(token))
	g.mutex.Lock()
	one, found := g.known[key]
	g.mutex.Unlock()
	if found && time.Now().Before(one.until) {
		return one.good, nil
	}
	body, _ := json.Marshal(map[string]any{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": map[string]any{"token": token}})
	request, _ := http.NewRequest("POST", g.url+"/apis/authentication.k8s.io/v1/tokenreviews", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+g.token)
	reply, err := g.client.Do(request)
	if err != nil {
		return false, err
	}
	defer reply.Body.Close()
	var answered struct {
		Status struct {
			Authenticated bool `json:"authenticated"`
		} `json:"status"`
	}
	if err := json.NewDecoder(reply.Body).Decode(&answered); err != nil || reply.StatusCode != http.StatusCreated {
		return false, fmt.Errorf("%s: %v", reply.Status, err)
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	// The capacity of its cache.
	if len(g.known) >= 4096 {
		clear(g.known)
	}
	g.known[key] = verdict{answered.Status.Authenticated, time.Now().Add(time.Minute)}
	return answered.Status.Authenticated, nil
}

// The certificate outlives the process, because the API server has it as a CA.
func loadCertificate(path string) tls.Certificate {
	if _, err := os.Stat(path); err != nil {
		if err := os.WriteFile(path+".new", makeCertificate(), 0o600); err != nil {
			log.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			log.Fatal(err)
		}
	}
	pair, err := tls.LoadX509KeyPair(path, path)
	if err != nil {
		log.Fatal(err)
	}
	return pair
}

func makeCertificate() []byte {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	made, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		log.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		log.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made})
	return append(text, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})...)
}
