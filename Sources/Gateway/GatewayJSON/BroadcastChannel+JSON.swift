import APNSModel
package import GatewayCore
package import PayloadJSON

extension BroadcastChannel {
    package var json: JSONText {
        .object { object in
            object.add("apns-channel-id", id.base64)
            object.add("topic", app)
            object.add("environment", environment.rawValue)
            object.add("message-storage-policy", storagePolicy.rawValue)
            object.add("push-type", BroadcastChannel.pushType)
            object.add("created", time: createdAt)
            object.add("subscribers", subscriberCount)
            if let stored {
                object.add("stored", stored.json)
            } else {
                object.add("stored", json: Array("null".utf8))
            }
        }
    }
}

extension StoredBroadcast {
    fileprivate var json: JSONText {
        .object { object in
            object.add("apns-unique-id", broadcast.id.text)
            object.add("apns-request-id", broadcast.requestID)
            object.add("apns-priority", broadcast.priority.rawValue)
            object.add("apns-expiration", broadcast.expiration.secondsSince1970)
            object.addPayload(broadcast.payload, omittedBytes: 0)
            object.add("expires", time: expiresAt)
        }
    }
}
