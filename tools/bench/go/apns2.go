//go:build apns2

package main

import (
	"time"

	"github.com/sideshow/apns2"
	"github.com/sideshow/apns2/token"
	"golang.org/x/net/http2"
)

type apns2Sender struct {
	options
	client *apns2.Client
}

func newSender(o options) (sender, error) {
	key, err := token.AuthKeyFromFile(o.key)
	if err != nil {
		return nil, err
	}
	client := apns2.NewTokenClient(&token.Token{AuthKey: key, KeyID: o.keyID, TeamID: o.teamID})
	client.Host = o.url
	client.HTTPClient.Transport = &http2.Transport{TLSClientConfig: o.tls}
	return &apns2Sender{o, client}, nil
}

func (s *apns2Sender) send(deviceToken string) (int, error) {
	response, err := s.client.Push(&apns2.Notification{
		DeviceToken: deviceToken, Topic: s.topic, PushType: apns2.PushTypeBackground, Priority: 5,
		Expiration: time.Unix(0, 0), Payload: s.payload,
	})
	if err != nil {
		return 0, err
	}
	return response.StatusCode, nil
}
