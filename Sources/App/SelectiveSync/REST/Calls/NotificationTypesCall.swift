public import PushDispatch

/// The types of the CRM's own notices (docs/reference/selective-sync.md 4.5).
package struct NotificationTypesCall: RESTExchange {
    package static let firstVersion = 64

    package let call: RESTCall

    /// - Throws: `badRequest` for a version without this call.
    package init(version: String) throws(FetchError) {
        call = RESTCall(.get, try RESTPath.data(version, "connect/notifications/types"))
        guard let number = Int(version.dropFirst().prefix { $0 != "." }), number >= NotificationTypesCall.firstVersion
        else {
            throw FetchError(
                .badRequest, advice: .stop,
                "types of notices need API version v\(NotificationTypesCall.firstVersion).0 or later")
        }
    }

    package func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> [NotificationType] {
        guard let rows = try reply.object(limits)["notificationTypes"]?.array else {
            throw reply.bad("notificationTypes is not an array")
        }
        var types: [NotificationType] = []
        for (index, row) in rows.enumerated() {
            guard let type = NotificationType(row) else { throw reply.bad("element \(index) is not a type of notice") }
            types.append(type)
        }
        return types
    }
}

extension RESTClient {
    /// The types of the CRM's own notices, with their actions; from API version v64.0 on.
    public func notificationTypes(
        timeoutMilliseconds: Int64 = 20_000
    ) async throws(FetchError) -> [NotificationType] {
        try await perform(NotificationTypesCall(version: version), timeoutMilliseconds)
    }
}
