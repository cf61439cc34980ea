import APNSModel
package import GatewayCore
package import PayloadJSON

extension Device {
    package var json: JSONText {
        .object { object in
            object.add("token", token.hex)
            object.add("topic", topic.value)
            object.add("environment", environment.rawValue)
            object.add("kind", kind.rawValue)
            object.add("registered", time: registeredAt)
            object.add("registered-by", isImplicit ? "use" : "client")
            object.add("installed", isInstalled)
            if case .uninstalled(let at) = registration { object.add("uninstalled", time: at) }
            object.addIfAny("replaced-by", successor?.hex)
            object.addIfAny("replaces", predecessor?.hex)
            if let expiresAt { object.add("expires", time: expiresAt) }
            object.add("online", isOnline)
            if let backAt { object.add("back", time: backAt) }
            object.add("awake", isAwake)
            object.add("low-power", isInLowPower)
            object.add("low-data", isInLowData)
            object.add("background-refresh", allowsBackgroundRefresh)
            object.add("notifications", allowsNotifications)
            object.add("app-state", appState.rawValue)
            switch budget {
            case .world: object.add("budget", "default")
            case .lifted: object.add("budget", "unlimited")
            case .own(let budget): object.add("budget", BudgetText.text(budget))
            }
            object.add("counted", strings: budgetUse.times.map { TimeText.text($0) })
            if let endedAt = activity.endedAt { object.add("activity-ended", time: endedAt) }
            object.add("channels", strings: channels.map(\.base64))
            object.add("listeners", listeners)
            object.add("waiting", waitingCount)
            object.add("stored", .array(waiting.map(\.json)))
        }
    }
}

extension StoredDelivery {
    fileprivate var json: JSONText {
        .object { object in
            object.add("apns-unique-id", delivery.uniqueID)
            object.addIfAny("apns-channel-id", delivery.channelID?.base64)
            object.addIfAny("apns-collapse-id", delivery.collapseID?.value)
            object.add("expires", time: expiresAt)
            guard let hold else { return }
            object.add("held-for", hold.cause.rawValue)
            if let until = hold.until { object.add("held-until", time: until) }
        }
    }
}
