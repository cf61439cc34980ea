// Sends a push as to Apple's service, and asks the gateway whether it arrived.
package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

const folder = "/gateway/credentials/"

var device = strings.Repeat("c3", 32)

func main() {
	var facts struct {
		Key, Topic string
		KeyID      string `json:"key-id"`
		TeamID     string `json:"team-id"`
	}
	check(json.Unmarshal(read("credentials.json"), &facts))
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(read("ca.pem"))
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: authorities}, ForceAttemptHTTP2: true,
	}}
	headers := map[string]string{
		"authorization": "bearer " + providerToken(read(facts.Key), facts.KeyID, facts.TeamID),
		"apns-topic":    facts.Topic, "apns-push-type": "alert",
	}
	payload := `{"aps":{"alert":"Hello from Go"}}`
	status, answer := post(client, "https://api.push.apple.com/3/device/"+device, payload, headers)
	fmt.Println("Go:", status, answer)

	expected := fmt.Sprintf(`{"match":{"token":"%s","payload":%s},"within":"5s"}`, device, payload)
	headers = map[string]string{"authorization": "Bearer " + os.Getenv("APNS_GATEWAY_CONTROL_TOKEN")}
	_, answer = post(http.DefaultClient, "http://gateway:8444/api/verify", expected, headers)
	var verified struct{ Satisfied bool }
	check(json.Unmarshal([]byte(answer), &verified))
	if !verified.Satisfied {
		panic("Go: it did not arrive")
	}
	fmt.Println("Go: it arrived")
}

func post(client *http.Client, url, body string, headers map[string]string) (int, string) {
	request, err := http.NewRequest("POST", url, strings.NewReader(body))
	check(err)
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	check(err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	check(err)
	return response.StatusCode, string(bytes.TrimSpace(answer))
}

func providerToken(file []byte, keyID, teamID string) string {
	block, _ := pem.Decode(file)
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	check(err)
	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(fmt.Sprintf(`{"alg":"ES256","kid":"%s"}`, keyID))) + "." +
		encode([]byte(fmt.Sprintf(`{"iss":"%s","iat":%d}`, teamID, time.Now().Unix())))
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key.(*ecdsa.PrivateKey), digest[:])
	check(err)
	var signature [64]byte
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + encode(signature[:])
}

func read(name string) []byte {
	text, err := os.ReadFile(folder + name)
	check(err)
	return text
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
