package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// A tenant has `edit` in one namespace and writes the largest objects that the API server stores: each kind of the
// manager with very many entries of one field.

// An object in the tenant's namespace and the request path of its collection.
type tenantKind struct {
	name       string // of the attack: tenant-<name>
	collection string
	head       string // `"apiVersion":…,"kind":…`
	// The spec with `count` entries of the list that the tenant can make longest.
	spec func(count int) string
	// The collection and the name of the child that the tenant changes as well; empty: none.
	children, child string
}

const pods = `"restartPolicy":"Never","containers":[{"name":"c","image":"i"%s}]`

var tenantKinds = []tenantKind{
	{"job", "/apis/batch/v1/namespaces/default/jobs", `"apiVersion":"batch/v1","kind":"Job"`,
		func(count int) string {
			return `{"suspend":true,"template":{"spec":{` + fmt.Sprintf(pods, environment(count)) + `}}}`
		}, "", ""},
	{"memcached", "/apis/memcached.cache.example.com/v1/namespaces/default/memcacheds",
		`"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached"`,
		func(int) string { return `{"size":1}` }, "/apis/apps/v1/namespaces/default/deployments", "tenant"},
	{"cronjob", cronjobs, `"apiVersion":"batch.tutorial.kubebuilder.io/v1","kind":"CronJob"`,
		func(count int) string {
			return `{"schedule":"*/1 * * * *","suspend":true,"jobTemplate":{"spec":{"template":{"spec":{` +
				fmt.Sprintf(pods, environment(count)) + `}}}}}`
		}, "", ""},
	{"bluegreen", "/apis/app.demo.kakao.com/v1/namespaces/default/bluegreens",
		`"apiVersion":"app.demo.kakao.com/v1","kind":"BlueGreen"`,
		func(count int) string {
			return `{"routeTo":"Blue","blueSpec":{"containers":[{"name":"c","image":"i"` + environment(count) +
				`}]},"greenSpec":{"containers":[{"name":"c","image":"i"}]}}`
		}, "/apis/apps/v1/namespaces/default/deployments", "tenantblue-deployment"},
}

func environment(count int) string {
	return `,"env":[` + repeated(count, func(i int) string { return fmt.Sprintf(`{"name":"E%d","value":"v"}`, i) }) + `]`
}

func repeated(count int, item func(int) string) string {
	var text strings.Builder
	for i := range count {
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteString(item(i))
	}
	return text.String()
}

// A field of metadata with `count` entries. Owners have texts that occur in each other.
var tenantMetadata = []struct {
	name  string
	count int
	text  func(count int) string
}{
	{"owners", 12_000, func(count int) string {
		text := strings.Repeat("a", 24)
		return `,"ownerReferences":[` + repeated(count, func(i int) string {
			return fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Unknown","name":"%s","uid":"%s%d"}`, text, text, i)
		}) + `]`
	}},
	{"labels", 18_000, func(count int) string {
		return `,"labels":{` + repeated(count, func(i int) string { return fmt.Sprintf(`"l%d":"v"`, i) }) + `}`
	}},
	{"finalizers", 18_000, func(count int) string {
		return `,"finalizers":[` + repeated(count, func(i int) string { return fmt.Sprintf(`"example.com/f%d"`, i) }) + `]`
	}},
}

func tenantAttacks() []attack {
	var all []attack
	for _, kind := range tenantKinds {
		all = append(all, attack{"tenant-" + kind.name, "8. objects of a tenant with up to 18,000 entries: " + kind.name,
			func(ctx context.Context, at target) string { return kind.attack(ctx, at) }})
	}
	return all
}

// Each object is created, changed twice, as is its child, and removed.
func (k tenantKind) attack(ctx context.Context, at target) string {
	api, err := newAPIServer(at.kubeconfig)
	if err != nil {
		return err.Error()
	}
	var sent []string
	for round := 0; ctx.Err() == nil; round++ {
		made := 0
		for _, metadata := range tenantMetadata {
			made += k.round(ctx, api, metadata.text, metadata.count, func(int) string { return k.spec(1) })
		}
		made += k.round(ctx, api, func(int) string { return "" }, 18_000, k.spec)
		if round == 0 {
			sent = append(sent, fmt.Sprintf("objects of %d bytes in a round", made))
		}
	}
	return strings.Join(sent, ", ")
}

// round returns the bytes of the object that the API server has accepted: of a rejected one it tries half as many entries.
func (k tenantKind) round(ctx context.Context, api *apiServer, metadata func(int) string, count int, spec func(int) string) int {
	const name = "tenant"
	accepted := 0
	for ; accepted == 0 && count > 100 && ctx.Err() == nil; count = count * 3 / 4 {
		body := `{` + k.head + `,"metadata":{"name":"` + name + `"` + metadata(count) + `},"spec":` + spec(count) + `}`
		if status := api.send(ctx, "POST", k.collection, "application/json", body); status < 300 {
			accepted = len(body)
		}
	}
	for change := range 2 {
		pause(ctx, 500*time.Millisecond)
		patch := fmt.Sprintf(`{"metadata":{"annotations":{"changed":"%d"}}}`, change)
		api.send(ctx, "PATCH", k.collection+"/"+name, mergePatch, patch)
		if k.child != "" {
			api.send(ctx, "PATCH", k.children+"/"+k.child, mergePatch, fmt.Sprintf(`{"spec":{"replicas":%d}}`, 2+change))
		}
	}
	pause(ctx, 500*time.Millisecond)
	// The cleanup happens also after the end.
	after := context.Background()
	api.send(after, "PATCH", k.collection+"/"+name, mergePatch, `{"metadata":{"finalizers":null}}`)
	api.send(after, "DELETE", k.collection+"/"+name+"?propagationPolicy=Background", "application/json", "")
	return accepted
}

const mergePatch = "application/merge-patch+json"

// send returns the status of the reply, or 599 without one.
func (a *apiServer) send(ctx context.Context, method, path, contentType, body string) int {
	request, err := http.NewRequestWithContext(ctx, method, a.url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return 599
	}
	request.Header.Set("Content-Type", contentType)
	reply, err := a.client.Do(request)
	if err != nil {
		return 599
	}
	defer reply.Body.Close()
	_, _ = io.Copy(io.Discard, reply.Body)
	return reply.StatusCode
}
