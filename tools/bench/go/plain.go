//go:build !apns2

package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
)

type plainSender struct {
	options
	client *http.Client
}

func newSender(o options) (sender, error) {
	transport := &http.Transport{TLSClientConfig: o.tls, ForceAttemptHTTP2: true, DisableCompression: true}
	return &plainSender{o, &http.Client{Transport: transport}}, nil
}

func (s *plainSender) send(deviceToken string) (int, error) {
	request, err := http.NewRequest("POST", s.url+"/3/device/"+deviceToken, bytes.NewReader(s.payload))
	if err != nil {
		return 0, err
	}
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return 0, err
	}
	header := request.Header
	header.Set("authorization", s.authorization)
	header.Set("apns-topic", s.topic)
	header.Set("apns-push-type", "background")
	header.Set("apns-priority", "5")
	header.Set("apns-expiration", "0")
	header.Set("apns-id", fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:]))
	response, err := s.client.Do(request)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, response.Body)
	response.Body.Close()
	return response.StatusCode, err
}
