import APNSModel
package import GatewayCore
package import PayloadJSON
import ProviderToken

extension RegisteredApp {
    package var json: JSONText {
        .object { object in
            object.add("topic", topic)
            object.add("team-id", teamID)
            object.add("capabilities", strings: capabilities.sorted())
        }
    }
}

extension ProviderKey {
    package var json: JSONText {
        .object { object in
            object.add("key-id", keyID)
            object.add("team-id", teamID)
            switch kind {
            case .team: object.add("kind", "team")
            case .topics(let topics):
                object.add("kind", "topic")
                object.add("topics", strings: topics.sorted())
            }
            object.add("environments", strings: environments.map(\.rawValue).sorted())
            object.add("revoked", isRevoked)
            object.add("public-key", verifyingKey.pem)
        }
    }
}

extension WorldClock {
    package static func json(_ mode: Mode, now: Int64) -> JSONText {
        .object { object in
            object.add("mode", mode.rawValue)
            object.add("now", time: now)
        }
    }
}
