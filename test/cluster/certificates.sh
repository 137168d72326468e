# The cluster's certificates and kubeconfigs. Sourced by scripts/cluster.

make_certificates() {
  local pki="$dir/pki"
  mkdir -p "$pki"
  chmod 700 "$pki"
  # Explicit extensions: without a section openssl issues X.509 v1, which strict TLS clients reject.
  cat >"$pki/openssl.cnf" <<'CONF'
[req]
distinguished_name = name
[name]
[ca]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign,digitalSignature
subjectKeyIdentifier = hash
[server]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:10.0.0.1
[client]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = clientAuth
CONF
  issue ca ca /CN=keelson-cluster-ca
  issue front-proxy-ca ca /CN=keelson-front-proxy-ca
  issue apiserver server /CN=kube-apiserver ca
  issue front-proxy client /CN=front-proxy-client front-proxy-ca
  issue admin client /O=system:masters/CN=admin ca
  issue kube-controller-manager client /CN=system:kube-controller-manager ca
  issue kube-scheduler client /CN=system:kube-scheduler ca
  # KWOK writes nodes and pods of every namespace, and no built-in role fits it.
  issue kwok client /O=system:masters/CN=kwok ca
  openssl genrsa -out "$pki/service-account.key" 2048 2>/dev/null
  openssl rsa -in "$pki/service-account.key" -pubout -out "$pki/service-account.pub" 2>/dev/null

  local user
  for user in kube-controller-manager kube-scheduler kwok; do
    write_kubeconfig "$user" "$pki/$user.kubeconfig"
  done
  write_kubeconfig admin "$dir/kubeconfig"
}

# issue NAME SECTION SUBJECT [CA]: an EC P-256 key and certificate, signed by itself unless a CA is named.
issue() {
  local pki="$dir/pki" signer=()
  if [[ -n ${4:-} ]]; then signer=(-CA "$pki/$4.crt" -CAkey "$pki/$4.key"); fi
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -config "$pki/openssl.cnf" \
    -extensions "$2" -subj "$3" "${signer[@]}" -keyout "$pki/$1.key" -out "$pki/$1.crt" 2>"$pki/openssl.log" ||
    fail "openssl could not issue the certificate $1: $(tail -n 1 "$pki/openssl.log")"
}

# The file contains everything, so that it can be copied.
write_kubeconfig() {
  local pki="$dir/pki"
  (umask 077 && cat >"$2") <<CONFIG
apiVersion: v1
kind: Config
current-context: keelson-$name
clusters:
- name: keelson-$name
  cluster:
    server: https://127.0.0.1:$apiserver_port
    certificate-authority-data: $(base64 -w 0 <"$pki/ca.crt")
contexts:
- name: keelson-$name
  context: {cluster: keelson-$name, user: $1, namespace: default}
users:
- name: $1
  user:
    client-certificate-data: $(base64 -w 0 <"$pki/$1.crt")
    client-key-data: $(base64 -w 0 <"$pki/$1.key")
CONFIG
}
