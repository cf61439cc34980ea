package import PushDispatch
package import ServiceHost

extension OrgSettings {
    /// Sets the settings that the object names and leaves the others unchanged.
    package mutating func patch(_ json: JSONValue) throws(ControlProblem) {
        var new = self
        var members = try ControlMembers(json, "settings")
        func count(_ key: String, _ value: inout Int, upTo maximum: Int64) throws(ControlProblem) {
            if let number = try members.integer(key, in: 0...maximum) { value = Int(number) }
        }
        try count("maximum-records", &new.maximumRecords, upTo: 1_000_000)
        try count("daily-calls", &new.dailyCalls, upTo: 1_000_000_000)
        try count("push-calls-per-transaction", &new.pushCallsPerTransaction, upTo: 1_000_000)
        try count("notifications-per-call", &new.notificationsPerCall, upTo: 1_000_000)
        try count("pushes-per-hour", &new.pushesPerHour, upTo: 1_000_000_000)
        try count("minimum-page-size", &new.minimumPageSize, upTo: 2_000)
        func time(_ key: String, _ value: inout Int64) throws(ControlProblem) {
            guard let duration = try members.duration(key) else { return }
            guard duration > 0 else { throw .bad("settings: \(key) must be longer than 0") }
            value = duration
        }
        try time("access-token-lifetime", &new.accessTokenLifetime)
        try time("deletion-log", &new.deletionLog)
        try time("query-locator-lifetime", &new.queryLocatorLifetime)
        if let duration = try members.duration("transaction-time") { new.transactionTime = duration }
        new.rotatesRefreshTokens = try members.flag("rotate-refresh-tokens") ?? rotatesRefreshTokens
        new.isPushEnabled = try members.flag("push") ?? isPushEnabled
        try members.finish()
        self = new
    }
}
