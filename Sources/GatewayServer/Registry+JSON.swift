import APNSModel
import GatewayCore
import ProviderToken

extension Device {
    var json: JSONText {
        .object { object in
            object.add("token", token.hex)
            object.add("topic", topic.value)
            object.add("environment", environment.rawValue)
            object.add("kind", kind.rawValue)
            object.add("registered", time: registeredAt)
            object.add("registered-by", isImplicit ? "use" : "client")
            object.add("installed", isInstalled)
            if case .uninstalled(let at) = registration { object.add("uninstalled", time: at) }
            if let expiresAt { object.add("expires", time: expiresAt) }
            object.add("online", isOnline)
            if let backAt { object.add("back", time: backAt) }
            object.add("low-power", isInLowPower)
            object.add("background-refresh", allowsBackgroundRefresh)
            object.add("app-state", appState.rawValue)
            object.add("channels", strings: channels.map(\.text))
            object.add("listeners", listeners)
            object.add("waiting", waitingCount)
        }
    }
}

extension RegisteredApp {
    var json: JSONText {
        .object { object in
            object.add("topic", topic)
            object.add("team-id", teamID)
            object.add("capabilities", strings: capabilities.sorted())
        }
    }
}

extension ProviderKey {
    var json: JSONText {
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
    static func json(_ mode: Mode, now: Int64) -> JSONText {
        .object { object in
            object.add("mode", mode.rawValue)
            object.add("now", time: now)
        }
    }
}
