package main

import (
	"bytes"
	"context"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/tls"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// A TLS 1.3 connection whose records are written by hand, so that they can be what crypto/tls never sends. The handshake
// is crypto/tls's; the key log gives the secret that the client's records are encrypted with from then on.
type rawTLS struct {
	conn   net.Conn
	hash   crypto.Hash
	keyLen int
	secret []byte
	aead   cipher.AEAD
	iv     []byte
	seq    uint64
}

const (
	typeHandshake       = 22
	typeApplicationData = 23
)

func dialRawTLS(ctx context.Context, address string, from int) (*rawTLS, error) {
	conn, err := dial(ctx, address, from)
	if err != nil {
		return nil, err
	}
	var log bytes.Buffer
	client := tls.Client(conn, &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS13,
		CurvePreferences: []tls.CurveID{tls.X25519}, KeyLogWriter: &log})
	if err := client.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	raw := &rawTLS{conn: conn, hash: crypto.SHA256, keyLen: 16}
	switch suite := client.ConnectionState().CipherSuite; suite {
	case tls.TLS_AES_128_GCM_SHA256:
	case tls.TLS_AES_256_GCM_SHA384:
		raw.hash, raw.keyLen = crypto.SHA384, 32
	default:
		conn.Close()
		return nil, fmt.Errorf("the server chose %s", tls.CipherSuiteName(suite))
	}
	for _, line := range strings.Split(log.String(), "\n") {
		if words := strings.Fields(line); len(words) == 3 && words[0] == "CLIENT_TRAFFIC_SECRET_0" {
			raw.secret, _ = hex.DecodeString(words[2])
		}
	}
	raw.deriveKey()
	// The server's replies must not fill its buffers.
	go func() { _, _ = io.Copy(io.Discard, conn) }()
	return raw, nil
}

// RFC 8446, 7.1.
func (r *rawTLS) expand(label string, length int) []byte {
	label = "tls13 " + label
	info := binary.BigEndian.AppendUint16(nil, uint16(length))
	info = append(append(append(info, byte(len(label))), label...), 0)
	key, err := hkdf.Expand(r.hash.New, r.secret, string(info), length)
	if err != nil {
		panic(err)
	}
	return key
}

func (r *rawTLS) deriveKey() {
	block, err := aes.NewCipher(r.expand("key", r.keyLen))
	if err != nil {
		panic(err)
	}
	if r.aead, err = cipher.NewGCM(block); err != nil {
		panic(err)
	}
	r.iv = r.expand("iv", 12)
	r.seq = 0
}

// appendRecord appends one encrypted record.
func (r *rawTLS) appendRecord(to []byte, contentType byte, payload []byte) []byte {
	var nonce [12]byte
	copy(nonce[:], r.iv)
	for i := range 8 {
		nonce[11-i] ^= byte(r.seq >> (8 * i))
	}
	r.seq++
	length := len(payload) + 1 + r.aead.Overhead()
	header := [5]byte{typeApplicationData, 3, 3, byte(length >> 8), byte(length)}
	to = append(to, header[:]...)
	begin := len(to)
	to = append(append(to, payload...), contentType)
	return append(to[:begin], r.aead.Seal(nil, nonce[:], to[begin:], header[:])...)
}

// appendKeyUpdate appends a KeyUpdate that requests none in return, after which the next keys are in use.
func (r *rawTLS) appendKeyUpdate(to []byte) []byte {
	to = r.appendRecord(to, typeHandshake, []byte{24, 0, 0, 1, 0})
	r.secret = r.expand("traffic upd", r.hash.Size())
	r.deriveKey()
	return to
}

func (r *rawTLS) write(ctx context.Context, records []byte) error {
	if deadline, ok := ctx.Deadline(); ok {
		_ = r.conn.SetWriteDeadline(deadline)
	}
	_, err := r.conn.Write(records)
	return err
}

// dial connects from one of 127.0.0.2 to 127.0.255.254: a client address other than the API server's. `from` counts them.
func dial(ctx context.Context, address string, from int) (net.Conn, error) {
	from += 1
	local := &net.TCPAddr{IP: net.IPv4(127, 0, byte(from/254), byte(from%254+1))}
	dialer := net.Dialer{Timeout: 5 * time.Second, LocalAddr: local}
	return dialer.DialContext(ctx, "tcp", address)
}

func dialTLS(ctx context.Context, address string, from int) (*tls.Conn, error) {
	conn, err := dial(ctx, address, from)
	if err != nil {
		return nil, err
	}
	client := tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
	if err := client.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return client, nil
}

// The first flight of a client with only this curve.
func recordHello(curve tls.CurveID) []byte {
	client, server := net.Pipe()
	go func() {
		_ = tls.Client(client, &tls.Config{InsecureSkipVerify: true, ServerName: "localhost",
			CurvePreferences: []tls.CurveID{curve}}).Handshake()
	}()
	buffer := make([]byte, 16<<10)
	n, _ := server.Read(buffer)
	server.Close()
	return buffer[:n]
}

// A ClientHello of TLS 1.3 and 1.2 with only the group ffdhe8192, and DHE suites.
func ffdhe8192Hello() []byte {
	share := bytes.Repeat([]byte{0x5a}, 1024)
	entry := append([]byte{0x01, 0x04, 0x04, 0x00}, share...)
	extensions := extension(0x002b, []byte{4, 3, 4, 3, 3})
	extensions = append(extensions, extension(0x000a, []byte{0, 2, 0x01, 0x04})...)
	extensions = append(extensions, extension(0x000d, []byte{0, 6, 0x04, 0x03, 0x08, 0x04, 0x04, 0x01})...)
	extensions = append(extensions, extension(0x0033, append(length16(len(entry)), entry...))...)
	return helloRecord([]byte{0x13, 0x01, 0x13, 0x02, 0x00, 0x9e, 0x00, 0x9f}, extensions)
}

func helloRecord(suites, extensions []byte) []byte {
	body := append([]byte{3, 3}, bytes.Repeat([]byte{7}, 32)...)
	body = append(append(body, 32), bytes.Repeat([]byte{9}, 32)...)
	body = append(append(append(body, length16(len(suites))...), suites...), 1, 0)
	body = append(append(body, length16(len(extensions))...), extensions...)
	message := append([]byte{1, byte(len(body) >> 16), byte(len(body) >> 8), byte(len(body))}, body...)
	return append(append([]byte{typeHandshake, 3, 1}, length16(len(message))...), message...)
}

// The records of a ClientHello of this number of bytes, without the last one.
func incompleteHello(size int) []byte {
	message := make([]byte, size)
	copy(message, []byte{1, byte((size - 4) >> 16), byte((size - 4) >> 8), byte(size - 4), 3, 3})
	var records []byte
	for rest := message; len(rest) > 16384; rest = rest[16384:] {
		records = append(append(records, typeHandshake, 3, 1, 0x40, 0), rest[:16384]...)
	}
	return records
}

func extension(kind uint16, data []byte) []byte {
	return append(append(binary.BigEndian.AppendUint16(nil, kind), length16(len(data))...), data...)
}

func length16(length int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(length)) }
